"""A filled table: what runs, published predictions or data come to where a paper prints its numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.analysis.runs.success_rates import task_scores
from webbench.core.errors import BadData
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.settled import settled
from webbench.core.labels.visibility import done_with, sight
from webbench.core.statistics.estimates import Estimate, clustered_mean, wilson
from webbench.core.statistics.figures import letter
from webbench.core.store.store import Store
from webbench.core.trajectory import HUMAN, Trajectory

DATA = "data"
"""Source of rows that the data set itself comes to."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is filled from.

    Attributes:
        runs: in the order in which they are lettered; none where published predictions or data have to do.
        data: the folder of the benchmark's data, None where there is none.
        store: where the steps of the runs are read.
        problems: what could not be read; fills add to it.
    """

    runs: tuple[RecordedRun, ...] = ()
    data: Path | None = None
    store: Store | None = None
    seed: int = 0
    problems: list[str] = []

    def lettered(self) -> Iterator[tuple[str, RecordedRun]]:
        """Each run with the letter that rows name as their source."""
        return ((letter(at), run) for at, run in enumerate(self.runs))

    def trajectories(self, run: RecordedRun) -> Iterator[tuple[Recorded, Trajectory]]:
        """Episodes with their steps, one at a time; one that can't be read is told in `problems`."""
        for one in run.episodes:
            if self.store is None:
                return
            try:
                yield one, self.store.load(self.store.root / one.run / one.episode)
            except BadData as error:
                self.problems.append(f"{one.name}: {error}")


class FilledRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of ours.

    Attributes:
        source: the letter of the run, `DATA`, or the name of published predictions.
        labels: as the printed rows have them; another count of them is refused.
        values: in the measure's own unit (percent from 0 to 100); None where there is nothing to tell.
        beside: labels of the printed row that it is held against; () = the one with the same labels, else
            the table's headline, or its human row for people's runs.
        episodes: that it rests on, "run/episode".
    """

    source: str
    labels: tuple[str, ...]
    values: tuple[Estimate | None, ...]
    beside: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()


class Filled(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is filled with.

    Attributes:
        not_comparable: why ours and the printed numbers are not of the same thing, a sentence each.
        left_out: what is in no row, by reason.
        missing: what is needed to fill it, where there is no row.
    """

    rows: tuple[FilledRow, ...] = ()
    not_comparable: tuple[str, ...] = ()
    left_out: dict[str, int] = {}
    missing: str = ""


def percent(estimate: Estimate | None) -> Estimate | None:
    """A share as percent."""
    return estimate if estimate is None else _scaled(estimate, 100.0)


def counted(value: float | None, n: int = 0) -> Estimate | None:
    """A number that is no estimate: a count, a mean over all of a data set."""
    return None if value is None else Estimate(value=value, n=n)


def success_rate(episodes: Iterable[Recorded]) -> Estimate | None:
    """Percent of tasks solved, with Wilson's interval; None without a scored episode.

    A task is solved where each of its scored episodes reached 1.
    """
    tasks = task_scores(list(episodes))
    return percent(wilson(sum(one.solved for one in tasks), len(tasks))) if tasks else None


def share_percent(outcomes: Iterable[bool]) -> Estimate | None:
    """Percent of what is true, with Wilson's interval; None of nothing."""
    found = list(outcomes)
    return percent(wilson(sum(found), len(found))) if found else None


def mean_percent(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, *, seed: int = 0
) -> Estimate | None:
    """Mean of scores from 0 to 1 as percent, with a bootstrap interval; None of nothing.

    Args:
        clusters: of each value what is drawn together; each for itself if not given.
    """
    if not values:
        return None
    return percent(clustered_mean(values, range(len(values)) if clusters is None else clusters, seed=seed))


class CodeShares(msgspec.Struct, frozen=True, kw_only=True):
    """Of one run: how many of its labelled failures have each code, in percent."""

    source: str
    run: RecordedRun
    shares: dict[str, Estimate]
    episodes: tuple[str, ...]


def code_shares(
    evidence: Evidence, taxonomy: str, question: str, codes: Iterable[str]
) -> tuple[list[CodeShares], dict[str, int]]:
    """Shares of settled codes among the failed episodes that somebody labelled, and what is left out.

    A run without such an episode has none.
    """
    if evidence.store is None:
        return [], {}
    book = ledger_of(evidence.store).book()
    seen = sight(book)
    labels = [one for one in seen.labels if (one.taxonomy, one.question) == (taxonomy, question)]
    done = done_with(book, taxonomy)
    found = settled(labels, done)
    labelled = {(one.run, one.episode) for one in labels} | set(done)
    shares, opened, unlabelled = [], 0, 0
    for at, run in evidence.lettered():
        failed = [one for one in run.scored if one.value != 1]
        asked = [one for one in failed if (one.run, one.episode) in labelled]
        counting = [one for one in asked if (one.run, one.episode) not in found.still_open]
        unlabelled += len(failed) - len(asked)
        opened += len(asked) - len(counting)
        given = [found.codes.get((one.run, one.episode), set()) for one in counting]
        of = {code: share_percent(code in one for one in given) for code in codes}
        told = {code: share for code, share in of.items() if share is not None}
        if told:
            names = tuple(one.name for one in counting)
            shares.append(CodeShares(source=at, run=run, shares=told, episodes=names))
    left_out = {
        "failed episodes without a label": unlabelled,
        "failed episodes with an open question": opened,
    }
    return shares, left_out


def rows_of_runs(
    evidence: Evidence,
    labels: Callable[[RecordedRun], tuple[str, ...]],
    values: Callable[[Sequence[Recorded]], Sequence[Estimate | None]],
    *,
    beside: Callable[[RecordedRun], tuple[str, ...]] = lambda _run: (),
) -> tuple[FilledRow, ...]:
    """A row for each run, of its scored episodes; one without any has no row."""
    return tuple(
        FilledRow(
            source=at,
            labels=labels(run),
            values=tuple(values(run.scored)),
            beside=beside(run),
            episodes=tuple(one.name for one in run.scored),
        )
        for at, run in evidence.lettered()
        if run.scored
    )


def unscored(evidence: Evidence) -> dict[str, int]:
    """Episodes that are in no rate, by why."""
    found: dict[str, int] = {}
    for _, run in evidence.lettered():
        for state, count in run.states.items():
            if state != "scored":
                told = f"episodes {state.replace('_', ' ')}"
                found[told] = found.get(told, 0) + count
    return found


def steps_rows(
    evidence: Evidence,
    bins: Sequence[tuple[int, str]],
    values: Callable[[Sequence[Recorded]], Estimate | None],
) -> list[FilledRow]:
    """Rows of agent and steps: each run's scored episodes by their number of steps.

    Args:
        bins: the least number of steps of each with its name, ascending.
    """
    rows = []
    for at, run in evidence.lettered():
        for place, (least, name) in enumerate(bins):
            end = bins[place + 1][0] if place + 1 < len(bins) else None
            inside = [one for one in run.scored if one.steps >= least and (end is None or one.steps < end)]
            if inside:
                names = tuple(one.name for one in inside)
                rows.append(
                    FilledRow(source=at, labels=(run.agent, name), values=(values(inside),), episodes=names)
                )
    return rows


def is_human(run: RecordedRun) -> bool:
    """Whether a person alone acted in all of its episodes."""
    return bool(run.episodes) and all(one.header.actor == HUMAN for one in run.episodes)


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    def times(value: float | None) -> float | None:
        return None if value is None else value * factor

    return msgspec.structs.replace(
        estimate, value=times(estimate.value), low=times(estimate.low), high=times(estimate.high)
    )
