"""Keys that a person presses for a task in the stepper, typed text left out.

Two persons carry out the reference actions in the real program: one moves over the rows of the tree by the
shortest way that its keys allow, the other jumps to elements by the letters of link hints where that is
shorter. A value is typed into the draft and counts no key; all else does, also to end the task.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import deque
from pathlib import Path

from textual.pilot import Pilot

from tests.tui.waiting import until
from webbench.core.action.action import (
    Action,
    ActionBase,
    Check,
    Click,
    ElementRef,
    Select,
    SetRange,
    Stop,
    Type,
)
from webbench.core.agents.reference import Reference, find
from webbench.core.analysis.recorded.landmarks import LANDMARKS
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.observation import AccessibilityNode
from webbench.core.settings.settings import Settings
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.node_verbs import NEED_NO_VALUE, natural_verb
from webbench.tui.screens.stepper.stepper import StepperScreen
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

TASKS = (
    ("demo", "camp-mugs"),
    ("webarena", "laptop-arena/10003"),
    ("webarena", "laptop-arena/10021"),
    ("webarena", "laptop-arena/10105"),
    ("webarena", "laptop-arena/10135"),
    ("webarena", "laptop-arena/10162"),
)
SIZES = ((160, 48), (80, 24))
COOKIES = "Only necessary"
"""Button of the banner that covers some pages: a person puts it away first."""


class Person:
    """Carries out actions by keys, and counts them.

    Args:
        letters: jumps by link hints where that takes fewer keys.
    """

    def __init__(self, pilot: Pilot[None], *, letters: bool) -> None:
        self._pilot = pilot
        self._letters = letters
        screen = pilot.app.screen
        assert isinstance(screen, StepperScreen)
        self._screen = screen
        self.keys = 0

    @property
    def tree(self) -> AccessibilityTree:
        return self._screen.query_one(AccessibilityTree)

    async def do(self, action: Action) -> None:
        """One action of the reference, and the banner before it."""
        await self._rest()
        banner = None if isinstance(action, Stop) else self._banner()
        if banner is not None and not await self._at(banner):
            await self._send()
        match action:
            case Stop(answer=answer):
                await self._end(answer)
            case (
                Type(target=ElementRef() as target)
                | Select(target=target)
                | SetRange(target=target)
                | Check(target=target)
                | Click(target=ElementRef() as target)
            ):
                await until(self._pilot, lambda: find(self.tree.observation, target) is not None)
                if not await self._at(find(self.tree.observation, target)):
                    await self._send(value=typed_value(action))
                if isinstance(action, Type) and action.enter:
                    await self._press_enter()
            case _:
                await self._write(action)

    async def _press_enter(self) -> None:
        """Have the page know that the text is complete, unless the draft did so."""
        sent = self._screen.state.steps[-1].action
        if not (isinstance(sent, Type) and sent.enter):
            await self._press("p")
            await self._send()

    def _banner(self) -> AccessibilityNode | None:
        observation = self.tree.observation
        return next((one for one in observation.nodes if (one.role, one.name) == ("button", COOKIES)), None)

    async def _press(self, *keys: str) -> None:
        self.keys += len(keys)
        await self._pilot.press(*keys)

    async def _rest(self) -> None:
        screen = self._screen
        await until(self._pilot, lambda: screen.state.observation is not None and not screen.state.busy)
        self.tree.focus()
        await self._pilot.pause()

    async def _at(self, node: AccessibilityNode | None) -> bool:
        """Put the natural action for a node into the bar; says whether it was sent at once."""
        assert node is not None
        moves = await self._way_to(node)
        if self._letters:
            await self._pilot.press("F")
            label = self.tree.hints.get(node.id, "")
            if label and 1 + len(label) < len(moves) + 1:
                self.keys += 1
                before = len(self._screen.state.steps)
                await self._press(*label)
                if natural_verb(node) in NEED_NO_VALUE:
                    await self._sent(before)
                    return True
                return False
            await self._pilot.press("escape")
        before = len(self._screen.state.steps)
        if natural_verb(node) in NEED_NO_VALUE:
            await self._press(*moves, "E")
            await self._sent(before)
            return True
        await self._press(*moves, "enter")
        return False

    async def _way_to(self, node: AccessibilityNode) -> list[str]:
        """The shortest keys to its row; what hides it is unfolded first."""
        rows = self.tree._folding
        while rows.node(row := rows.row_of(node.id)).id != node.id:
            await self._press(*rows_reached(self.tree)[row], "l")
        return rows_reached(self.tree)[row]

    async def _send(self, value: str | None = None) -> None:
        before = len(self._screen.state.steps)
        bar = self._screen.query_one(ActionBar)
        await until(self._pilot, lambda: bool(bar.text))
        if value is not None:
            bar.input.replace(value, *sorted(bar.input.selection))
            await self._pilot.pause()
        await self._press("enter")
        await self._sent(before)

    async def _sent(self, before: int) -> None:
        await until(self._pilot, lambda: len(self._screen.state.steps) > before)
        await self._rest()

    async def _write(self, action: Action) -> None:
        """What has no element is written: the key to the bar, and Enter."""
        await self._press("b")
        self._screen.query_one(ActionBar).set_text(self._screen.dialect.format(action))
        await self._send()

    async def _end(self, answer: str) -> None:
        await self._press("ctrl+s")
        await until(self._pilot, lambda: isinstance(self._pilot.app.screen, ChoicePrompt))
        prompt = self._pilot.app.screen
        assert isinstance(prompt, ChoicePrompt)
        wanted = next(
            at for at, (value, _) in enumerate(prompt.choices) if value == ("answer" if answer else "stop")
        )
        await self._press(*([str(wanted + 1)] if wanted else ["enter"]))
        if answer:
            bar = self._screen.query_one(ActionBar)
            await until(self._pilot, lambda: bool(bar.text))
            bar.input.replace(answer, *sorted(bar.input.selection))
            await self._press("enter")
        await until(self._pilot, lambda: bool(self._screen.state.ended))


def typed_value(action: ActionBase) -> str | None:
    """What is written over the value of the draft."""
    match action:
        case Type(text=text):
            return text
        case Select(options=options):
            return options[0]
        case SetRange(value=value):
            return f"{value:g}"
        case _:
            return None


def rows_reached(tree: AccessibilityTree) -> dict[int, list[str]]:
    """The shortest keys from the cursor to each row, by what the tree's keys do."""
    last, half = tree.row_count - 1, max(1, tree.page_height // 2)
    by_rows = {"j": 1, "k": -1, "ctrl+d": half, "ctrl+u": -half}
    position, row_of = tree._folding.outline.position, tree._folding.row_of
    rounds = {
        "}": [one.id for one in tree.observation.nodes if one.role in LANDMARKS],
        ">": tree.changes,
    }
    ways: dict[int, list[str]] = {tree.cursor: []}
    waiting = deque([tree.cursor])
    while waiting:
        row = waiting.popleft()
        reached = {key: max(0, min(last, row + by)) for key, by in by_rows.items()}
        reached |= {"g": 0, "G": last, ")": tree.interactive_row(row, 1), "(": tree.interactive_row(row, -1)}
        here = tree._folding.rows.indices[row]
        for key, ids in rounds.items():
            below = [one for one in ids if position[one] > here] or list(ids)
            if below and tree._folding.rows.indices[row_of(below[0])] == position[below[0]]:
                reached[key] = row_of(below[0])
        for key, other in reached.items():
            if other not in ways:
                ways[other] = [*ways[row], key]
                waiting.append(other)
    return ways


async def keys_of(benchmark: str, name: str, size: tuple[int, int], *, letters: bool) -> tuple[int, str]:
    """How many keys a task takes, and its score in words."""
    found = find_benchmark(benchmark)
    task = next(one for one in found.tasks() if one.name == name.rpartition("/")[2])
    oracle = found.oracle(task)
    assert isinstance(oracle, Reference)
    with tempfile.TemporaryDirectory() as folder:
        app = WorkbenchApp(Opening(Path(folder), benchmark, task), Settings())
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: isinstance(app.screen, StepperScreen))
            person = Person(pilot, letters=letters)
            for action in oracle.actions:
                await person.do(action)
            if not isinstance(oracle.actions[-1], Stop):
                await person.do(Stop())
            score = person._screen.state.score
            return person.keys, score.headline() if score else "not scored"


def main() -> None:
    """Nothing is missed: the figures are what they are."""
    for size in SIZES:
        print(f"\n{size[0]}x{size[1]:<12}{'rows only':>12}{'with letters':>14}   score")
        totals = [0, 0]
        for benchmark, name in TASKS:
            counted = [asyncio.run(keys_of(benchmark, name, size, letters=one)) for one in (False, True)]
            for place, (keys, _) in enumerate(counted):
                totals[place] += keys
            print(f"{name:20}{counted[0][0]:>12}{counted[1][0]:>14}   {counted[1][1]}", flush=True)
        print(f"{'all':20}{totals[0]:>12}{totals[1]:>14}")


if __name__ == "__main__":
    main()
