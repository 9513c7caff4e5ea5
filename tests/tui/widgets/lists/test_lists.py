from __future__ import annotations

import msgspec
from textual import events

from tests.tui.waiting import until
from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, lines, text
from webbench.core.action.action import Click, ElementRef
from webbench.core.observation import PageMessage, Tab
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.task import Task
from webbench.core.text.durations import short_duration
from webbench.core.trajectory import Step
from webbench.tui.screens.library.task_table import TaskTable
from webbench.tui.widgets.fields.notes import NoteInput, Notes
from webbench.tui.widgets.lines.clock import Clock, clock_text
from webbench.tui.widgets.lines.pane_bar import PaneBar
from webbench.tui.widgets.lines.tabs_bar import TabsBar
from webbench.tui.widgets.lines.title_line import TitleLine
from webbench.tui.widgets.lists.empty_state import EmptyState
from webbench.tui.widgets.lists.messages_log import MessagesLog
from webbench.tui.widgets.lists.run_tables import EpisodeTable
from webbench.tui.widgets.lists.step_list import StepList
from webbench.tui.widgets.lists.steps_panel import step_entries
from webbench.tui.widgets.lists.task_preview import TaskPreview
from webbench.tui.widgets.lists.text_rows import Entry, TextRows


async def test_steps_show_who_what_how_and_the_change_of_the_score():
    steps = StepList()
    steps.steps = pages.steps()
    app = Host(steps)
    async with app.run_test(size=(90, 12)) as pilot:
        shown = lines(app)
        assert "🧑" in shown[2]
        assert "click [9]" in shown[2]
        link = Click(target=ElementRef(id=29, role="link", name="pdf"))
        steps.add(Step(index=5, at="", actor="agent", text='click({"mark": 29})', action=link, ok=True))
        steps.in_words = True
        await until(pilot, lambda: 'click link "pdf"' in text(app))
        steps.steps, steps.in_words = pages.steps(), False
        assert "🤖" in shown[3]
        assert "✘ click [99]  [99] is no longer on the page" in shown[4]
        assert "✋" in shown[5]
        assert "+0.33" in shown[5]
        assert "4 steps · 1 failed" in text(app)
        steps.focus()
        await pilot.press("G")
        assert app.heard_of(StepList.StepFocused)[-1].step.index == 4


async def test_one_is_not_told_in_the_plural():
    steps, table = StepList(), TaskTable()
    steps.steps = pages.steps()[:2]
    table.records = pages.tasks(1)
    app = Host(steps, table)
    async with app.run_test(size=(90, 12)):
        assert steps.border_subtitle == "1 step"
        assert table.border_subtitle == "1 task"


async def test_a_rejection_is_told_as_a_note_and_the_start_has_no_actor():
    steps = StepList()
    rejection = Step(index=1, at="", actor="operator", note="rejected the proposal click [5]: too early")
    steps.steps = [Step(index=0, at="", actor="operator", url="http://shop/"), rejection]
    app = Host(steps)
    async with app.run_test(size=(90, 12)):
        shown = lines(app)
        assert "start http://shop/" in shown[1]
        assert "✋" not in shown[1]
        assert "✋ note rejected the proposal click [5]: too early" in shown[2]
        assert "0ms" not in shown[2]


def test_the_start_of_a_persons_episode_tells_of_no_agent():
    start = {entry.label: entry.text for entry in step_entries(Step(index=0, at="", actor="operator"))}
    assert start["action"] == "the start"
    assert "by" not in start
    note = {
        entry.label: entry.text for entry in step_entries(Step(index=2, at="", actor="operator", note="odd"))
    }
    assert note["action"] == "none: a note"


async def test_new_steps_are_followed_only_from_the_last_one():
    steps = StepList()
    app = Host(steps)
    async with app.run_test(size=(60, 12)):
        for step in pages.steps()[:3]:
            steps.add(step)
        assert steps.cursor == 2
        steps.cursor = 0
        steps.add(pages.steps()[3])
        assert steps.cursor == 0


async def test_messages_follow_and_can_be_reduced_to_problems():
    log = MessagesLog()
    app = Host(log)
    async with app.run_test(size=(80, 12)) as pilot:
        log.extend(1, [PageMessage("console", "info", f"line {number}") for number in range(40)])
        log.extend(2, [PageMessage("network", "error", "refused", "http://x")])
        assert log.cursor == 40
        log.focus()
        await pilot.press("x")
        assert [message.text for message in log.messages] == ["refused"]
        assert "1 error" in text(app)


async def test_notes_are_written_and_shown():
    notes = Notes()
    app = Host(notes)
    async with app.run_test(size=(40, 12)) as pilot:
        notes.write()
        await pilot.press(*"odd", "enter")
        assert app.heard_of(Notes.NoteWritten)[0].text == "odd"
        await pilot.press(*"next")
        for key, character in (("enter", "\r"), ("o", "o"), ("k", "k")):
            app.post_message(events.Key(key, character))
        await until(pilot, lambda: notes.query_one(NoteInput).value == "ok")
        await until(pilot, lambda: [one.text for one in app.heard_of(Notes.NoteWritten)] == ["odd", "next"])
        notes.add(3, "the label does not say what it is")
        await pilot.pause()
        assert "3  the label" in text(app)


