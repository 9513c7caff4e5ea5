"""The difficulty of a task, by what two closed-book models come to on it (section 6.1 of the paper)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.errors import UsageError

ENOUGH = 0.5
"""The accuracy with which a model counts as having answered."""


class RatedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task with the mean score of each run, None where it has none, and the difficulty that follows.

    Attributes:
        given: the difficulty that its data set tells, "" for none.
        difficulty: "Easy" where both models answered, "Medium" where one did, "Hard" where none did; "" where
            a run has no score for it, so that it can't be told.
    """

    task: str
    scores: tuple[float | None, ...]
    given: str
    difficulty: str


def rate_difficulty(runs: Sequence[RecordedRun]) -> tuple[RatedTask, ...]:
    """Every task that either run has, in the first one's order. Raises `UsageError` unless there are two."""
    if len(runs) != 2:
        told = f"The difficulty follows from two runs, not {len(runs)}"
        raise UsageError(told, "name one of each of two closed-book models")
    means = [_means(run) for run in runs]
    given = {one.task.id: one.task.kind for run in runs for one in run.episodes}
    return tuple(_rated(task, tuple(mean.get(task) for mean in means), kind) for task, kind in given.items())


def _rated(task: str, scores: tuple[float | None, ...], given: str) -> RatedTask:
    known = [score for score in scores if score is not None]
    answered = sum(score >= ENOUGH for score in known)
    difficulty = ("Hard", "Medium", "Easy")[answered] if len(known) == len(scores) else ""
    return RatedTask(task=task, scores=scores, given=given, difficulty=difficulty)


def _means(run: RecordedRun) -> Mapping[str, float]:
    values: dict[str, list[float]] = {}
    for one in run.scored:
        assert one.value is not None
        values.setdefault(one.task.id, []).append(one.value)
    return {task: sum(found) / len(found) for task, found in values.items()}
