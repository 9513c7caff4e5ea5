"""Commands from the screens: listed, filled in beside their words, run, ended, left."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from tests.core.exchange.test_importing import EPISODE
from tests.core.models.endpoint import running_endpoint
from tests.tui.cli.program import environment
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest, until
from webbench.core.action.action import Say
from webbench.core.score.score import Score, Status
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.app import WorkbenchApp
from webbench.tui.destinations import CommandForm, go_to
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.help import HelpScreen
from webbench.tui.screens.dialogs.key_groups import commands_here
from webbench.tui.screens.dialogs.palette import UserActionProvider
from webbench.tui.screens.dialogs.pick_prompt import PickPrompt
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.forms import running
from webbench.tui.screens.forms.account_table import AccountTable
from webbench.tui.screens.forms.command_form import CommandFormScreen
from webbench.tui.screens.forms.every_command import EveryCommandScreen
from webbench.tui.screens.forms.kind_table import KindTable
from webbench.tui.screens.forms.printed_lines import PrintedLines
from webbench.tui.screens.library.benchmark_list import BenchmarkList
from webbench.tui.screens.runs.runs import RunsScreen
from webbench.tui.widgets.lists.run_tables import RunTable


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkbenchApp:
    """The library over an empty store, of a person without settings."""
    for name in [one for one in os.environ if one.startswith("WEBBENCH_")]:
        monkeypatch.delenv(name)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    opening = Opening(store=tmp_path / "store", benchmark="demo")
    return WorkbenchApp(opening, Settings(), link=SilentLink())


async def form_of(pilot: Pilot[None], *path: str) -> CommandFormScreen:
    await first_screen(pilot)
    assert isinstance(pilot.app, WorkbenchApp)
    go_to(pilot.app.screen, CommandForm(path, pilot.app.opening.store, {}))
    await until(pilot, lambda: isinstance(pilot.app.screen, CommandFormScreen))
    await at_rest(pilot)
    assert isinstance(pilot.app.screen, CommandFormScreen)
    return pilot.app.screen


def told(screen: CommandFormScreen, part: str) -> str:
    return str(screen.query_one(f"#{part}", Static).content)


async def test_a_command_is_found_filled_in_run_and_told(program: WorkbenchApp, tmp_path: Path) -> None:
    async with program.run_test(size=(80, 24)) as pilot:
        await first_screen(pilot)
        await pilot.press("exclamation_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, EveryCommandScreen))
        await pilot.press(*"label taxonomies", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandFormScreen))
        screen = pilot.app.screen
        assert isinstance(screen, CommandFormScreen)
        await at_rest(pilot)
        await pilot.press(*"webarena", "down", "enter")
        assert screen.fields.filled == {"name": "webarena", "as_json": "yes"}
        await pilot.press("enter", "ctrl+y")
        assert pilot.app.clipboard == f"webbench-tui label taxonomies webarena --store {tmp_path / 'store'}"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "ended with 0" in str(screen.query_one(PrintedLines).border_subtitle))
        assert screen.query_one(PrintedLines).text.startswith("WebArena")
        assert told(screen, "became") == "Ended with 0: ok."


async def test_what_is_not_filled_in_yet_is_no_error_and_a_wrong_number_is(program: WorkbenchApp) -> None:
    async with program.run_test(size=(100, 30)) as pilot:
        screen = await form_of(pilot, "plugins", "check")
        assert told(screen, "command").startswith("fill in package")
        assert not screen.query_one("#command").has_class("-bad")
        screen.query_one("#field-tasks", Input).value = "two"
        await until(pilot, lambda: screen.query_one("#command").has_class("-bad"))
        assert "tasks is a whole number" in told(screen, "command")


async def test_a_command_that_goes_on_is_ended_as_by_ctrl_c(program: WorkbenchApp) -> None:
    async with program.run_test(size=(100, 30)) as pilot:
        screen = await form_of(pilot, "webarena", "serve")
        screen.query_one("#field-port", Input).value = "0"
        await pilot.press("ctrl+s")
        printed = screen.query_one(PrintedLines)
        await until(pilot, lambda: "http://" in printed.text)
        await pilot.press("f8")
        await until(pilot, lambda: told(screen, "became").startswith("Ended with"))
        assert told(screen, "became").startswith(("Ended with 0", "Ended with 130"))


@pytest.mark.thorough
async def test_what_costs_money_tells_what_it_would_take_and_begins_only_after_a_yes(
    program: WorkbenchApp, tmp_path: Path
) -> None:
    store = Store(tmp_path / "store")
    run = store.start_run("demo", "team", 1)
    task = Task(benchmark="demo", name="hours", intent="When does the museum open?")
    recorder = store.recorder(run, EpisodeHeader(run="", episode="", task=task, actor="team", dialect=""))
    recorder.write(Step(index=0, at=""))
    recorder.write(Step(index=1, at="", actor="agent", action=Say(text="At nine.")))
    recorder.finish(Score(status=Status.SCORED, value=0.0), "stopped")
    with running_endpoint() as endpoint:
        async with program.run_test(size=(100, 30)) as pilot:
            screen = await form_of(pilot, "judge", "decisive")
            await pilot.press("down", *f"'m url={endpoint.url}'", "ctrl+s")
            await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
            asked = pilot.app.screen
            assert isinstance(asked, ChoicePrompt)
            told_first = str(asked.query_one(".note", Static).content)
            assert "call" in told_first
            assert "Nobody is there to say whether to begin" in told_first
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.screen is screen)
            assert not endpoint.requests
            await pilot.press("ctrl+s")
            await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
            await pilot.press("2", "enter")
            await until(pilot, lambda: pilot.app.screen is screen and bool(endpoint.requests))
            subtitle = screen.query_one(PrintedLines)
            await until(pilot, lambda: "ended with" in str(subtitle.border_subtitle))
            assert screen.fields.filled["yes"] == "no"


async def test_a_field_is_chosen_from_what_there_is(program: WorkbenchApp, tmp_path: Path) -> None:
    (tmp_path / "a page.html").touch()
    async with program.run_test(size=(100, 30)) as pilot:
        screen = await form_of(pilot, "export")
        assert screen.matters("form.choose")
        await pilot.press("down", "f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickPrompt))
        await pilot.press(*"jso", "enter")
        await until(pilot, lambda: screen.fields.filled["to"] == "jsonl")
        await pilot.press("down")
        screen.query_one("#field-out", Input).value = f"{tmp_path}/"
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickPrompt))
        await pilot.press(*"page", "enter")
        await until(pilot, lambda: screen.fields.filled["out"] == str(tmp_path / "a page.html"))


async def test_what_an_import_lost_is_a_table_of_reasons(program: WorkbenchApp, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "foreign" / name).mkdir(parents=True)
        (tmp_path / "foreign" / name / "odd.jsonl").write_text("no JSON")
    async with program.run_test(size=(100, 30)) as pilot:
        screen = await form_of(pilot, "import")
        screen.query_one("#field-path", Input).value = str(tmp_path / "foreign")
        await pilot.press("ctrl+s")
        table = screen.query_one(AccountTable)
        await until(pilot, lambda: table.has_focus)
        (loss,) = table.records
        assert (loss.kind, loss.places) == ("refused", ("a/odd.jsonl", "b/odd.jsonl"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReadingScreen))
        await pilot.press("escape", "f6")
        await until(pilot, lambda: screen.query_one(PrintedLines).has_focus)
        assert "refused:" in screen.query_one(PrintedLines).text
        assert "--account" not in told(screen, "command")
        assert not screen.matters("form.runs")
        (tmp_path / "foreign" / "traces.json").write_text(json.dumps([EPISODE]))
        await pilot.press("ctrl+s")
        kinds = screen.query_one(KindTable)
        await until(pilot, lambda: kinds.has_focus and screen.matters("form.runs"))
        counts = {one.row.kind: (one.row.source, one.row.recorded, one.state) for one in kinds.records}
        assert counts["episodes"] == (1, 1, "equal")
        assert "all explained" in str(kinds.border_subtitle)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReadingScreen))
        await pilot.press("escape", "f6")
        await until(pilot, lambda: table.has_focus)
        assert "1 episode read" in str(table.border_subtitle)
        (run,) = Store(tmp_path / "store").run_names()
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, RunsScreen))
        await until(pilot, lambda: [one.run for one in pilot.app.screen.query_one(RunTable).chosen] == [run])


async def test_a_setting_is_chosen_and_set_from_a_form(program: WorkbenchApp, tmp_path: Path) -> None:
    async with program.run_test(size=(100, 30)) as pilot:
        screen = await form_of(pilot, "config", "set")
        for name in ("pictures", "sixel"):
            await pilot.press("f2")
            await until(pilot, lambda: isinstance(pilot.app.screen, PickPrompt))
            await pilot.press(*name, "enter")
            await until(pilot, lambda: pilot.app.screen is screen)
            await pilot.press("down")
        assert screen.fields.filled["value"] == "sixel"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: told(screen, "became") == "Ended with 0: ok.")
        assert (tmp_path / "config" / "webbench" / "config.toml").read_text() == 'pictures = "sixel"\n'


async def test_palette_and_help_begin_with_what_the_screen_is_for(program: WorkbenchApp) -> None:
    async with program.run_test(size=(100, 30)) as pilot:
        await first_screen(pilot)
        await until(pilot, lambda: "demo" in pilot.app.screen.query_one(BenchmarkList).names)
        palette = UserActionProvider(pilot.app.screen)
        labels = [str(hit.prompt) async for hit in palette.discover()]
        places = [
            next(at for at, label in enumerate(labels) if label.startswith(start))
            for start in ("Runs (", "import …", "Help (", "judge ask …", "Page down (")
        ]
        assert places == sorted(places)
        pilot.app.screen.query_one(BenchmarkList).chosen = "webarena"
        assert commands_here(pilot.app.screen)[:2] == (("webarena", "login"), ("webarena", "serve"))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        help_screen = pilot.app.screen
        assert isinstance(help_screen, HelpScreen)
        titles = [title for title, _ in help_screen.groups]
        assert titles[:2] == ["Library", "Commands (!)"]
        assert titles[-1] == "Moving"
        await pilot.press("slash", *"data get")
        shown = str(help_screen.query_one("#rows", Static).content)
        assert "Download a data set" in shown
        assert "Filter" not in shown


HOSTILE = r"""
import sys
sys.stderr.write("\r1 of 2\x1b[K\r\x1b[K"); sys.stderr.flush()
sys.stdout.write("\x1b[2Jred \x1b[31mtext\x1b[0m \x07\x1b]0;title\x07\n"); sys.stdout.flush()
print("x" * 50_000)
print("done")
sys.exit(4)
"""


async def test_what_is_printed_is_bounded_harmless_and_told_with_its_exit_code(
    program: WorkbenchApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "own_command", lambda _words: [sys.executable, "-c", HOSTILE])
    async with program.run_test(size=(100, 30)) as pilot:
        screen = await form_of(pilot, "plugins")
        await pilot.press("ctrl+s")
        printed = screen.query_one(PrintedLines)
        await until(pilot, lambda: told(screen, "became") == "Ended with 4: bad data.")
        lines = printed.text.splitlines()
        assert lines[0].startswith("red text")
        assert lines[-1] == "done"
        assert max(map(len, lines)) <= running.LONGEST_LINE
        assert sum(line.count("x") for line in lines[1:]) == 50_000
        shown = "\n".join(printed.row_text(row) for row in range(printed.row_count))
        assert not any(character < " " and character != "\n" for character in shown)
