"""The Analysis screen: by keyboard alone from marked runs to a figure, and to the episodes behind a row."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from tests.core.analysis.recorded_runs import Recording
from tests.shared import need_matplotlib
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest, until
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.analysis.analysis import AnalysisScreen
from webbench.tui.screens.analysis.episodes import EpisodesBehind
from webbench.tui.screens.analysis.figure_rows import FigureRows
from webbench.tui.screens.analysis.section_list import FigureIndex
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.widgets.lists.run_tables import EpisodeTable, RunTable


async def until_read(pilot: Pilot[None]) -> AnalysisScreen:
    def read() -> AnalysisScreen | None:
        screen = pilot.app.screen
        return screen if isinstance(screen, AnalysisScreen) and screen.analysis is not None else None

    await until(pilot, lambda: read() is not None)
    screen = read()
    assert screen is not None
    return screen


async def test_from_marked_runs_to_the_episodes_behind_a_figure(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first, second = Recording(store, "one"), Recording(store, "two")
    ours, theirs = first.add("a1", 1.0), second.add("a1", 0.0)
    app = WorkbenchApp(Opening(store=tmp_path, benchmark="demo"), Settings(), link=SilentLink())

    async with app.run_test(size=(80, 24)) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        await until(pilot, lambda: bool(app.screen.query_one(RunTable).records))
        await pilot.press("space", "space", "s")
        screen = await until_read(pilot)
        index, rows = screen.query_one(FigureIndex), screen.query_one(FigureRows)
        assert [section.name for section in index.sections][:2] == ["overview", "tasks"]
        newest = [actor.agent for actor in screen.analysis.actors] if screen.analysis else []

        while rows.section is None or rows.section.name != "tasks":
            await pilot.press("right_square_bracket")
        await pilot.press("right_square_bracket", "enter")
        if newest == ["two", "one"]:
            await pilot.press("right_square_bracket")
        await until(pilot, lambda: set(rows.episodes) == {ours, theirs})

        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, EpisodesBehind))
        await at_rest(pilot)
        shown = app.screen.query_one(EpisodeTable).records
        assert {f"{one.run}/{one.episode}" for one in shown} == {ours, theirs}
        await pilot.press("q", "w")
        await until(pilot, lambda: bool(app.screen.query(Input)))
        app.screen.query_one(Input).value = str(tmp_path / "page.html")
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "page.html").exists())
        await at_rest(pilot)
        assert "Who solves what" in (tmp_path / "page.html").read_text("utf-8")
        await pilot.press("q", "q")
        await until(pilot, lambda: not isinstance(app.screen, AnalysisScreen))
    store.close()


async def test_the_appendix_is_written_and_its_place_told(tmp_path: Path) -> None:
    need_matplotlib()
    store = Store(tmp_path / "store")
    run = Recording(store, "one")
    run.add("a1", 1.0)
    app = WorkbenchApp(Opening(store=store.root, benchmark="demo"), Settings(), link=SilentLink())
    folder = tmp_path / "appendix"

    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        await until(pilot, lambda: bool(app.screen.query_one(RunTable).records))
        await pilot.press("space", "s")
        await until_read(pilot)
        await pilot.press("W")
        await until(pilot, lambda: bool(app.screen.query(Input)))
        app.screen.query_one(Input).value = str(folder)
        await pilot.press("enter")
        await until(pilot, lambda: any("is written" in one.message for one in app._notifications))
        assert (folder / "index.md").is_file()
        assert (folder / "figures" / "forest.pdf").is_file()
    store.close()


async def test_an_appendix_of_several_runs_asks_whose_way_is_the_reference(tmp_path: Path) -> None:
    """And writes nothing where that is left open."""
    store = Store(tmp_path / "store")
    runs = [Recording(store, agent) for agent in ("one", "two")]
    for run in runs:
        run.add("a1", 1.0)
    app = WorkbenchApp(Opening(store=store.root), Settings(), link=SilentLink())
    async with app.run_test(size=(80, 24)) as pilot:
        await first_screen(pilot)
        await app.push_screen(AnalysisScreen(store, [run.run for run in runs]))
        await until_read(pilot)
        await pilot.press("W")
        await until(pilot, lambda: bool(app.screen.query(Input)))
        app.screen.query_one(Input).value = str(tmp_path / "appendix")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoicePrompt))
        assert isinstance(app.screen, ChoicePrompt)
        assert [value for value, _ in app.screen.choices] == ["", *(run.run for run in runs)]
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, AnalysisScreen))
    assert not (tmp_path / "appendix").exists()
    store.close()