async def test_one_tab_is_no_bar_and_a_click_asks_for_another():
    bar = TabsBar()
    app = Host(bar)
    async with app.run_test(size=(80, 5)) as pilot:
        bar.tabs = [Tab(0, "One", "http://1", active=True)]
        await pilot.pause()
        assert not bar.display
        bar.tabs = [Tab(0, "One", "http://1", active=True), Tab(1, "", "http://2")]
        await pilot.pause()
        assert "http://2" in lines(app)[0]
        await pilot.click(bar, offset=(lines(app)[0].index("http"), 0))
        assert app.heard_of(TabsBar.TabChosen)[0].index == 1


async def test_the_title_says_task_step_agent_progress_and_address():
    title = TitleLine()
    app = Host(title)
    async with app.run_test(size=(120, 4)) as pilot:
        title.shown_task = Task(benchmark="demo", name="buy", instance=2, intent="Buy tea.")
        title.step, title.limit, title.progress = 3, 30, "loading"
        title.agent, title.driver = ("oracle", "running"), "selenium+desktop"
        title.observation = pages.shop()
        title.score = pages.score()
        title.start_clock(3661)
        await pilot.pause()
        first, second = lines(app)[:2]
        for words in (
            "demo buy#2",
            "step 3 of 30",
            "0.500",
            "oracle running",
            "loading",
            "selenium+desktop",
            "1:01:0",
        ):
            assert words in first
        assert "Buy tea." in second
        assert "http://127.0.0.1:4000/tea/sencha" in second


async def test_a_paused_clock_stands():
    clock = Clock()
    app = Host(clock)
    async with app.run_test(size=(40, 3)):
        clock.start(60)
        clock.pause()
        kept = clock.seconds
        assert clock.seconds == kept >= 60
        clock.resume()
        assert clock.running


def test_times_in_few_characters():
    assert [clock_text(second) for second in (0, 61, 3600)] == ["00:00", "01:01", "1:00:00"]
    assert [short_duration(second) for second in (0.04, 2.25, 185, 7300)] == ["40ms", "2.2s", "3m05", "2h01"]


async def test_tasks_filter_as_one_types_and_keep_the_row():
    table = TaskTable()
    table.records = pages.tasks(5_000)
    app = Host(table)
    async with app.run_test(size=(140, 30)) as pilot:
        table.focus()
        await pilot.press("slash", *"4321")
        assert table.record is not None
        assert table.record.name == "shop-4321"
        assert table.row_count == 1
        assert "1 of 5,000 · /4321" in text(app)
        await pilot.press("tab", "space")
        assert "1 of 5,000 · 1 marked · /4321" in text(app)
        assert not app.heard_of(TaskTable.Activated)
        await pilot.press("slash", *"4321", "enter")
        assert app.heard_of(TaskTable.Activated)[0].table.record.name == "shop-4321"
        await pilot.press("escape")
        assert table.row_count == 5_000
        assert table.record.name == "shop-4321"
        assert "shop-4321" in text(app)


async def test_marks_stay_with_their_tasks_and_not_with_another_benchmarks():
    table = TaskTable()
    table.records = tasks = pages.tasks(30)
    app = Host(table)
    async with app.run_test(size=(140, 30)) as pilot:
        table.focus()
        await pilot.press("space", "down", "space")
        assert table.marked == (tasks[0], tasks[2])
        assert "2 marked" in text(app)
        assert [line[1] for line in lines(app)[2:6]] == ["✓", " ", "✓", " "]
        table.records = tasks[1:]
        assert table.marked == (tasks[2],)
        await pilot.press("g", "down", "space")
        assert (table.marked, lines(app)[2][1:5]) == ((), "shop")
        await pilot.press("space", "U")
        assert table.marked == ()
        await pilot.press("space")
        table.records = [msgspec.structs.replace(task, benchmark="another") for task in tasks]
        assert table.marked == ()


async def test_tasks_sort_by_number_where_it_is_one():
    table = TaskTable()
    table.records = pages.tasks(30)
    table.results = pages.results(30)
    app = Host(table)
    async with app.run_test(size=(160, 40)) as pilot:
        table.focus()
        await pilot.press("i")
        for _ in table.records:
            if "Agent▼" in text(app):
                break
            await pilot.press("s")
        assert table.record is not None
        assert [entry.name for entry in table.records[-3:]] != [entry.name for entry in table.records[:3]]
        values = [table.results[entry.name].best_agent for entry in table.records]
        numbers = [value for value in values if value is not None]
        assert numbers == sorted(numbers, reverse=True)
        assert values == [*numbers, *[None] * (len(values) - len(numbers))]
        assert "Agent▼" in text(app)


