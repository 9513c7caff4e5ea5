"""The board of a run that is being played: it follows by itself, groups errors, lets one look on."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.core.runner.played_run import PlayedRun
from tests.tui.screens.runs.test_runs import program, showing
from tests.tui.silent_engine import first_screen
from tests.tui.waiting import until
from webbench.core.store.store import Store
from webbench.tui.screens.runs import live_runs as runs_live
from webbench.tui.screens.runs.progress_board import CauseTable, RunBoard
from webbench.tui.screens.stepper.attached import AttachedScreen
from webbench.tui.widgets.lists.run_tables import EpisodeTable, RunTable, run_state


async def shown(pilot: Pilot[None], running: int, done: int) -> None:
    """Wait until the board has followed."""

    def followed() -> bool:
        status = pilot.app.screen.query_one(RunBoard).status
        return status is not None and (len(status.running), status.done) == (running, done)

    await until(pilot, followed)
    await pilot.pause()


async def test_the_board_follows_and_leaves_the_cursor_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_live, "EVERY", 0.1)
    played = PlayedRun(Store(tmp_path / "store"), planned=4)
    for order in range(3):
        played.begin(order, worker="node-b" if order == 2 else "")
    app = program(tmp_path / "store")
    async with app.run_test(size=(120, 40)) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        screen = await showing(pilot, played.run)
        await shown(pilot, running=3, done=0)
        episodes, causes = screen.query_one(EpisodeTable), screen.query_one(CauseTable)
        assert not causes.display
        await pilot.press("enter", "down")
        assert episodes.record is not None
        assert (episodes.record.order, episodes.record.state) == (1, "running")
        played.step(1, 1)
        played.end(0, 1.0)
        played.end(2, None, "no answer within 120 s")
        await shown(pilot, running=1, done=2)
        assert [one.order for one in episodes.records] == [1, 0, 2], "what goes on stands first"
        assert (episodes.record.order, episodes.has_focus) == (1, True)
        assert screen.query_one(RunTable).records[0].scored == 1
        await pilot.press("shift+tab", "enter")
        assert [one.order for one in episodes.records] == [2]
        assert "no answer within" in str(episodes.border_title)
        await pilot.press("escape")
        assert (causes.has_focus, len(episodes.records)) == (True, 3)
        await pilot.press("tab", "g", "enter")
        await until(pilot, lambda: isinstance(app.screen, AttachedScreen))
        await pilot.press("q")
        assert app.screen is screen
        played.end(1, 0.5)
        played.leave()
        board = screen.query_one(RunBoard)
        await until(pilot, lambda: board.status is not None and board.status.state == "finished")
        status = board.status
        assert status is not None
        assert (status.state, status.scored, status.waiting) == ("finished", 2, 1)


async def test_the_line_of_a_run_says_the_same_as_its_board(tmp_path: Path) -> None:
    dead, left = (PlayedRun(Store(tmp_path / "store"), planned) for planned in (4, 2))
    for played in (dead, left):
        played.begin(0)
        played.end(0, 1.0)
    dead.begin(1)
    dead.die()
    left.leave("interrupted")
    app = program(tmp_path / "store")
    async with app.run_test(size=(120, 40)) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        screen = await showing(pilot, "Episodes of")
        table = screen.query_one(RunTable)
        for key, run in zip(("", "down"), [one.run for one in table.records], strict=True):
            await pilot.press(*filter(None, [key]))
            await showing(pilot, run)
            status = screen.query_one(RunBoard).status
            assert status is not None
            assert table.record is not None
            told = run_state(table.record, table.statuses.get(run))
            assert told == {dead.run: "died, 1 of 4", left.run: "interrupted, 1 of 2"}[run]
            assert told == f"{status.state}, {status.done} of {status.planned}"
