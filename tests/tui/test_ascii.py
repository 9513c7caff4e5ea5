"""Screens for a terminal that shows nothing but ASCII: whatever isn't a page's own letters is drawn in it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot

from tests.core.runner.played_run import PlayedRun
from tests.tui.recorded_page import TASK, episode
from tests.tui.screens.analysis.test_analysis import until_read
from tests.tui.screens.compare.test_compare import ADD, CART, aligned, record
from tests.tui.screens.runs.test_runs import showing
from tests.tui.screens.stepper.test_copilot import proposed
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.test_snapshots import library_events
from tests.tui.waiting import at_rest
from tests.tui.widgets.host import lines
from webbench.core.engine.wire import messages
from webbench.core.people.labelling.worksheet import LabellingOrder
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.tui.app import WorkbenchApp
from webbench.tui.ascii_signs import in_ascii
from webbench.tui.opening import Opening
from webbench.tui.screens.analysis.analysis import AnalysisScreen
from webbench.tui.screens.compare.compare import CompareScreen
from webbench.tui.screens.labelling.labelling import LabellingScreen
from webbench.tui.screens.runs.progress_board import RunBoard
from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen
from webbench.tui.widgets.lines.ascii_lines import AsciiLines
from webbench.tui.widgets.lines.glyphs import UNICODE


class Looked:
    """What was found on screens that is not ASCII."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self._pilot = pilot
        self.found: dict[str, str] = {}
        self.screens: set[str] = set()

    async def after(self, *keys: str) -> None:
        await self._pilot.press(*keys)
        await at_rest(self._pilot)
        screen = type(self._pilot.app.screen).__name__
        self.screens.add(screen)
        shown = "".join(lines(self._pilot.app))
        assert shown.strip()
        if strange := sorted({sign for sign in shown if sign > "~"}):
            self.found[f"{screen} after {' '.join(keys)}"] = " ".join(
                f"{sign} U+{ord(sign):04X}" for sign in strange
            )


def program(store: Path, *, stepping: bool) -> tuple[WorkbenchApp, SilentLink]:
    link = SilentLink()
    opening = Opening(store=store, task=TASK if stepping else None, benchmark="demo")
    return WorkbenchApp(opening, Settings(ascii=True, annotator="ann"), link=link), link


def test_signs_keep_their_width_and_letters_stay() -> None:
    signs = "".join(chr(code) for code in range(0x2500, 0x25A0))
    drawn = in_ascii(signs)
    assert drawn.isascii()
    assert len(drawn) == len(signs)
    for glyph in (getattr(UNICODE, field.name) for field in fields(UNICODE)):
        assert cell_len(in_ascii(glyph)) == cell_len(glyph)
    assert in_ascii("é – Ж…") == "é - Ж~"


def test_a_picture_is_drawn_as_fields_of_colour() -> None:
    half_blocks = Segment("▀▀", Style.parse("#000000 on #fefefe"))
    (drawn,) = AsciiLines().apply([half_blocks], Color(0, 0, 0))
    assert drawn.text == "  "
    assert drawn.style is not None
    assert str(drawn.style) == "on #7f7f7f"


@pytest.mark.thorough
async def test_the_stepper_its_panels_and_its_prompts(tmp_path: Path) -> None:
    app, link = program(tmp_path, stepping=True)
    async with app.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        for event in episode():
            link.happen(event)
        await at_rest(pilot)
        looked = Looked(pilot)
        await looked.after("f")
        await pilot.press("escape")
        await looked.after("1")
        await looked.after("2")
        for keys in ("4", "6", "question_mark", "ctrl+p", "A", "f9", "I"):
            await looked.after(keys)
            await pilot.press("escape")
        link.happen(messages.AgentChanged(name="oracle", running=False, approval="changes"))
        link.happen(proposed())
        link.happen(messages.Trouble(message="the page is gone", hint="go back"))
        await pilot.pause()
        for keys in ("x", "V", "q"):
            await looked.after(keys)
            await pilot.press("escape")
        await pilot.resize_terminal(80, 24)
        await looked.after("b", "c")
    assert not looked.found
    assert looked.screens >= {"StepperScreen", "HelpScreen", "CommandPalette", "PickPrompt", "ChoicePrompt"}
    assert looked.screens >= {"TextPrompt", "ReadingScreen"}


@pytest.mark.thorough
async def test_the_library_and_what_is_recorded(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, two = (record(store, actor, ADD, CART) for actor in ("one", "two"))
    played = PlayedRun(store, planned=3)
    played.begin(0)
    played.end(0, None, "no answer")
    app, link = program(tmp_path, stepping=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await first_screen(pilot)
        for event in library_events():
            link.happen(event)
        looked = Looked(pilot)
        await looked.after("down")
        await pilot.press("r")
        runs = await showing(pilot, "Episodes of")
        while not runs.query_one(RunBoard).display:
            await pilot.press("down")
            await at_rest(pilot)
        for keys in ("tab", "question_mark"):
            await looked.after(keys)
        await pilot.press("escape")
        app.push_screen(CompareScreen(store, [one, two]))
        await aligned(pilot)
        for keys in ("down", "tab", "question_mark"):
            await looked.after(keys)
        await pilot.press("escape", "q")
        app.push_screen(AnalysisScreen(store, [one.parent.name, two.parent.name]))
        await until_read(pilot)
        for _ in range(9):
            await looked.after("right_square_bracket")
        app.push_screen(TrajectoryScreen(app.opening, one))
        await at_rest(pilot)
        for keys in ("right", "1", "2", "3", "4", "5", "6", "7", "8"):
            await looked.after(keys)
        order = LabellingOrder(places=((one.parent.name, one.name),))
        app.push_screen(LabellingScreen(tmp_path, order))
        await at_rest(pilot)
        await looked.after("down")
    played.leave()
    assert not looked.found
    assert looked.screens >= {"LibraryScreen", "RunsScreen", "HelpScreen", "CompareScreen"}
    assert looked.screens >= {"AnalysisScreen", "TrajectoryScreen", "LabellingScreen"}