async def test_a_word_of_the_filter_may_name_its_column_and_long_numbers_sort_by_their_size():
    table = TaskTable()
    table.records = [
        msgspec.structs.replace(task, instances=count)
        for task, count in zip(pages.tasks(6), (30, 1_200, None, 7, 900, None), strict=True)
    ]
    app = Host(table)
    async with app.run_test(size=(140, 12)) as pilot:
        table.focus()
        await pilot.press("slash", *"site:forms", "enter")
        assert [task.name for task in table.records] == ["shop-0", "shop-2", "shop-4"]
        await pilot.press("escape")
        for _ in range(10):
            await pilot.press("s")
            if "Inst.▲" in text(app):
                break
        assert [task.instances for task in table.records] == [7, 30, 900, 1_200, None, None]
        await pilot.press("i")
        assert [task.instances for task in table.records] == [1_200, 900, 30, 7, None, None]


async def test_head_stays_and_columns_give_way_on_a_narrow_terminal():
    table = TaskTable()
    table.records = pages.tasks(100)
    app = Host(table)
    async with app.run_test(size=(78, 12)) as pilot:
        table.focus()
        await pilot.press("G")
        shown = lines(app)
        assert "Task" in shown[1]
        assert "shop-99" in shown[-2]
        assert "Template" not in shown[1]


async def test_columns_of_short_texts_leave_their_room_to_others():
    table = EpisodeTable()
    table.records = short = [
        EpisodeSummary(run="run", episode=f"{task}-1", task=task, intent="Open the album", actor="agent")
        for task in ("7", "12")
    ]
    app = Host(table)
    async with app.run_test(size=(80, 8)) as pilot:
        assert lines(app)[2].split()[1:5] == ["7", "Open", "the", "album"]
        assert "Reason" in lines(app)[1]
        name = "Paraphrases of a sentence in context"
        table.records = [msgspec.structs.replace(one, task=name, intent=name * 2) for one in short]
        await pilot.pause()
        assert name in lines(app)[2]
        assert "Intent" not in lines(app)[1]


async def test_the_longest_text_is_the_one_that_takes_most_cells():
    wide = "相" * 12
    table = EpisodeTable()
    table.records = [
        EpisodeSummary(run="run", episode=task, task=task, intent="Open it", actor="agent")
        for task in (wide, "the-album-of-today")
    ]
    async with Host(table).run_test(size=(100, 8)) as pilot:
        # A wide character has an empty cell behind it.
        assert wide in lines(pilot.app)[2].replace("\0", "")


async def test_a_text_that_needs_a_scrollbar_is_not_cut_by_it():
    rows = TextRows()
    app = Host(rows)
    async with app.run_test(size=(40, 10)) as pilot:
        word = "w" * (rows.scrollable_content_region.width - 2)
        rows.entries = [Entry("", word)] * 9
        await pilot.pause()
        assert rows.show_vertical_scrollbar
        assert "…" not in text(app)
        assert rows.row_count == 18


async def test_preview_shows_inputs_and_never_the_gold():
    preview = TaskPreview()
    app = Host(preview)
    async with app.run_test(size=(50, 20)) as pilot:
        preview.shown_task = Task(
            benchmark="demo",
            name="buy",
            intent="Buy two tins of tea.",
            data={"Input.colour": "green"},
            gold={"answer": "SECRET"},
        )
        preview.notes = (Entry("best human", "1.000"),)
        await pilot.pause()
        shown = text(app)
        for words in ("Buy two tins", "Input.colour", "green", "best human", "1.000"):
            assert words in shown
        assert "SECRET" not in shown


async def test_empty_state_names_the_next_step():
    state = EmptyState("No tasks yet", "The data folder is empty.", "o  say where the data is")
    app = Host(state)
    async with app.run_test(size=(60, 10)):
        assert "o  say where the data is" in text(app)


async def test_titles_of_panes_move_together_before_they_are_cut():
    names = (
        "Page",
        "Shot",
        "1 Model",
        "2 Steps",
        "3 Changes",
        "4 Score",
        "5 Log",
        "6 Notes",
        "7 Talk",
        "8 Found",
    )
    bar = PaneBar([(name, name) for name in names])
    bar.styles.display = "block"
    app = Host(bar)
    async with app.run_test(size=(110, 3)) as pilot:
        assert "1 Model   2 Steps" in lines(app)[0]
        await pilot.resize_terminal(80, 3)
        await until(pilot, lambda: " ".join(names) in lines(app)[0])
        await pilot.click(PaneBar, offset=(len(" ".join(names[:3])), 0))
        assert app.heard_of(PaneBar.PaneChosen)[-1].name == "1 Model"
        await pilot.resize_terminal(60, 3)
        await until(pilot, lambda: "3 Ch… 4 S" in lines(app)[0])
