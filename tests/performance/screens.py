"""What screens leave in memory when they are closed: 500 are opened and closed over one application.

Each kind in turn over a recorded store, as a person goes through them. What is counted is what a full
collection leaves: objects, strips (the painted rows of a screen) and resident memory. Run with
`python -m tests.performance.screens`.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from tests.performance.sampling import resident_mib
from tests.tui.recorded_page import TASK, episode
from tests.tui.screens.compare.test_compare import ADD, GUIDE, record
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.core.people.labelling.worksheet import LabellingOrder
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.analysis.analysis import AnalysisScreen
from webbench.tui.screens.compare.aligned_rows import CompareRows
from webbench.tui.screens.compare.compare import CompareScreen
from webbench.tui.screens.dialogs.help import HelpScreen
from webbench.tui.screens.dialogs.key_groups import help_groups
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.labelling.labelling import LabellingScreen
from webbench.tui.screens.runs.runs import RunsScreen
from webbench.tui.screens.stepper.stepper import StepperScreen
from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen
from webbench.tui.widgets.lists.run_tables import EpisodeTable
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree
from webbench.tui.widgets.tree.recorded_tree import RecordedTree

SCREENS = 500
WARM_UP = 3
"""Rounds over all kinds before the first count: what is loaded or cached once is no leak."""
STRIPS_LIMIT = 0.5
OBJECTS_LIMIT = 20.0
"""More strips and objects that a screen may leave on average. Caches with a bound fill a little longer."""
MEMORY_LIMIT = 15.0
"""MiB that 500 screens may leave; an allocator gives little back."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a full collection leaves."""

    objects: int
    strips: int
    widgets: int
    screens: int
    memory: float

    def __str__(self) -> str:
        return (
            f"{self.memory:6.1f} MiB resident, {self.objects:9,} objects, {self.strips:7,} strips, "
            f"{self.widgets:5,} widgets, {self.screens:3} screens"
        )


def kept() -> Kept:
    gc.collect()
    gc.collect()
    objects = gc.get_objects()
    return Kept(
        objects=len(objects),
        strips=sum(isinstance(one, Strip) for one in objects),
        widgets=sum(isinstance(one, Widget) for one in objects),
        screens=sum(isinstance(one, Screen) for one in objects),
        memory=resident_mib(),
    )


class Rounds:
    """Opens and closes each kind of screen over one application.

    Args:
        attempts: folders of recorded episodes of one store.
    """

    def __init__(self, pilot: Pilot[None], opening: Opening, attempts: list[Path]) -> None:
        self.pilot = pilot
        self.opening = opening
        store = Store(opening.store)
        runs = sorted({folder.parent.name for folder in attempts})
        places = tuple((folder.parent.name, folder.name) for folder in attempts)
        library = pilot.app.screen
        self.kinds: dict[str, Callable[[], Screen[Any]]] = {
            "palette": lambda: CommandPalette(placeholder="Find an action by name…"),
            "stepper": lambda: StepperScreen(TASK, opening),
            "trajectory": lambda: TrajectoryScreen(opening, attempts[0]),
            "compare": lambda: CompareScreen(store, attempts),
            "runs": lambda: RunsScreen(opening),
            "labelling": lambda: LabellingScreen(
                opening.store, LabellingOrder(places=places, annotator="ann")
            ),
            "analysis": lambda: AnalysisScreen(store, runs),
            "help": lambda: HelpScreen(help_groups(library), None),
            "choice": lambda: ChoicePrompt("Which?", [("a", "This one"), ("b", "That one")]),
            "text": lambda: TextPrompt("What is it called?", value="a mug"),
        }

    async def visit(self, kind: str) -> Screen[object]:
        """Open a screen of the kind, wait until it shows what it is for, close it; gives the closed one."""
        app, screen = self.pilot.app, self.kinds[kind]()
        await app.push_screen(screen)
        if isinstance(screen, StepperScreen):
            assert isinstance(app, WorkbenchApp)
            assert isinstance(app.link, SilentLink)
            for event in episode():
                app.link.happen(event)
        if isinstance(screen, CommandPalette):
            screen.query_one(Input).value = "s"
        await until(self.pilot, lambda: shows(screen))
        app.pop_screen()
        await until(self.pilot, lambda: not screen.is_attached and not screen.is_running)
        return screen


def shows(screen: Screen[object]) -> bool:
    """Whether the screen has read what it is there to show."""
    match screen:
        case CommandPalette():
            return bool(screen.query_one(CommandList).option_count)
        case StepperScreen():
            return bool(screen.query_one(AccessibilityTree).observation.nodes)
        case TrajectoryScreen():
            return bool(screen.query_one(RecordedTree).observation.nodes)
        case CompareScreen():
            return bool(screen.query_one(CompareRows).row_count)
        case RunsScreen():
            return bool(screen.query_one(EpisodeTable).records)
        case LabellingScreen():
            return screen.sheet is not None
        case AnalysisScreen():
            return screen.analysis is not None
    return bool(screen.focused)


@contextmanager
def store_of_attempts() -> Iterator[list[Path]]:
    """Folders of three attempts at a task."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        yield [
            record(store, "human", ADD),
            record(store, "oracle", GUIDE, ADD),
            record(store, "robot", GUIDE, GUIDE, ADD, fails=2),
        ]
        store.close()


async def measure(count: int, kinds: tuple[str, ...] = ()) -> list[str]:
    """Print what is left after each fifth of `count` screens; returns the figures that were missed."""
    with store_of_attempts() as attempts:
        opening = Opening(store=attempts[0].parent.parent, benchmark="demo")
        app = WorkbenchApp(opening, Settings(), link=SilentLink())
        async with app.run_test(size=(160, 48)) as pilot:
            await first_screen(pilot)
            rounds = Rounds(pilot, replace(opening), attempts)
            names = kinds or tuple(rounds.kinds)
            for _ in range(WARM_UP):
                for kind in names:
                    await rounds.visit(kind)
            before = now = kept()
            print(f"{'at first':>12}: {before}", flush=True)
            opened, started = 0, time.monotonic()
            while opened < count:
                await rounds.visit(names[opened % len(names)])
                opened += 1
                if opened % max(1, count // 5) == 0:
                    now = kept()
                    print(f"{opened:4} screens: {now}", flush=True)
            seconds = time.monotonic() - started
    print(f"{opened} screens in {seconds:.0f} s")
    return [
        f"{what}: {figure:.1f} more for each screen, wanted is at most {limit:g}"
        for what, figure, limit in (
            ("strips", (now.strips - before.strips) / opened, STRIPS_LIMIT),
            ("objects", (now.objects - before.objects) / opened, OBJECTS_LIMIT),
            ("screens", (now.screens - before.screens) / opened, 0.01),
        )
        if figure > limit
    ] + (
        [f"memory: {now.memory - before.memory:.1f} MiB more, wanted is at most {MEMORY_LIMIT:g}"]
        if now.memory - before.memory > MEMORY_LIMIT
        else []
    )


def main() -> list[str]:
    """Print the figures; returns those that were missed."""
    return asyncio.run(measure(SCREENS))


if __name__ == "__main__":
    main()
