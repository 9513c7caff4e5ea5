"""Recorded episodes of one task side by side, ready for a screen, a table or JSON."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.analysis.align import Alignment, align
from webbench.core.analysis.divergence import Divergence, diverge
from webbench.core.analysis.moments import Moment, moments
from webbench.core.errors import BadData, UsageError
from webbench.core.observation import Observation
from webbench.core.score import Score
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

SCHEMA_VERSION = 1


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One actor's column.

    Attributes:
        steps: indices of the steps that the alignment's places stand for.
        problems: what of the record could not be read.
    """

    run: str
    episode: str
    actor: str
    steps: tuple[int, ...]
    score: Score | None
    seconds: float
    problems: tuple[str, ...] = ()


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two or more attempts at a task, a human's first where there is one."""

    task: str
    benchmark: str
    attempts: tuple[Attempt, ...]
    alignment: Alignment
    divergence: Divergence


def compare(store: Store, trajectories: Sequence[Trajectory]) -> Comparison:
    """Align recorded episodes.

    Raises `UsageError` for fewer than two, and for episodes of different tasks.
    """
    if len(trajectories) < 2:
        raise UsageError("There is nothing to compare with", "name two or more episodes of one task")
    ordered = sorted(trajectories, key=lambda one: one.header.actor != "human")
    tasks = list(dict.fromkeys((one.header.task.benchmark, one.header.task.id) for one in ordered))
    if len(tasks) > 1:
        told = " and ".join(f"{benchmark} {task}" for benchmark, task in tasks[:3])
        raise UsageError(f"These episodes are of different tasks: {told}", "compare attempts at the same one")
    problems: list[list[str]] = [list(one.problems) for one in ordered]
    walks = [_moments(store, one, told) for one, told in zip(ordered, problems, strict=True)]
    alignment = align(walks)
    return Comparison(
        benchmark=tasks[0][0],
        task=tasks[0][1],
        attempts=tuple(
            _attempt(one, walk, told) for one, walk, told in zip(ordered, walks, problems, strict=True)
        ),
        alignment=alignment,
        divergence=diverge(alignment, walks),
    )


def _moments(store: Store, trajectory: Trajectory, problems: list[str]) -> tuple[Moment, ...]:
    def look(step: Step) -> Observation | None:
        try:
            return store.observation(trajectory, step) if step.observation else None
        except BadData as error:
            problems.append(str(error))
            return None

    return moments(trajectory, look)


def _attempt(trajectory: Trajectory, walk: Sequence[Moment], problems: list[str]) -> Attempt:
    header = trajectory.header
    return Attempt(
        run=header.run,
        episode=header.episode,
        actor=header.actor,
        steps=tuple(moment.step for moment in walk),
        score=header.score,
        seconds=trajectory.seconds,
        problems=tuple(problems),
    )
