"""The store for Python programs: episodes by the filter language of lists, and as pandas tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, overload

import msgspec

from webbench.core.analysis.find.find import Found, find
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.api.defaults import open_store
from webbench.core.api.naming import find_episode
from webbench.core.errors import BadData
from webbench.core.exchange.own.flat_rows import (
    CheckRow,
    EpisodeRow,
    LabelRow,
    StepRow,
    check_rows,
    episode_row,
    label_rows,
    step_rows,
)
from webbench.core.exchange.own.table_exporter import columns
from webbench.core.labels.corrected_lists import corrected_episodes, corrected_runs
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.visibility import open_labels
from webbench.core.observation import Observation, Screenshot
from webbench.core.store.index.filters import parse_filter
from webbench.core.store.index.summaries import EpisodeSummary, RunSummary
from webbench.core.store.store import Store as RecordStore
from webbench.core.task import Task, name_and_instance
from webbench.core.text.plain_text import without_surrogates
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory

if TYPE_CHECKING:
    import pandas as pd

Row = TypeVar("Row", bound=EpisodeRow | StepRow | CheckRow | LabelRow)

PANDAS_TYPES = {str: "string", int: "Int64", float: "Float64", bool: "boolean"}
"""All of them hold NA, so that "not scored" is never 0."""


class Store:
    """All runs and episodes below one folder. Reading needs no browser and changes nothing.

    Args:
        path: the folder; None: the configured one, which `webbench-tui` uses too.

    Raises `UsageError` where something else than a folder is there.

    Example:
        >>> import webbench as wb
        >>> episodes = wb.Store("my-store").episodes("benchmark:webarena actor:human").to_pandas()
        >>> episodes.groupby("site")["value"].mean()
    """

    def __init__(self, path: Path | str | RecordStore | None = None) -> None:
        self.records = path if isinstance(path, RecordStore) else open_store(_path(path))

    @property
    def root(self) -> Path:
        """Its folder."""
        return self.records.root

    def runs(self) -> list[RunSummary]:
        """All runs, newest first; one that can't be read says so in `problem`."""
        return corrected_runs(self.records)

    def episodes(self, filter: str = "") -> Episodes:
        """The episodes that a filter lets through, by run and order of execution.

        Args:
            filter: as in `webbench-tui runs FILTER`: `benchmark:webarena actor:human status:scored "a text"`.
                Before a colon may stand benchmark, run, actor, task, site, status; every other word is looked
                for in task, intent, site, split, actor, run, episode and the reason of the end.

        Raises `UsageError` for an unknown status and for a quotation mark without its partner.
        """
        found = corrected_episodes(self.records, self.records.select(parse_filter(filter)))
        return Episodes(self.records, found)

    def find(
        self,
        text: str,
        filter: str = "",
        *,
        within: Collection[str] = (),
        most: int = 50,
        most_hits: int = 10,
    ) -> Found:
        """Look for a text in all that is recorded of the episodes that a filter lets through.

        The first time their texts are read, which takes a while; later what is new or changed.

        Args:
            text: all its words have to stand in one text; `"..."` is a phrase, `wor*` a beginning, `AND`,
                `OR`, `NOT` and parentheses do what they say.
            within: only in these kinds of texts: "action", "page", "label" ...; all if empty.
            most, most_hits: episodes that are listed, and hits of each; the others are counted.

        Raises `UsageError` for a text without a word, a filter or a kind that is none; `EnvironmentDown`.
        """
        return find(self.records, text, filter, within=within, most=most, most_hits=most_hits)

    def load(self, episode: str | Path | EpisodeSummary) -> Trajectory:
        """An episode with every step that can be read; what could not is told in `problems`.

        Args:
            episode: its name, the beginning of it, "run/episode", its folder, or what `episodes` gave.

        Raises `UsageError` for an unknown one, `BadData` for one that can't be read at all.
        """
        return self.records.load(episode_folder(self.records, episode))

    def recorded(self, episode: str | Path | EpisodeSummary) -> RecordedEpisode:
        """An episode to be looked at step by step: frames, differences, words, a search. See `load`."""
        return RecordedEpisode(self.records, self.load(episode))

    def observation(self, trajectory: Trajectory, step: Step) -> Observation:
        """What the actor saw after the step, `Observation()` where none was recorded. Raises `BadData`."""
        return self.records.observation(trajectory, step)

    def screenshot(self, trajectory: Trajectory, step: Step) -> Screenshot | None:
        """The picture recorded with the step, None where there is none. Raises `BadData`."""
        return self.records.screenshot(trajectory, step)

    def html(self, trajectory: Trajectory, step: Step) -> str:
        """The page's HTML recorded with the step, or "". Raises `BadData`."""
        return self.records.html(trajectory, step)

    def __repr__(self) -> str:
        return f"<Store {self.root}>"


