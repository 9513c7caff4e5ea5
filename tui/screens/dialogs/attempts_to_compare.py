"""Attempts to compare: those that are marked, or chosen in a table of all at the task; and how many."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen, Screen

from webbench.core.analysis.recorded.other_attempts import attempts_by_task, other_attempts
from webbench.core.store.index.summaries import EpisodeSummary, read_summary
from webbench.core.store.pools import members
from webbench.core.store.store import Store
from webbench.core.text.durations import duration_words, start_words
from webbench.core.text.no_value import NO_VALUE, or_dash
from webbench.core.text.plain_text import plain_clip, plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import Compare, go_to
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.record_table import RecordColumn, RecordTable
from webbench.tui.widgets.lists.run_tables import episode_status
from webbench.tui.workers import read_or_tell

MOST = 8
"""Attempts that are put side by side at once: more columns than that nobody reads."""
LONGEST_INTENT = 80


def taken_text(one: EpisodeSummary) -> str:
    """How long it took from its beginning to its end."""
    try:
        taken = datetime.fromisoformat(one.ended) - datetime.fromisoformat(one.started)
    except (ValueError, TypeError):
        return NO_VALUE
    return duration_words(taken.total_seconds()) if taken.total_seconds() > 0 else NO_VALUE


def score_text(one: EpisodeSummary) -> str:
    """The figure, and as corrected where somebody disputes it."""
    text = or_dash(one.value)
    return f"{text}, corrected {or_dash(one.as_corrected)}" if one.dispute else text


COLUMNS: tuple[RecordColumn[EpisodeSummary], ...] = (
    RecordColumn("Actor", lambda one: one.actor, 0, 9, least=18),
    RecordColumn("Score", score_text, 0, 9, right=True, least=6),
    RecordColumn("Status", episode_status, 11, 6),
    RecordColumn("Steps", lambda one: f"{one.steps:,}", 5, 8, right=True),
    RecordColumn("Took", taken_text, 12, 5, right=True),
    RecordColumn("Started", lambda one: start_words(one.started), 16, 7),
    RecordColumn("Run", lambda one: one.run, 0, 2, least=20),
)


class AttemptTable(RecordTable[EpisodeSummary]):
    """Scores of 1 stand out from those below."""

    def __init__(self, **names: Any) -> None:
        super().__init__(COLUMNS, lambda one: (one.run, one.episode), "attempt", **names)

    def part_of(self, record: EpisodeSummary, column: RecordColumn[EpisodeSummary], number: int) -> str:
        if column.title == "Score" and record.value is not None:
            return "record-table--good" if record.value == 1 else "record-table--bad"
        return super().part_of(record, column, number)


class AttemptPicker(ModalScreen[tuple[EpisodeSummary, ...]], ScreenOffers):
    """Gives the marked attempts, the one under the cursor where none is marked, or none.

    Args:
        attempts: to choose from, people's first.
        most: that can be taken at once.
    """

    CSS = """
    AttemptPicker { align: center middle; }
    AttemptPicker > AttemptTable { width: 94%; height: auto; max-height: 80%; min-height: 6; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("attempts")]
    AUTO_FOCUS = "AttemptTable"

    def __init__(self, attempts: Sequence[EpisodeSummary], most: int) -> None:
        super().__init__()
        self.attempts = tuple(attempts)
        self.most = most

    def compose(self) -> ComposeResult:
        yield AttemptTable()
        yield KeyFooter()

    @property
    def footer_titles(self) -> dict[str, str]:
        return {"records.open": "Compare"}

    def on_mount(self) -> None:
        table = self.query_one(AttemptTable)
        table.records = self.attempts
        table.styles.height = len(self.attempts) + 3
        table.say(f"Compare with which of {counted(len(self.attempts), 'other attempt')}?")

    def on_record_table_activated(self, message: RecordTable.Activated) -> None:
        self.dismiss(message.table.chosen[: self.most])

    def action_take_all(self) -> None:
        """As many as stand side by side, from the top."""
        self.dismiss(self.query_one(AttemptTable).records[: self.most])

    def action_back(self) -> None:
        self.dismiss(())


async def open_comparison(screen: Screen[None], store: Store, episodes: Sequence[EpisodeSummary]) -> None:
    """Show the episodes side by side; beside a single one, ask which other attempts. Run it as a worker."""
    if not episodes:
        _tell(screen, "There is no episode here to compare.")
        return
    tasks = list(dict.fromkeys(f"{one.benchmark} {one.task}" for one in episodes))
    if len(tasks) > 1:
        _tell(
            screen, f"These are attempts at {len(tasks)} tasks: {tasks[0]}, {tasks[1]} … Mark those at one."
        )
        return
    chosen = list(episodes)
    if len(chosen) == 1:
        chosen += await choose_others(screen, store, chosen)
    if len(chosen) > 1:
        folders = [store.root / one.run / one.episode for one in chosen[:MOST]]
        go_to(screen, Compare(store, folders))


async def attempts_of_pool(screen: Screen[None], store: Store, pool: str) -> list[EpisodeSummary]:
    """Ask at which task the attempts of a pool are to be compared; those, none where there are no two."""
    found = await read_or_tell(screen, lambda: attempts_by_task(store, members(store.root, pool)))
    several = {task: tried for task, tried in (found or {}).items() if len(tried) > 1}
    if not several:
        if found is not None:
            _tell(screen, f"{pool} has no two attempts at a task.")
        return []
    choices = [(task, f"{task}: {_attempts_words(tried)}") for task, tried in several.items()]
    task = await screen.app.push_screen_wait(ChoicePrompt("Attempts at which task?", choices))
    return several[task] if task is not None else []


def _attempts_words(tried: Sequence[EpisodeSummary]) -> str:
    solved = sum(one.value == 1 for one in tried)
    intent = next((one.intent for one in tried if one.intent), "")
    told = (f"{counted(len(tried), 'attempt')}, {solved} solved", plain_clip(intent, LONGEST_INTENT))
    return " · ".join(filter(None, told))


async def compare_with_others(screen: Screen[None], store: Store, folder: Path) -> None:
    """Ask which other attempts at its task to show an episode beside. Run it as a worker."""
    episode = await asyncio.to_thread(read_summary, folder)
    await open_comparison(screen, store, [episode])


async def more_attempts(screen: Screen[None], store: Store, folders: Sequence[Path]) -> list[Path]:
    """Folders of other attempts to put beside those that are shown, asked for. Run it as a worker."""
    shown = [await asyncio.to_thread(read_summary, folder) for folder in folders]
    if len(shown) >= MOST:
        _tell(screen, f"{MOST} attempts are as many as stand side by side.")
        return []
    others = await choose_others(screen, store, shown)
    return [store.root / one.run / one.episode for one in others[: MOST - len(shown)]]


async def choose_others(
    screen: Screen[None], store: Store, episodes: Sequence[EpisodeSummary]
) -> tuple[EpisodeSummary, ...]:
    """Those of the other attempts at the episodes' task that are picked; none where there is none."""
    known = {(one.run, one.episode) for one in episodes}
    found = await asyncio.to_thread(other_attempts, store, episodes[0])
    others = tuple(one for one in found if (one.run, one.episode) not in known)
    if not others:
        _tell(screen, f"The store has no other attempt at {episodes[0].benchmark} {episodes[0].task}.")
        return ()
    if len(others) == 1:
        return others
    return await screen.app.push_screen_wait(AttemptPicker(others, MOST - len(episodes)))


def _tell(screen: Screen[None], text: str) -> None:
    screen.notify(plain_text(text, limit=300), markup=False)
