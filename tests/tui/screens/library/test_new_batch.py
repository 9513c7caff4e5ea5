"""From the library to a run: the form tells what would be played, begins it, and its board opens."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.cli.program import environment
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.core.benchmark.benchmark import BenchmarkStatus
from webbench.core.engine.wire import catalogue_messages
from webbench.core.runner.lease import process_start, read_beat
from webbench.core.runner.status.run_status import run_status
from webbench.core.settings.settings import Settings
from webbench.core.task import TaskEntry
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.library.new_batch import BatchPrompt
from webbench.tui.screens.library.task_table import TaskTable
from webbench.tui.screens.runs.progress_board import RunBoard
from webbench.tui.screens.runs.runs import RunsScreen
from webbench.tui.widgets.fields.choice_field import ChoiceField

ENTRIES = tuple(TaskEntry(benchmark="demo", name=name) for name in ("mind-the-bazaar", "camp-mugs"))
LISTED = catalogue_messages.TasksListed(
    benchmark="demo", title="Bundled demo", status=BenchmarkStatus("ready"), entries=ENTRIES
)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkbenchApp:
    """The library over an empty store, of a person without settings."""
    for name in [one for one in os.environ if one.startswith("WEBBENCH_")]:
        monkeypatch.delenv(name)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    opening = Opening(store=tmp_path / "store", benchmark="demo")
    return WorkbenchApp(opening, Settings(), link=SilentLink())


async def opened(pilot: Pilot[None]) -> BatchPrompt:
    await first_screen(pilot)
    assert isinstance(pilot.app, WorkbenchApp)
    assert isinstance(pilot.app.link, SilentLink)
    pilot.app.link.happen(LISTED)
    await until(pilot, lambda: bool(pilot.app.screen.query_one(TaskTable).records))
    await pilot.press("b")
    await until(pilot, lambda: isinstance(pilot.app.screen, BatchPrompt))
    assert isinstance(pilot.app.screen, BatchPrompt)
    return pilot.app.screen


def told(prompt: BatchPrompt, part: str = "outline") -> str:
    return str(prompt.query_one(f"#{part}", Static).content)


async def test_the_form_tells_what_would_be_played_and_what_keeps_it_from_that(
    program: WorkbenchApp, tmp_path: Path
) -> None:
    async with program.run_test(size=(80, 24)) as pilot:
        prompt = await opened(pilot)
        await pilot.press("down", "3", "down", "down", "down", "down", "x")
        refused = 'Can\'t be started: Steps is a whole number from 0, not "x"'
        await until(pilot, lambda: told(prompt).startswith(refused))
        await pilot.press("ctrl+s")
        assert isinstance(pilot.app.screen, BatchPrompt)
        await pilot.press("backspace", "9")
        command = "webbench-tui run demo --agent oracle --limit-steps 9 --workers 3 --detach"
        await until(pilot, lambda: told(prompt, "command").startswith(command))
        await until(pilot, lambda: "episodes of demo" in told(prompt))
        assert "22 episodes of demo by oracle\nat most 9 steps an episode" in told(prompt)
        await pilot.press("ctrl+y")
        assert pilot.app.clipboard == f"{command} --store {tmp_path / 'store'}"
        start = prompt.query_one("#start", ChoiceField).region
        assert start.bottom <= 24
        assert not (tmp_path / "store").exists()


@pytest.mark.thorough
async def test_an_agent_that_lacks_a_model_is_refused_in_the_commands_own_words(
    program: WorkbenchApp,
) -> None:
    async with program.run_test(size=(160, 48)) as pilot:
        prompt = await opened(pilot)
        await pilot.press("enter", *"model", "enter")
        await until(pilot, lambda: "Can't be started" in told(prompt))
        assert "No model is set that could be asked\nname one: model=NAME after the agent" in told(prompt)


@pytest.mark.thorough
async def test_a_run_begins_in_a_process_of_its_own_and_its_board_opens(
    program: WorkbenchApp, tmp_path: Path
) -> None:
    root = tmp_path / "store"
    async with program.run_test(size=(120, 40)) as pilot:
        prompt = await opened(pilot)
        await pilot.press("up", "enter", "2", "ctrl+s")
        assert pilot.app.screen is prompt, "nothing begins before it was told what"
        await until(pilot, lambda: "1 episode of demo" in told(prompt))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, RunsScreen))
        board = pilot.app.screen.query_one(RunBoard)
        await until(pilot, lambda: board.status is not None)
        assert board.status is not None
        run = board.status.run
        beat = read_beat(root / run)
        assert beat is not None
        assert os.getsid(beat.pid) == beat.pid != os.getsid(0)
    assert process_start(beat.pid), "it outlives the screens"
    while process_start(beat.pid):
        await asyncio.sleep(0.1)
    status = run_status(root, run)
    assert (status.state, status.scored, status.planned) == ("finished", 1, 1)
    (output,) = (root / run / "runner").glob("output_*.txt")
    assert "mean 1.000 over 1 scored of 1 planned" in output.read_text()


@pytest.mark.thorough
async def test_leaving_while_it_starts_ends_nothing(program: WorkbenchApp, tmp_path: Path) -> None:
    async with program.run_test(size=(120, 40)) as pilot:
        prompt = await opened(pilot)
        await pilot.press("up", "enter", "2")
        await until(pilot, lambda: "1 episode of demo" in told(prompt))
        await pilot.press("ctrl+s", "escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, BatchPrompt))
        root = tmp_path / "store"
        await until(pilot, lambda: any(root.glob("*/runner/beat.json")))
        (beat,) = (read_beat(path.parent.parent) for path in root.glob("*/runner/beat.json"))
        assert beat is not None
        os.kill(beat.pid, signal.SIGINT)
        while process_start(beat.pid):
            await asyncio.sleep(0.1)
