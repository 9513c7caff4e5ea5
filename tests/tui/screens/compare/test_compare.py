"""The Compare screen over recorded attempts: rows, differences, one actor's extra steps, pages in step."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot

from tests.tui.recorded_page import PAGE, SCORE, TASK
from tests.tui.screens.labelling.test_confirming import decisive
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest, until
from tests.tui.widgets.picture.test_screenshot import picture
from webbench.core.action.action import Action, Click, ElementRef, Noop, Stop, Type
from webbench.core.analysis.rubrics.kept_verdicts import keep
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import Done, Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.observation import Box, Screenshot
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.compare.actor_pane import ActorPane
from webbench.tui.screens.compare.aligned_rows import CompareRows
from webbench.tui.screens.compare.compare import CompareScreen
from webbench.tui.screens.compare.targets_pane import TargetsPicture
from webbench.tui.screens.dialogs.attempts_to_compare import AttemptPicker, AttemptTable, compare_with_others
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.library.library import LibraryScreen
from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.widgets.tree.read_tree import ReadTree

ADD = Click(target=ElementRef(id=11, role="button", name="Add to cart"))
GUIDE = Click(target=ElementRef(id=13, role="link", name="\x1b[2JSize guide [/]"))
SIZE = Type(target=ElementRef(role="textbox", name="Size"), text="large")
CART = Click(target=ElementRef(id=5, role="link", name="Cart 0"))


def record(store: Store, actor: str, *actions: Action, fails: int | None = None) -> Path:
    """An attempt whose page never changes but for its address; its folder."""
    run = store.start_run("demo", actor, 1)
    header = EpisodeHeader(run="", episode="", task=TASK, actor=actor, dialect="webarena")
    recorder = store.recorder(run, header)
    recorder.write(Step(index=0, at="", url=PAGE.url, title="Mug"), observation=PAGE)
    for index, action in enumerate(actions, 1):
        error = "it is covered" if index == fails else ""
        url = {ADD: PAGE.url, GUIDE: PAGE.url, SIZE: f"{PAGE.url}?size=large"}.get(action, f"{PAGE.url}/cart")
        step = Step(
            index=index, at="", actor="agent", action=action, ok=not error, error=error, url=url, title="Mug"
        )
        recorder.write(step, observation=PAGE)
    recorder.finish(SCORE, "it stopped")
    return store.root / run / recorder.header.episode


def predicted(store: Store, actor: str, action: Action) -> Path:
    """An episode of WebLINX with one prediction, in the place of a click on "Add to cart"; its folder."""
    box = {"left": 660, "top": 360, "right": 900, "bottom": 416}
    gold = {"references": [{"intent": "click", "args": {}, "element": {"bbox": box}}]}
    run = store.start_run("weblinx", actor, 1)
    task = Task(benchmark="weblinx", name="mugtrip", intent="Shop.")
    header = EpisodeHeader(run="", episode="", task=task, actor=actor, dialect="weblinx")
    recorder = store.recorder(run, header)
    shot = Screenshot(picture(PAGE), "png", 1280, 720)
    recorder.write(Step(index=0, at="", url=PAGE.url), observation=PAGE, screenshot=shot)
    told = {"turns": [{"turn": 3, "gold": gold, "output": "click()"}]}
    output = 'turn 3 was: click(uid="add")'
    step = Step(index=1, at="", actor="agent", action=action, output=output, url=PAGE.url, evidence=told)
    recorder.write(step, observation=PAGE)
    recorder.finish(SCORE, "it stopped")
    return store.root / run / recorder.header.episode


async def opened(pilot: Pilot[None], screen: CompareScreen) -> CompareRows:
    await first_screen(pilot)
    await pilot.app.push_screen(screen)
    return await aligned(pilot)


async def aligned(pilot: Pilot[None]) -> CompareRows:
    def rows() -> CompareRows:
        return pilot.app.screen.query_one(CompareRows)

    await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and rows().row_count > 0)
    return rows()


def app_over(folder: Path) -> WorkbenchApp:
    return WorkbenchApp(Opening(store=folder, benchmark="demo"), Settings(), link=SilentLink())


def texts(rows: CompareRows) -> list[str]:
    return [rows.render_line(at).text for at in range(rows.row_count + 1)]


async def test_attempts_stand_side_by_side_and_keys_go_from_difference_to_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    folders = [
        record(store, "robot", ADD, GUIDE, GUIDE, CART, Noop(), ADD, Stop(answer="done"), fails=3),
        record(store, "human", ADD, SIZE, CART, ADD, Stop(answer="no")),
    ]
    robot, human = folders
    keep(store, [decisive(robot.parent.name, robot.name, step=3)])
    place = {"run": human.parent.name, "episode": human.name, "taxonomy": "merged", "annotator": "ann"}
    code = load_codebook().merged.questions[1].codes[0]
    ledger_of(store).add(
        [
            msgspec.convert(
                {**place, "kind": "label", "step": 2, "version": 1, "question": "cause", "code": code.name},
                Label,
            ),
            msgspec.convert({**place, "kind": "done"}, Done),
        ]
    )
    async with app_over(tmp_path).run_test(size=(160, 48)) as pilot:
        screen = CompareScreen(store, folders)
        rows = await opened(pilot, screen)
        head, first, second, third, fourth, fifth, sixth, last = texts(rows)
        assert head.index("human") < head.index("robot")
        assert "=" in first
        assert first.count('click button "Add to cart"') == 2
        assert "they part" in second
        assert 'type "large"' in second
        assert "detour" in fifth
        assert "they part" not in fifth
        assert "=" in sixth
        assert "\x1b" not in second
        assert "✘ invalid" in third
        assert "↻ loop" in third
        assert "same again" in fourth
        assert fourth.count('click link "Cart 0"') == 2
        assert "≠" in last
        assert rows.row == 1
        told = "\n".join(entry.text for entry in screen.query_one("#why", TextRows).entries)
        assert screen.query_one("#why").display
        assert "robot makes a detour of 1 step from row 5." in told
        assert "robot: Did step 3 decide it? m at host says so, all at once: In vain" in told
        assert f"human, step 2: cause {code.title}, by ann" in told
        assert f"{code.title}: {code.definition}" in told
        assert code.title in second
        await pilot.press("2")

        await pilot.press("n")
        assert rows.row == 6
        await pilot.press("n", "N", "right")
        assert rows.row == 2
        await pilot.press("x", "x")
        assert (rows.row_count, rows.actor) == (2, 1)
        await at_rest(pilot)
        panes = list(screen.query(ActorPane))
        nodes = [pane.query_one(ReadTree).node for pane in panes]
        assert nodes[1] is not None
        assert nodes[1].id == 13
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.setenv("SSH_CONNECTION", "there")
        for step in (3, 2):
            await pilot.press("b", "ctrl+o")
            await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
            assert isinstance(pilot.app.screen, ChoicePrompt)
            assert pilot.app.screen.question.startswith(f"Open step {step} "), "whose page is shown"
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.screen is screen and bool(pilot.app.clipboard))
        assert pilot.app.clipboard.endswith("report.html")
        assert Path(pilot.app.clipboard).is_file()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TrajectoryScreen))
    store.close()


async def test_targets_of_all_stand_on_one_picture_with_the_reference(tmp_path: Path) -> None:
    store = Store(tmp_path)
    played = [predicted(store, "oracle", ADD), predicted(store, "robot", CART)]
    app = app_over(tmp_path)
    async with app.run_test(size=(140, 44)) as pilot:
        rows = await opened(pilot, CompareScreen(store, played))
        await pilot.press("6")
        legend = app.screen.query_one("#targets-legend", TextRows)
        shown_page = app.screen.query_one(TargetsPicture)
        assert rows.comparison is not None
        row = next(at for at, one in enumerate(rows.comparison.alignment.rows) if None not in one.places)
        rows.go_to(row)
        await until(pilot, lambda: len(shown_page.targets) == 3)
        assert [one.name for one in shown_page.targets] == ["reference", "oracle", "robot"]
        assert [one.box for one in shown_page.targets] == [
            Box(660, 360, 240, 56),
            Box(660, 360, 240, 56),
            Box(1160, 20, 80, 40),
        ]
        await until(pilot, lambda: shown_page._drawing is not None)
        shown = "\n".join(legend.render_line(at).text for at in range(12))
        assert "A  reference" in shown
        assert "C  robot" in shown
        signs = "\n".join(shown_page.render_line(at).text for at in range(shown_page.size.height))
        assert all(f" {sign} " in signs for sign in "ABC")


async def test_on_a_narrow_terminal_panes_are_tabs_and_others_are_chosen(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder, *_ = (record(store, actor, ADD, Stop(answer=actor)) for actor in ("a", "b", "c"))
    app = app_over(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await first_screen(pilot)
        library = app.screen_stack[-1]
        assert isinstance(library, LibraryScreen)
        app.run_worker(compare_with_others(library, store, folder))
        await until(pilot, lambda: isinstance(app.screen, AttemptPicker))
        await until(pilot, lambda: bool(app.screen.query_one(AttemptTable).records))
        table = app.screen.query_one(AttemptTable)
        assert {one.actor for one in table.records} == {"b", "c"}
        await at_rest(pilot)
        assert "0.333" in table.render_line(2).text
        await pilot.press("space", "enter")
        rows = await aligned(pilot)
        assert rows.comparison is not None
        assert len(rows.comparison.attempts) == 2
        assert rows.display
        assert not app.screen.query_one("#panes").display
        await pilot.press("3")
        assert not rows.display
        assert app.screen.query_one("#panes").display
        await pilot.press("escape")
        assert rows.display
    store.close()
