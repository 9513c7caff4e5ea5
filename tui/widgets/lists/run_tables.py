"""Runs, and the episodes of one, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from webbench.core.runner.status.run_status import RunStatus
from webbench.core.runner.status.status_words import standing_words
from webbench.core.score.score import Status
from webbench.core.store.index.summaries import EpisodeSummary, RunSummary
from webbench.core.text.durations import start_words
from webbench.core.text.no_value import or_dash
from webbench.tui.widgets.lists.record_table import Columns, RecordColumn, RecordTable

GONE_WRONG = ("stale", "died", "halted")
"""States of a run that somebody has to look after."""
NAME, TAG, NOTE, STARTED = "Name", "Tag", "Note", "Started (UTC)"
"""Titles of columns that are there where such a thing is known of a run."""
CORRECTED = "Corrected"
"""Title of the column of scores as people correct them; it is there where somebody disputes one."""


def run_state(run: RunSummary, status: RunStatus | None = None) -> str:
    """What keeps a run from being whole, how many scores are disputed, and how many were given later."""
    told = [standing_words(run, status)]
    if run.disputed and not run.problem:
        told.append(f"{run.disputed:,} disputed")
    if run.later and not run.problem:
        told.append(f"{run.later:,} scored later")
    return ", ".join(filter(None, told)) or "complete"


def episode_status(episode: EpisodeSummary) -> str:
    """ "scored", why there is no score in a word, or that it did not end."""
    return episode.state if episode.state != "ended" else episode.status.words


def reason(episode: EpisodeSummary) -> str:
    """Why it ended, or can't be read; a fork says first what it is a fork of."""
    told = episode.reason_words
    origin = episode.origin
    return f"fork of {origin.episode} at step {origin.step}; {told}" if origin is not None else told


STATE: RecordColumn[RunSummary] = RecordColumn("State", run_state, 0, 5, least=24)
TAGS: RecordColumn[RunSummary] = RecordColumn(TAG, lambda run: " ".join(run.tags), 0, 6, least=8)
RUN_COLUMNS: tuple[RecordColumn[RunSummary], ...] = (
    RecordColumn("Agent", lambda run: run.agent, 0, 9, least=24, middle=True),
    RecordColumn(NAME, lambda run: run.name, 0, 8, least=16),
    RecordColumn("Benchmark", lambda run: run.benchmark, 0, 7, least=12),
    RecordColumn(STARTED, lambda run: start_words(run.started), 16, 8),
    RecordColumn("Episodes", lambda run: f"{run.episodes:,}", 8, 5, right=True),
    RecordColumn("Scored", lambda run: f"{run.scored:,}", 6, 4, right=True),
    RecordColumn("Mean", lambda run: or_dash(run.mean_score), 6, 8, right=True),
    RecordColumn(CORRECTED, lambda run: or_dash(run.as_corrected), 9, 8, right=True),
    TAGS,
    STATE,
    RecordColumn(NOTE, lambda run: run.note, 0, 2, least=16),
    RecordColumn("Run", lambda run: run.run, 0, 1, least=30, middle=True),
)
"""A folder's name says little that the others don't; the one under the cursor stands above its episodes."""

EPISODE_COLUMNS: tuple[RecordColumn[EpisodeSummary], ...] = (
    RecordColumn("Task", lambda one: one.task or one.episode, 0, 9, least=20),
    RecordColumn("Intent", lambda one: one.intent, 0, 3, least=24),
    RecordColumn("Actor", lambda one: one.actor, 0, 6, least=16, middle=True),
    RecordColumn("Status", episode_status, 11, 7),
    RecordColumn("Value", lambda one: or_dash(one.value), 6, 8, right=True),
    RecordColumn(CORRECTED, lambda one: or_dash(one.as_corrected), 9, 8, right=True),
    RecordColumn("Steps", lambda one: one.steps_words, 5, 5, right=True),
    RecordColumn("Reason", lambda one: reason(one), 0, 2, least=16),
)


class RunTable(RecordTable[RunSummary]):
    """Newest first."""

    nothing_text = empty_text = "Reading the store…"

    def __init__(self, **names: Any) -> None:
        state = replace(STATE, text=lambda run: run_state(run, self.statuses.get(run.run)))
        tags = replace(TAGS, text=lambda run: " ".join((*run.tags, *self.pools.get(run.run, ()))))
        own = {STATE.title: state, TAGS.title: tags}
        columns = tuple(own.get(one.title, one) for one in RUN_COLUMNS)
        super().__init__(columns, lambda run: run.run, "run", **names)
        self.statuses: Mapping[str, RunStatus] = {}
        """Of planned runs that are not finished, by name."""
        self.pools: Mapping[str, Sequence[str]] = {}
        """Pools that each run is in, which stand beside its tags."""
        self._archived = 0

    def say_archived(self, count: int) -> None:
        """How many runs are left out of the list."""
        self._archived = count

    def told(self) -> list[str]:
        return [*super().told(), *([f"{self._archived:,} archived"] if self._archived else [])]

    def columns_for(self, columns: Columns[RunSummary]) -> Columns[RunSummary]:
        runs = self.all_records
        here = {
            CORRECTED: any(run.disputed for run in runs),
            NAME: any(run.name for run in runs),
            TAG: any(run.tags or run.run in self.pools for run in runs),
            NOTE: any(run.note for run in runs),
            STARTED: any(run.started or run.imported for run in runs),
        }
        return tuple(one for one in columns if here.get(one.title, True))

    def part_of(self, record: RunSummary, column: RecordColumn[RunSummary], number: int) -> str:
        if column.title == "State":
            status = self.statuses.get(record.run)
            if record.problem or (status is not None and status.state in GONE_WRONG):
                return "record-table--bad"
            if status is not None and status.state == "running":
                return "record-table--good"
        return super().part_of(record, column, number)


class EpisodeTable(RecordTable[EpisodeSummary]):
    """In order of execution."""

    nothing_text = empty_text = "Choose a run."

    def __init__(self, **names: Any) -> None:
        super().__init__(EPISODE_COLUMNS, lambda one: f"{one.run}/{one.episode}", "episode", **names)

    def columns_for(self, columns: Columns[EpisodeSummary]) -> Columns[EpisodeSummary]:
        disputed = any(one.dispute for one in self.all_records)
        return columns if disputed else tuple(one for one in columns if one.title != CORRECTED)

    def part_of(self, record: EpisodeSummary, column: RecordColumn[EpisodeSummary], number: int) -> str:
        if column.title == "Status":
            bad = record.state in ("interrupted", "unreadable", "stale") or record.status is Status.ERROR
            good = record.state == "running" or (record.status is Status.SCORED and record.value == 1)
            return "record-table--bad" if bad else "record-table--good" if good else "row-list--row"
        return super().part_of(record, column, number)