class Episodes(Sequence[EpisodeSummary]):
    """Episodes of a store as their summaries: a sequence that can also be read as tables.

    Example:
        >>> episodes = wb.Store().episodes("benchmark:webarena")
        >>> episodes.to_pandas(), episodes.steps().to_pandas(), episodes.checks().to_pandas()
    """

    def __init__(self, records: RecordStore, summaries: Sequence[EpisodeSummary]) -> None:
        self._records = records
        self._summaries = tuple(summaries)

    @overload
    def __getitem__(self, at: int) -> EpisodeSummary: ...
    @overload
    def __getitem__(self, at: slice) -> Episodes: ...
    def __getitem__(self, at: int | slice) -> EpisodeSummary | Episodes:
        if isinstance(at, slice):
            return Episodes(self._records, self._summaries[at])
        return self._summaries[at]

    def __len__(self) -> int:
        return len(self._summaries)

    def __repr__(self) -> str:
        return f"<Episodes: {len(self)} of {self._records.root}>"

    @property
    def names(self) -> list[str]:
        """As commands and `Store.load` find them: "run/episode"."""
        return [f"{one.run}/{one.episode}" for one in self._summaries]

    def trajectories(self) -> Iterator[Trajectory]:
        """Each with its steps, read one at a time; what can't be read at all is left out."""
        for one in self._summaries:
            try:
                yield self._records.load(self._records.root / one.run / one.episode)
            except BadData:
                continue

    def to_pandas(self) -> pd.DataFrame:
        """One row for each episode; the columns are the fields of `EpisodeRow`.

        `value` is NA unless `status` is "scored": an episode without a score is never 0. One that can't be
        read has the status "unreadable", and in `score_reason` why.
        """
        return self._rows().to_pandas()

    def steps(self) -> Rows[StepRow]:
        """Every step of them; step 0 is the start."""
        return Rows(StepRow, lambda: (row for one in self.trajectories() for row in step_rows(one)))

    def checks(self) -> Rows[CheckRow]:
        """Every check of their scores, those of other rule sets too (column `rules`)."""
        return Rows(CheckRow, lambda: (row for one in self.trajectories() for row in check_rows(one)))

    def labels(self) -> Rows[LabelRow]:
        """Every label that nobody may be swayed by any more: those of annotators who are done."""

        def found() -> Iterator[LabelRow]:
            given = open_labels(ledger_of(self._records).book())
            for one in self._summaries:
                yield from label_rows(given.get((one.run, one.episode), ()))

        return Rows(LabelRow, found)

    def _rows(self) -> Rows[EpisodeRow]:
        def found() -> Iterator[EpisodeRow]:
            book = ledger_of(self._records).book()
            for one in self._summaries:
                try:
                    trajectory = self._records.load(self._records.root / one.run / one.episode)
                except BadData as error:
                    nothing = Trajectory(header=_header(one), problems=(str(error),))
                    row = episode_row(nothing, book)
                    yield msgspec.structs.replace(row, status="unreadable", score_reason=str(error))
                else:
                    yield episode_row(trajectory, book)

        return Rows(EpisodeRow, found)


class Rows(Generic[Row]):
    """Flat rows, read when they are asked for: iterate, or take them all as a pandas table.

    Example:
        >>> import webbench as wb
        >>> steps = wb.Store().episodes("webarena actor:human").steps()
        >>> [row.sent for row in steps][:3]
        ['', 'click [181]', 'type [12] [camp mug] [1]']
        >>> steps.to_pandas()["seconds_idle"].sum()
        31.4
    """

    def __init__(self, kind: type[Row], read: Callable[[], Iterable[Row]]) -> None:
        self.kind = kind
        self._read = read

    def __iter__(self) -> Iterator[Row]:
        return iter(self._read())

    def to_pandas(self) -> pd.DataFrame:
        """All rows; the columns are the row type's fields, with pandas types that hold NA."""
        import pandas as pd

        rows = [msgspec.structs.astuple(row) for row in self]
        found = {}
        for at, (name, kind) in enumerate(columns(self.kind).items()):
            values = [without_surrogates(row[at]) for row in rows]
            found[name] = pd.array(values, dtype=PANDAS_TYPES[kind])
        return pd.DataFrame(found)


def core_store(given: Store | RecordStore | Path | str | None) -> RecordStore:
    """The store itself, or the one of this folder; None: the configured one. Raises `UsageError`."""
    if isinstance(given, RecordStore):
        return given
    return given.records if isinstance(given, Store) else open_store(_path(given))


def episode_folder(store: RecordStore, episode: str | Path | EpisodeSummary) -> Path:
    """Where an episode lies. Raises `UsageError` for an unknown one, naming the nearest."""
    if isinstance(episode, EpisodeSummary):
        return store.root / episode.run / episode.episode
    return find_episode(store, str(episode))


def _path(given: Path | str | None) -> Path | None:
    return None if given is None else Path(given)


def _header(summary: EpisodeSummary) -> EpisodeHeader:
    """What is known of an episode whose record can't be read."""
    name, instance = name_and_instance(summary.task)
    task = Task(benchmark=summary.benchmark, name=name, instance=instance)
    return EpisodeHeader(
        run=summary.run, episode=summary.episode, task=task, actor=summary.actor, dialect=summary.dialect
    )
