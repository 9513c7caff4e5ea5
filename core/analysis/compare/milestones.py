"""Which key nodes and checks an attempt met, and at which step.

Read from the scores that were recorded with the steps, one milestone for each counted check that a score is
combined from. A check is met from the first step after which it has its full value; one that later loses it
was lost. One that comes and goes is of a benchmark that scores each step by itself: there it counts how often
it was met. Where only the episode as a whole was scored, the record doesn't tell the step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from webbench.core.score.score import Check, Score, Status
from webbench.core.trajectory import Trajectory

FULL = 1.0

Key = tuple[str, str, int]
"""Target and name of a check, and its number among those alike in one score."""


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt made of a check.

    Attributes:
        step: the first after which it was met, None where it never was or where the record doesn't tell.
        lost: the step after which it was not met any more, None where it holds to the end, never did, or
            where only the episode's own score lost it.
        met: it holds in the last score that has it.
        times, scored: after how many steps it was met, and after how many it was scored.
        changing: it was met again after it had been lost.
        status, value: in that score; "not_scored" where no score has it.
    """

    step: int | None = None
    lost: int | None = None
    met: bool = False
    times: int = 0
    scored: int = 0
    changing: bool = False
    status: Status = Status.NOT_SCORED
    value: float | None = None


class Milestone(msgspec.Struct, frozen=True, kw_only=True):
    """A check of the task, with what each attempt made of it."""

    target: str
    name: str
    reached: tuple[Reached, ...]


def milestones(trajectories: Sequence[Trajectory]) -> tuple[Milestone, ...]:
    """The counted checks of attempts at one task, in the order in which their scores name them."""
    found = [histories(one) for one in trajectories]
    keys = dict.fromkeys(key for history in found for key in history)
    return tuple(
        Milestone(
            target=key[0],
            name=key[1],
            reached=tuple(_reached(history.get(key, ())) for history in found),
        )
        for key in keys
    )


def reached_words(reached: Reached) -> str:
    """Such as "step 4", "step 2, lost after step 5", "5 of 9 steps, first step 2", "never", "pending"."""
    if reached.changing:
        return f"{reached.times} of {reached.scored} steps, first step {reached.step}"
    if reached.step is not None:
        when = "at the end" if reached.lost is None else f"after step {reached.lost}"
        return f"step {reached.step}" + ("" if reached.met else f", lost {when}")
    if reached.met:
        return "met, no step recorded"
    return "never" if reached.status is Status.SCORED else reached.status.words


def histories(trajectory: Trajectory) -> dict[Key, list[tuple[int | None, Check]]]:
    """Per check what it was after each scored step; the episode's own score, last, has no step."""
    found: dict[Key, list[tuple[int | None, Check]]] = {}
    scores = [(step.index, step.score) for step in trajectory.steps if step.score is not None]
    final = trajectory.header.score
    for step, score in [*scores, *([(None, final)] if final is not None else [])]:
        for key, check in _keyed(score):
            found.setdefault(key, []).append((step, check))
    return found


def _keyed(score: Score) -> Iterator[tuple[Key, Check]]:
    numbers: Counter[tuple[str, str]] = Counter()
    for check in score.checks:
        if check.counted:
            numbers[check.target, check.name] += 1
            yield (check.target, check.name, numbers[check.target, check.name]), check


def _reached(history: Sequence[tuple[int | None, Check]]) -> Reached:
    if not history:
        return Reached()
    last = history[-1][1]
    met = [is_met(check) for _, check in history]
    of_steps = [is_met(check) for step, check in history if step is not None]
    lost = None
    if True in met and not met[-1]:
        after = len(met) - met[::-1].index(True)
        lost = history[after][0]
    return Reached(
        step=history[met.index(True)][0] if True in met else None,
        lost=lost,
        met=met[-1],
        times=sum(of_steps),
        scored=len(of_steps),
        changing=[key for key, _ in groupby(of_steps)].count(True) > 1,
        status=last.status,
        value=last.value,
    )


def is_met(check: Check) -> bool:
    """It has its full value."""
    return check.status is Status.SCORED and check.value is not None and check.value >= FULL
