"""The Runs screen ends runs and goes on with them: it asks first, and names the command for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.core.runner.played_run import PlayedRun
from tests.tui.cli.program import call
from tests.tui.screens.runs.test_runs import program, showing
from tests.tui.silent_engine import first_screen
from tests.tui.waiting import at_rest, until
from tests.tui.widgets.host import dangerous, text
from webbench.core.runner.lease import Lease, process_start, read_beat
from webbench.core.runner.run_log import RunLog, RunnerNote
from webbench.core.runner.status.run_status import run_status
from webbench.core.store.store import Store
from webbench.core.trajectory import now
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.runs.progress_board import RunBoard
from webbench.tui.screens.runs.runs import RunsScreen
from webbench.tui.widgets.lines.key_footer import KeyFooter


async def among_runs(pilot: Pilot[None], run: str) -> RunsScreen:
    """The list of runs, once this one is in it."""
    await first_screen(pilot)
    await pilot.press("r")
    return await showing(pilot, run)


async def asked(pilot: Pilot[None], key: str) -> str:
    """What is asked after a key, with the answers."""
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
    await at_rest(pilot)
    prompt = pilot.app.screen
    assert isinstance(prompt, ChoicePrompt)
    texts = [str(one.content) for one in prompt.query(Static)]
    return "\n".join([*texts, *(label for _, label in prompt.choices)])


def notices(pilot: Pilot[None]) -> str:
    return "\n".join(one.message for one in pilot.app._notifications)


def footer(pilot: Pilot[None]) -> list[str]:
    return [title for _, title, _ in pilot.app.screen.query_one(KeyFooter).hints(200)]


async def test_a_run_at_work_can_be_ended_and_one_that_is_done_says_why_not(tmp_path: Path) -> None:
    played = PlayedRun(Store(tmp_path / "store"), planned=2)
    played.begin(0)
    app = program(tmp_path / "store")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await among_runs(pilot, played.run)
        assert "Stop…" in footer(pilot)
        assert "Go on…" not in footer(pilot)
        told = await asked(pilot, "X")
        assert f"End {played.run}? 1 episode would end without a score." in told
        assert f"The same as: webbench-tui stop {played.run} --store {tmp_path / 'store'}" in told
        await pilot.press("2")
        assert app.screen is screen
        await pilot.press("P")
        await until(pilot, lambda: "This run is being played." in notices(pilot))
        played.end(0, 1.0)
        played.leave()
        await until(pilot, lambda: "Stop…" not in footer(pilot))
        assert "Go on…" in footer(pilot), "one of two was played"
        await pilot.press("X", "o")
        await until(pilot, lambda: "Nobody works at this run." in notices(pilot))
        await until(pilot, lambda: "it was begun in a terminal" in notices(pilot))


async def test_a_dead_run_can_be_gone_on_with_and_shows_what_its_runner_printed(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    played = PlayedRun(store, planned=3)
    played.begin(0)
    played.end(0, None, "no answer")
    RunLog(store.root, played.run).append(RunnerNote(at=now(), what="began", workers=4))
    played._lease.give_back()
    output = store.root / played.run / "runner" / "output_2026-01-01_ab.txt"
    output.write_text("Traceback\nMemoryError: \x1b[31mno room\n")
    app = program(store.root)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await among_runs(pilot, played.run)
        assert {"Go on…", "Output"} <= set(footer(pilot))
        told = await asked(pilot, "P")
        assert f"Go on with {played.run}? 2 of 3 are left to be played." in told
        assert f"webbench-tui run --resume {played.run} --detach --store" in told
        assert "go on, 4 at a time\nplay the 1 without a score once more, too" in told
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReadingScreen))
        await until(pilot, lambda: "MemoryError: " in text(app))
        assert "Traceback" in text(app)
        assert not dangerous(text(app).replace("\n", ""))
        await pilot.press("escape")
        assert app.screen is screen


@pytest.mark.thorough
async def test_a_run_that_another_process_holds_tells_why_it_cannot_go_on(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    played = PlayedRun(store, planned=1)
    played._lease.give_back()
    app = program(store.root)
    async with app.run_test(size=(120, 40)) as pilot:
        await among_runs(pilot, played.run)
        await asked(pilot, "P")
        held = Lease(store.root, played.run)
        held.take()
        await pilot.press("1")
        await until(pilot, lambda: "It can't go on" in notices(pilot))
        held.give_back()
        assert f"works at the run {played.run}" in notices(pilot)


async def test_the_board_hears_of_a_runner_that_left_before_the_second_look(tmp_path: Path) -> None:
    played = PlayedRun(Store(tmp_path / "store"), planned=1)
    played.begin(0)
    app = program(tmp_path / "store")
    async with app.run_test(size=(120, 40)) as pilot:
        board = (await among_runs(pilot, played.run)).query_one(RunBoard)
        played.end(0, 1.0)
        played.leave()
        await until(pilot, lambda: board.status is not None and board.status.state == "finished")


@pytest.mark.thorough
async def test_a_real_run_is_ended_and_gone_on_with(tmp_path: Path) -> None:
    root = tmp_path / "store"
    words = ("run", "demo", "--workers", "2", "--detach", "--store", str(root), "--json")
    run = (await asyncio.to_thread(call, tmp_path, *words)).json["run"]
    app = program(root)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await among_runs(pilot, run)
        board = screen.query_one(RunBoard)
        for key, state in (("X", "interrupted"), ("P", "running"), ("X", "interrupted")):
            await asked(pilot, key)
            await pilot.press("1")
            await until(pilot, lambda state=state: board.status is not None and board.status.state == state)
    beat = read_beat(root / run)
    assert beat is None or not process_start(beat.pid)
    status = run_status(root, run)
    assert (status.state, status.planned) == ("interrupted", 22)
