"""What a board of runs shows of those that are being played, beside what the store's lists say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from webbench.core.errors import WebbenchError
from webbench.core.labels.corrected_lists import corrected_episodes
from webbench.core.runner.lease import read_beat
from webbench.core.runner.plan.plan import FILE as PLAN
from webbench.core.runner.status.run_status import RunningEpisode, RunStatus, run_status
from webbench.core.runner.status.status_words import AT_WORK
from webbench.core.store.index.summaries import EpisodeSummary, RunSummary, State
from webbench.core.store.store import Store


def statuses_at_work(root: Path, runs: Iterable[str]) -> dict[str, RunStatus]:
    """Of those runs that a runner has not left, by name; one whose plan can't be read is left out."""
    found = {run: planned_status(root, run) for run in runs if read_beat(root / run) is not None}
    return {run: status for run, status in found.items() if status is not None and status.state in AT_WORK}


def unfinished_statuses(root: Path, runs: Iterable[RunSummary]) -> dict[str, RunStatus]:
    """Of those planned runs that are not at their end, by name, whether or not a runner is at work.

    A run whose summary is whole is not looked into.
    """
    short = [one.run for one in runs if one.episodes < one.planned or one.scored < one.episodes]
    found = {run: planned_status(root, run) for run in short}
    return {run: one for run, one in found.items() if one is not None and one.state != "finished"}


def planned_status(root: Path, run: str) -> RunStatus | None:
    """The status of a run that has a plan; None for a person's sitting, and for one that can't be read."""
    if not (root / run / PLAN).is_file():
        return None
    try:
        return run_status(root, run)
    except WebbenchError:
        return None


def look_at(store: Store, run: str) -> tuple[RunStatus | None, list[EpisodeSummary]]:
    """A run's status, None where it has no plan, and its episodes with corrected scores, for the board.

    Raises `UsageError` for an unknown run.
    """
    episodes = corrected_episodes(store, store.episodes(run))
    status = planned_status(store.root, run)
    return status, episodes if status is None else on_the_board(episodes, status)


def as_it_stands(run: RunSummary, status: RunStatus) -> RunSummary:
    """The line of a list, by what its log says now."""
    return msgspec.structs.replace(
        run,
        planned=status.planned,
        episodes=status.done + len(status.running),
        scored=status.scored,
        mean_score=status.mean_score,
        mixed=status.mixed,
    )


def on_the_board(episodes: Sequence[EpisodeSummary], status: RunStatus) -> list[EpisodeSummary]:
    """Episodes with what the runner says of them: those that are going on first, then in order.

    An attempt that a later one stands in for is `replaced`; it keeps what came of it.
    """
    running = {one.episode: one for one in status.running}
    latest = _latest(episodes)
    told = [_board_row(one, running, latest) for one in episodes]
    return sorted(told, key=lambda one: (one.episode not in running, one.order, one.started))


def _latest(episodes: Sequence[EpisodeSummary]) -> dict[int, EpisodeSummary]:
    """The last attempt at each planned episode."""
    return {one.order: one for one in sorted(episodes, key=lambda one: one.started)}


def _board_row(
    episode: EpisodeSummary, running: Mapping[str, RunningEpisode], latest: Mapping[int, EpisodeSummary]
) -> EpisodeSummary:
    going_on = running.get(episode.episode)
    if going_on is not None:
        state: State = "stale" if going_on.stale else "running"
        where = f" on {going_on.worker}" if going_on.worker else ""
        reason = f"last step {going_on.step_age:.0f} s ago{where}"
        return msgspec.structs.replace(episode, state=state, steps=going_on.steps, reason=reason)
    if latest[episode.order].episode != episode.episode and episode.state != "unreadable":
        return msgspec.structs.replace(episode, state="replaced")
    return episode
