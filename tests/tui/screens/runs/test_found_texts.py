"""The screen of found texts: asked for on Runs, hits by episode and step, opened at the step."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.screens.runs.test_runs import program, showing
from tests.tui.screens.trajectory.test_trajectory import record
from tests.tui.silent_engine import first_screen
from tests.tui.waiting import at_rest, until
from tests.tui.widgets.host import text
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.runs.found_texts import FoundTextsScreen
from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen
from webbench.tui.widgets.lists.hit_list import HitList


async def asked(pilot: Pilot[None], text: str) -> None:
    """Fill in the question that is in front."""
    await until(pilot, lambda: isinstance(pilot.app.screen, TextPrompt))
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")


async def listed(pilot: Pilot[None], text: str) -> HitList:
    """Wait until the hits of a text are shown."""

    def shown() -> bool:
        found = pilot.app.screen.query(HitList)
        return bool(found) and found.first().found is not None and text in str(found.first().border_title)

    await until(pilot, lambda: isinstance(pilot.app.screen, FoundTextsScreen) and shown())
    await at_rest(pilot)
    return pilot.app.screen.query_one(HitList)


async def test_a_text_is_asked_for_found_and_opened_at_its_step(tmp_path: Path) -> None:
    folder = record(tmp_path / "store")
    app = program(tmp_path / "store")
    async with app.run_test(size=(120, 30)) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        await showing(pilot, "Episodes")
        await pilot.press("F")
        await asked(pilot, '"add to cart"')
        hits = await listed(pilot, "add to cart")
        told = text(app)
        assert "step 1 action" in told
        assert "step 0-1 page" in told
        assert isinstance(app.screen, FoundTextsScreen)
        assert app.screen.at_hand["episode"] == f"{folder.parent.name}/{folder.name}"
        rows = [number for number in range(hits.row_count) if "action" in hits.row_text(number)]
        hits.cursor = rows[0]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TrajectoryScreen) and app.screen.step is not None)
        screen = app.screen
        assert isinstance(screen, TrajectoryScreen)
        assert screen.step is not None
        assert (screen.step.index, screen.scrubbing.before) == (1, True)
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, FoundTextsScreen))
        hits.cursor = next(number for number in range(hits.row_count) if "page" in hits.row_text(number))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TrajectoryScreen) and app.screen.step is not None)
        assert isinstance(app.screen, TrajectoryScreen)
        assert not app.screen.scrubbing.before  # a page is shown where it is: after its step


async def test_a_filter_that_lets_nothing_through_and_one_that_is_none(tmp_path: Path) -> None:
    record(tmp_path / "store")
    app = program(tmp_path / "store")
    app.opening = Opening(store=tmp_path / "store", find=("cart", "", ()))
    async with app.run_test(size=(80, 24)) as pilot:
        await listed(pilot, "cart")
        await pilot.press("f")
        await asked(pilot, "actor:nobody")
        hits = await listed(pilot, "actor:nobody")
        await until(pilot, lambda: hits.row_count == 0)
        assert "is in no episode" in text(app)
        await pilot.press("f")
        await asked(pilot, "status:lost")
        await until(pilot, lambda: any("no status" in note.message for note in app._notifications))
        await pilot.press("i")
        await asked(pilot, "lable")
        await until(pilot, lambda: any("no texts called" in note.message for note in app._notifications))
