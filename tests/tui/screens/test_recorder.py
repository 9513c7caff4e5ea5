"""The recorder over an episode in a store: marked by keys alone, tried, written, loaded again."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.recorded_page import TASK
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.benchmarks.webcanvas.upkeep.choices import Choice
from webbench.core.action.action import Click, ElementRef, Type
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step, now
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.forms.command_form import CommandFormScreen
from webbench.tui.screens.recorder import NodeChoices, RecordedSteps, RecorderScreen

SITE = "https://www.shop.example"
PAGE = '<input id="q" name="q"><button id="go">Find</button>'


async def recorded(folder: Path) -> EpisodeHeader:
    store = Store(folder)
    run = store.start_run("demo", "human", 1)
    header = EpisodeHeader(run=run, episode="", task=TASK, actor="human", dialect="webarena")
    recorder = store.recorder(run, header)
    steps = [
        Step(index=0, at=now(), url=f"{SITE}/"),
        Step(
            index=1,
            at=now(),
            text="type [1] [shoes]",
            action=Type(target=ElementRef(role="textbox", name="\x1b[31mWords", selector="#q"), text="shoes"),
            url=f"{SITE}/",
        ),
        Step(
            index=2,
            at=now(),
            text="click [2]",
            action=Click(target=ElementRef(role="button", name="Find", selector="#go")),
            url=f"{SITE}/find?q=shoes",
        ),
    ]
    for step in steps:
        await recorder.append(step, html=PAGE)
    recorder.close()
    store.close()
    return recorder.header


async def opened(pilot: Pilot[None], folder: Path, marks: dict[int, Choice]) -> RecorderScreen:
    header = await recorded(folder)
    await first_screen(pilot)
    screen = RecorderScreen(folder, header, marks)
    pilot.app.push_screen(screen)
    await until(pilot, lambda: screen.query_one(RecordedSteps).row_count > 0)
    return screen


async def verdicts(pilot: Pilot[None], screen: RecorderScreen) -> list[str]:
    """What stands at each step once everything was tried."""

    def found() -> list[str]:
        return [step.verdict for step in screen.query_one(RecordedSteps).steps]

    await until(pilot, lambda: "trying" not in found())
    return found()


async def type_over(pilot: Pilot[None], text: str) -> None:
    await until(pilot, lambda: bool(pilot.app.screen.query("Input")))
    await pilot.press("ctrl+u", *text, "enter")


@pytest.mark.parametrize("size", [pytest.param((160, 48), marks=pytest.mark.thorough), (80, 24)])
async def test_keys_alone_mark_try_and_write_a_task(tmp_path: Path, size: tuple[int, int]) -> None:
    app = WorkbenchApp(Opening(store=tmp_path, task=TASK), Settings(), link=SilentLink())
    marks = dict[int, Choice]()
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, tmp_path / "store", marks)
        await pilot.press("space", "down", "2")
        assert await verdicts(pilot, screen) == ["holds", "holds"]
        assert (marks[1].function, marks[2].key) == ("element_value_exactly_match", "q")
        await pilot.press("e")
        await type_over(pilot, "boots")
        assert await verdicts(pilot, screen) == ["holds", "missed"]
        await pilot.press("2", "e")
        await type_over(pilot, "shoes")
        await pilot.press("1", "w")
        await until(pilot, lambda: isinstance(app.screen, CommandFormScreen))
        assert isinstance(app.screen, CommandFormScreen)
        words = app.screen.words()
        assert words[1] == screen._header.episode
        assert words[words.index("--shape") + 1] == "webcanvas"
        assert [word for word in words if word[:2] in ("1.", "2.")] == ["1.1", "2.1"]
        await pilot.press("escape")
        assert app.screen is not screen
    assert set(marks) == {1, 2}


async def test_marks_come_back_and_can_be_taken_away(tmp_path: Path) -> None:
    app = WorkbenchApp(Opening(store=tmp_path, task=TASK), Settings(), link=SilentLink())
    marks = {1: Choice(function="url_included_match", reference="nowhere", url=SITE)}
    async with app.run_test(size=(120, 30)) as pilot:
        screen = await opened(pilot, tmp_path / "store", marks)
        assert await verdicts(pilot, screen) == ["missed", ""]
        await pilot.press("9")
        assert any("no choice 9" in note.message for note in app._notifications)
        await pilot.press("space")
        assert await verdicts(pilot, screen) == ["", ""]
        assert marks == {}
        await pilot.press("w")
        assert any("needs a key node" in note.message for note in app._notifications)
        shown = "\n".join(str(screen.query_one(RecordedSteps).render_line(y).text) for y in range(3))
        assert "\x1b" not in shown
        assert screen.query_one(NodeChoices).row_count > 0
