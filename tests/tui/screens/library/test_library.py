"""The library shows what the engine tells: results of a task, and what is wrong with the data."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from textual.widgets import Input

from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.test_snapshots import ENTRIES, FIRST, RESULTS, app
from tests.tui.waiting import at_rest, until
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem
from webbench.core.benchmark.subsets import subsets
from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.settings.settings import Settings
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.library.benchmark_list import BenchmarkList, count_text
from webbench.tui.screens.library.library import LibraryScreen
from webbench.tui.screens.library.task_table import TaskTable
from webbench.tui.screens.stepper.stepper import StepperScreen
from webbench.tui.widgets.lists.task_preview import TaskPreview
from webbench.tui.widgets.lists.text_rows import TextRows

LISTED = catalogue_messages.TasksListed(
    benchmark="demo", title="Bundled demo", status=BenchmarkStatus("ready", "30 tasks"), entries=ENTRIES
)
READ = catalogue_messages.TaskRead(task=FIRST)
RESULT = catalogue_messages.ResultsListed(benchmark="demo", results=RESULTS)


@pytest.mark.parametrize("later", [(RESULT, READ), (READ, RESULT)], ids=["results first", "results last"])
async def test_the_preview_shows_the_attempts(later: tuple[messages.Event, ...]) -> None:
    program = app("dark", library=True)
    assert isinstance(program.link, SilentLink)
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        for event in (LISTED, *later):
            program.link.happen(event)
            await at_rest(pilot)
        notes = {note.label: note.text for note in program.screen.query_one(TaskPreview).notes}
        assert notes["attempts"] == str(RESULTS[FIRST.name].attempts)


NO_SITE = "SHOPPING has no address: set sites.webarena.SHOPPING"
MIXED = tuple(
    msgspec.structs.replace(entry, split="own" if at < 4 else "bundled", problem=NO_SITE if at < 3 else "")
    for at, entry in enumerate(ENTRIES)
)


async def test_tasks_that_cannot_be_stepped_say_why_and_can_be_hidden() -> None:
    program = app("dark", library=True)
    link = program.link
    assert isinstance(link, SilentLink)
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        for event in (msgspec.structs.replace(LISTED, entries=MIXED), READ):
            link.happen(event)
            await at_rest(pilot)
        table = program.screen.query_one(TaskTable)
        assert "27 can be stepped" in str(table.border_subtitle)
        assert [table.render_line(row).text[0] for row in (1, 3, 4)] == ["▲", "▲", " "]
        assert isinstance(program.screen, LibraryScreen)
        assert count_text(program.screen.listed["demo"]) == "27/30"
        assert program.screen.query_one(TaskPreview).trouble == NO_SITE
        asked = len(link.sent)
        await pilot.press("enter")
        await at_rest(pilot)
        assert len(link.sent) == asked
        assert NO_SITE in [note.message for note in program._notifications]
        await pilot.press("u")
        await at_rest(pilot)
        assert (table.row_count, "27 of 30 · can be stepped" in str(table.border_subtitle)) == (27, True)
        await pilot.press("v", "2")
        await at_rest(pilot)
        assert [entry.name for entry in table.records] == [MIXED[3].name]
        await pilot.press("escape")
        await at_rest(pilot)
        assert table.row_count == 30
        among = table.following("task-06", 4)
        assert among.instance_words == "instance 5 of 6"
        last = among.following()
        assert last is not None
        assert last.instance_words == "instance 6 of 6"
        assert last.following() == among.following_task()
        await pilot.press("slash", "z", "z", "z")
        await at_rest(pilot)
        assert "No task matches" in table.render_line(1).text
        assert program.screen.query_one(TaskPreview).shown_task is None
        await pilot.press("enter", "escape")
        await at_rest(pilot)
        assert table.row_count == 30
        await pilot.press("escape", "escape")
        await at_rest(pilot)
        assert program.is_running
        assert isinstance(program.screen, LibraryScreen)
        assert "q quits." in [note.message for note in program._notifications]


async def test_a_task_on_any_page_is_begun_with_its_address_and_its_words() -> None:
    program = app("dark", library=True)
    link = program.link
    assert isinstance(link, SilentLink)
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        for address in ("file:///x", "shop.test"):
            for text in (address, "Buy a mug"):
                await pilot.press("w" if text == address else "end")
                await until(pilot, lambda: isinstance(program.screen, TextPrompt))
                program.screen.query_one(Input).value = text
                await pilot.press("enter")
                await at_rest(pilot)
        assert "file:///x is no address of a page" in str([note.message for note in program._notifications])
        await until(pilot, lambda: isinstance(program.screen, StepperScreen))
        started = [one.task.name for one in link.sent if isinstance(one, messages.StartEpisode)]
        assert started == ["http://shop.test/ Buy a mug"]


PROBLEMS = catalogue_messages.ProblemsListed(
    benchmark="demo",
    counts={"error": 1, "warning": 2, "note": 9},
    problems=(Problem("a.csv:3", "no [b]row[/b] \x1b[2J here", "error"), Problem("b.csv", "odd")),
)


async def test_problems_of_the_data_are_asked_for_once_and_shown() -> None:
    program = app("dark", library=True)
    link = program.link
    assert isinstance(link, SilentLink)
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        for event in (LISTED, READ, LISTED):
            link.happen(event)
            await at_rest(pilot)
        asked = [intent for intent in link.sent if isinstance(intent, catalogue_messages.ListProblems)]
        assert asked == [catalogue_messages.ListProblems(benchmark="demo")]
        table = program.screen.query_one(TaskTable)
        assert str(table.border_title) == "Bundled demo"
        link.happen(PROBLEMS)
        await at_rest(pilot)
        assert str(table.border_title) == "Bundled demo (1 error, 2 warnings in its data)"
        await pilot.press("p")
        await at_rest(pilot)
        assert isinstance(program.screen, ReadingScreen)
        entries = program.screen.query_one(TextRows).entries
        told = [(entry.label, entry.text) for entry in entries]
        assert ("data", "1 error, 2 warnings, 9 notes") in told
        assert ("warning", "b.csv: odd") in told
        assert ("", "and 10 more; `webbench-tui tasks demo --problems`") in told
        shown = "\n".join(
            strip.text
            for strip in program.screen.query_one(TextRows).render_lines(
                program.screen.query_one(TextRows).content_region.reset_offset
            )
        )
        assert "no [b]row[/b] ␛[2J here" in shown


async def test_marked_tasks_are_kept_as_a_subset_and_shown_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    program = app("dark", library=True)
    assert isinstance(program.link, SilentLink)
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        program.link.happen(msgspec.structs.replace(LISTED, entries=MIXED))
        await at_rest(pilot)
        await pilot.press("j", "space", "space", "S")
        await until(pilot, lambda: isinstance(program.screen, TextPrompt))
        await pilot.press(*"two", "enter")
        await until(pilot, lambda: bool(subsets("demo")))
        kept = (MIXED[1].name, MIXED[2].name)
        assert [one.tasks for one in subsets("demo")] == [kept]
        await until(pilot, lambda: isinstance(program.screen, LibraryScreen))
        await pilot.press("v")
        await until(pilot, lambda: isinstance(program.screen, ChoicePrompt))
        await pilot.press("4")
        table = program.screen_stack[1].query_one(TaskTable)
        await until(pilot, lambda: tuple(entry.name for entry in table.records) == kept)
        assert "@two" in str(table.border_subtitle)


async def test_the_list_of_last_time_is_shown_until_the_engine_has_read_it_again(tmp_path: Path) -> None:
    def sitting() -> tuple[WorkbenchApp, SilentLink]:
        link = SilentLink()
        opening = Opening(store=tmp_path / "store", memory=tmp_path / "memory")
        return WorkbenchApp(opening, Settings(), link=link), link

    program, link = sitting()
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        await at_rest(pilot)
        benchmarks = program.screen.query_one(BenchmarkList)
        assert benchmarks.chosen == "demo", "who never was here begins where it works offline"
        table = program.screen.query_one(TaskTable)
        assert (table.row_count, table.empty_text) == (0, "Reading the data set…")
        link.happen(LISTED)
        await until(pilot, lambda: "start here" in str(table.border_title))
        await pilot.press(*"jjjjjjj")
        await until(pilot, lambda: any((tmp_path / "memory" / "lists").glob("*")))
        await at_rest(pilot)

    program, link = sitting()
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        table = program.screen.query_one(TaskTable)
        await until(pilot, lambda: table.records == ENTRIES)
        await at_rest(pilot)
        assert table.record == ENTRIES[7], "one comes back to where one was"
        asked = [one for one in link.sent if isinstance(one, catalogue_messages.ListProblems)]
        assert not asked, "nothing is known of the data yet"
        link.happen(msgspec.structs.replace(LISTED, entries=ENTRIES[5:9]))
        await until(pilot, lambda: table.records == ENTRIES[5:9])
        await at_rest(pilot)
        assert table.record == ENTRIES[7]
        assert "start here" not in str(table.border_title)

    (demo,) = (tmp_path / "memory" / "lists").glob("*")
    demo.write_bytes(demo.read_bytes()[:-3])
    program, link = sitting()
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        await at_rest(pilot)
        assert program.screen.query_one(TaskTable).row_count == 0, "what is damaged is as good as none"
