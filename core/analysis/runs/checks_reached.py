"""At which step checks or key nodes were reached (as in WebCanvas, figures 11 and 12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.core.analysis.compare.milestones import milestones
from webbench.core.analysis.runs.step_counts import bin_width
from webbench.core.benchmark.benchmark import Benchmark, TellsSteps, step_reached
from webbench.core.score.score import Check, Score, Status
from webbench.core.statistics.figures import HeatMap, Section
from webbench.core.trajectory import Trajectory

MOST_COLUMNS = 8
MOST_ROWS = 20

ABOUT = (
    "Share of episodes in which the first, second, … check of the score (a key node, a form field) stood at "
    "1 by that step. Only episodes are in it that were scored on the way, or whose checks tell their step."
)


class Reached(msgspec.Struct, frozen=True):
    """An episode's checks in order: the first step from which each stood at 1, None for never."""

    episode: str
    steps: tuple[int | None, ...]
    last: int


def reached(trajectory: Trajectory, benchmark: Benchmark | None = None) -> tuple[int | None, ...]:
    """For each counted check of the final score the first step at which it stood at 1, None for never.

    Empty where nobody knows when: the episode has no score, or no step but the last was scored and the
    benchmark's checks don't tell.
    """
    if trajectory.header.score is None or trajectory.header.score.status is not Status.SCORED:
        return ()
    checks = _counted(trajectory.header.score)
    if sum(step.score is not None and bool(step.score.checks) for step in trajectory.steps) > 1:
        return _on_the_way(trajectory, checks)
    told = tuple(step_reached(benchmark, check) for check in checks)
    silent = any(step is None and check.value == 1 for step, check in zip(told, checks, strict=True))
    return () if silent or not isinstance(benchmark, TellsSteps) else told


def _on_the_way(trajectory: Trajectory, checks: Sequence[Check]) -> tuple[int | None, ...]:
    """What the episode's own score alone holds met was met at its last step."""
    last = trajectory.steps[-1].index
    steps: dict[tuple[str, str], list[int | None]] = {}
    for milestone in milestones([trajectory]):
        found = milestone.reached[0]
        step = last if found.met and found.step is None else found.step
        steps.setdefault((milestone.target, milestone.name), []).append(step)
    return tuple(steps[check.target, check.name].pop(0) for check in checks)


def _counted(score: Score) -> tuple[Check, ...]:
    return tuple(check for check in score.checks if check.counted and check.status is not Status.NOT_SCORED)


def of_episode(name: str, trajectory: Trajectory, benchmark: Benchmark | None = None) -> Reached | None:
    """An episode for the heat map; None where it doesn't tell."""
    steps = reached(trajectory, benchmark)
    if not steps or not trajectory.steps:
        return None
    return Reached(name, steps, max(trajectory.steps[-1].index, *(step or 0 for step in steps), 1))


def reached_section(episodes: Mapping[str, Sequence[Reached]]) -> Section | None:
    """One heat map per actor; None where no episode tells when its checks were reached.

    Args:
        episodes: by letter.
    """
    maps = tuple(_heat(letter, found) for letter, found in episodes.items() if found)
    if not maps:
        return None
    return Section(name="reached", title="Checks and key nodes by step", about=ABOUT, figures=maps)


def _heat(letter: str, episodes: Sequence[Reached]) -> HeatMap:
    most = max(len(one.steps) for one in episodes)
    rows = range(min(most, MOST_ROWS))
    width = bin_width(max(one.last for one in episodes))
    ends = [width * place for place in range(1, MOST_COLUMNS + 1)]
    ends = ends[: next(at for at, end in enumerate(ends, 1) if end >= max(one.last for one in episodes))]
    having = [[one for one in episodes if len(one.steps) > row] for row in rows]
    return HeatMap(
        title=f"{letter}: reached by step",
        over="by step",
        rows=tuple(f"check {row + 1}" for row in rows),
        columns=tuple(map(str, ends)),
        values=tuple(tuple(_share(found, row, end) for end in ends) for row, found in enumerate(having)),
        counts=tuple(map(len, having)),
        episodes=tuple(tuple(one.episode for one in found) for found in having),
        note=f"checks after the {MOST_ROWS}th are left out" if most > MOST_ROWS else "",
    )


def _share(episodes: Sequence[Reached], row: int, end: int) -> float | None:
    if not episodes:
        return None
    return sum(_by(one.steps[row], end) for one in episodes) / len(episodes)


def _by(step: int | None, end: int) -> bool:
    return step is not None and step <= end
