"""Page text with markup, escape sequences, bidi overrides and floods, in every widget."""

from __future__ import annotations

import msgspec
import pytest
from rich.cells import cell_len, set_cell_size
from textual.widget import Widget

from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, dangerous, text
from webbench.core.dialects.dialect import Completion
from webbench.core.observation import PageMessage, Tab
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task, TaskEntry
from webbench.core.trajectory import Step
from webbench.tui.pictures.detect import Graphics
from webbench.tui.screens.library.task_table import TaskTable
from webbench.tui.screens.stepper.completion_list import CompletionList
from webbench.tui.widgets.fields.notes import Notes
from webbench.tui.widgets.lines import line
from webbench.tui.widgets.lines.line import shorten, wrap
from webbench.tui.widgets.lines.tabs_bar import TabsBar
from webbench.tui.widgets.lines.title_line import TitleLine
from webbench.tui.widgets.lists.empty_state import EmptyState
from webbench.tui.widgets.lists.messages_log import MessagesLog
from webbench.tui.widgets.lists.step_list import StepList
from webbench.tui.widgets.lists.task_preview import TaskPreview
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.widgets.picture.screenshot import ScreenshotView
from webbench.tui.widgets.score.score_tree import ScoreTree
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

SIZE = (100, 30)
MIXED = " ".join(bad[:40] for bad in pages.HOSTILE)


async def shown_safely(widget: Widget, fill) -> str:
    """Fill a mounted widget, click all over it, and give what it shows."""
    app = Host(widget)
    async with app.run_test(size=SIZE) as pilot:
        fill(widget)
        await pilot.pause()
        first = text(app)
        for y in (1, 2, 4):
            await pilot.click(offset=(25, y))
        await pilot.pause()
        shown = first + text(app)
        assert not app.quit_called
        assert app.is_running
    assert not dangerous(shown)
    return shown


async def test_tree():
    def fill(tree: AccessibilityTree) -> None:
        tree.observation = pages.hostile()
        tree.search(pages.HOSTILE[0][:10])

    shown = await shown_safely(AccessibilityTree(), fill)
    assert "[bold]not bold[/bold] [/]" in shown
    assert "漢字かな" in shown


async def test_picture_in_words():
    def fill(view: ScreenshotView) -> None:
        box = pages.shop().nodes[5].box
        nodes = tuple(msgspec.structs.replace(node, box=box) for node in pages.hostile().nodes)
        view.observation = msgspec.structs.replace(pages.hostile(), nodes=nodes)
        view.clear(pages.HOSTILE[1])

    await shown_safely(ScreenshotView(Graphics("text", "chosen")), fill)


async def test_score():
    checks = tuple(
        Check(
            name=bad,
            target=bad,
            actual=value,
            normalised=[bad],
            expected=[{"label": bad, "votes": 1}],
            value=0.0,
        )
        for bad in pages.HOSTILE
        for value in (bad, {bad: bad})
    )
    score = Score(status=Status.SCORED, value=0.0, rules=MIXED, combination=MIXED, checks=checks)
    both = msgspec.structs.replace(score, metrics={MIXED: 1.0}, beside=(score,))

    def fill(tree: ScoreTree) -> None:
        tree.score = both
        tree.action_set_all(True)
        assert not dangerous("".join(piece[0] for row in tree._rows for piece in row.pieces))

    await shown_safely(ScoreTree(), fill)


async def test_lists():
    def steps(widget: StepList) -> None:
        widget.steps = [
            Step(index=number, at="", text=bad, url=bad, ok=number % 2 == 0, error=bad, note=bad)
            for number, bad in enumerate(pages.HOSTILE)
        ]

    def messages(widget: MessagesLog) -> None:
        widget.extend(1, [PageMessage("console", "error", bad, bad) for bad in pages.HOSTILE])

    def notes(widget: Notes) -> None:
        for bad in pages.HOSTILE:
            widget.add(1, bad[:300])

    def completions(widget: CompletionList) -> None:
        widget.styles.overlay = "none"
        widget.show([Completion(bad, 0, bad) for bad in pages.HOSTILE])

    await shown_safely(StepList(), steps)
    await shown_safely(MessagesLog(), messages)
    await shown_safely(Notes(), notes)
    await shown_safely(CompletionList(), completions)


async def test_tasks():
    def table(widget: TaskTable) -> None:
        widget.records = [
            TaskEntry(benchmark=bad, name=bad, intent=bad, site=bad, kind=bad, template=bad)
            for bad in pages.HOSTILE
        ]
        widget.set_filter(pages.HOSTILE[1][:20])
        widget.set_filter("")

    await shown_safely(TaskTable(), table)


@pytest.mark.parametrize("bad", [MIXED, pages.HOSTILE[-1]], ids=["mixed", "long"])
async def test_titles_and_tabs(bad: str):
    task = Task(benchmark=bad, name=bad, intent=bad, site=bad, kind=bad, data={bad: bad, "x": [bad]})

    def preview(widget: TaskPreview) -> None:
        widget.shown_task = task
        widget.notes = (Entry(bad, bad),)

    def title(widget: TitleLine) -> None:
        widget.shown_task = task
        widget.progress, widget.agent = bad, (bad, bad)
        widget.observation = pages.hostile()

    def tabs(widget: TabsBar) -> None:
        widget.tabs = [Tab(0, bad, bad, active=True), Tab(1, bad, bad)]

    await shown_safely(TaskPreview(), preview)
    await shown_safely(TitleLine(), title)
    await shown_safely(TabsBar(), tabs)
    await shown_safely(EmptyState("Nothing"), lambda widget: widget.say(bad, bad, bad))


@pytest.mark.parametrize(
    "name", ["漢" * 1_000_000, "漢\u0301 " * 300_000, "a" * 999_999 + "漢"], ids=["wide", "marks", "late"]
)
def test_cutting_a_long_name_measures_what_is_shown_of_it(name: str, monkeypatch: pytest.MonkeyPatch):
    measured: list[int] = []

    def cells(text: str) -> int:
        measured.append(len(text))
        return cell_len(text)

    def cut(text: str, total: int) -> str:
        measured.append(len(text))
        return set_cell_size(text, total)

    monkeypatch.setattr(line, "cell_len", cells)
    monkeypatch.setattr(line, "set_cell_size", cut)
    shown = [shorten(name, 60), *wrap(name, 60, limit=400)]
    assert max(measured) < 600, "characters, of a million"
    assert len(measured) < 5 * 401
    assert len(shown) == 401
    assert all(cell_len(line) <= 60 for line in shown)
    assert shown[0].endswith("…")


async def test_a_long_label_leaves_room_for_what_it_stands_for():
    widget = TextRows()
    shown = await shown_safely(
        widget, lambda rows: setattr(rows, "entries", [Entry("漢" * 500, "the value")])
    )
    assert "the value" in shown
