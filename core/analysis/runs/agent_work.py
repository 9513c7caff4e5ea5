"""What agents did and took: actions without effect, replies without an action, calls of models, their cost.

Of recorded steps, those of every episode: work that led to no score was done and paid for, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

import msgspec

from webbench.core.benchmark.benchmark import Benchmark, CountsPoints
from webbench.core.model_call import invalid_tries
from webbench.core.models.spending import Spent, added, spent
from webbench.core.score.score import Score, Status
from webbench.core.statistics.figures import Column, Row, Section, Table
from webbench.core.trajectory import Trajectory

ABOUT = (
    "What agents did, and what their models took, in all episodes, scored or not. No effect: actions that "
    "could not be done. No action: replies that hold none; several in a row end an episode. Asked again: "
    "replies that held none and cost no step. Seconds: median of the calls, further attempts included. Where "
    "a model has no price its cost is not known. Cost per point (a solved task, or what the benchmark "
    "counts, such as key nodes): of all scored episodes, failed ones too, by what they reached together; "
    "none where nothing was reached or a cost isn't known."
)


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """Of one episode.

    Attributes:
        actions: of agents, with those below.
        no_effect: actions that could not be done.
        no_action: texts that are no action, malformed replies among them.
        calls: seconds of each call of a model.
        failed: calls that gave no reply.
        tries: rounds of asking that gave no action, after which the same was asked again in the same step.
        points: that its score has; None without a score.
    """

    episode: str
    actions: int = 0
    no_effect: int = 0
    no_action: int = 0
    calls: tuple[float, ...] = ()
    failed: int = 0
    tries: int = 0
    spent: Spent = Spent()
    points: float | None = None


def points_of(benchmark: Benchmark | None, score: Score | None) -> float | None:
    """What a score earned: the benchmark's own points, else 1 for a solved task; None without a score."""
    if score is None or score.status is not Status.SCORED:
        return None
    return benchmark.points(score) if isinstance(benchmark, CountsPoints) else float(score.value == 1)


def point_of(benchmark: Benchmark | None) -> str:
    """What a point is, in words."""
    return benchmark.point if isinstance(benchmark, CountsPoints) else "solved task"


def work_of(name: str, trajectory: Trajectory, benchmark: Benchmark | None = None) -> Work:
    """Read an episode; `name` is "run/episode"."""
    acted = [step for step in trajectory.steps if step.acted and step.actor == "agent"]
    calls = [call for step in trajectory.steps for call in step.calls]
    return Work(
        episode=name,
        actions=len(acted),
        no_effect=sum(not step.ok and step.action is not None for step in acted),
        no_action=sum(step.action is None for step in acted),
        calls=tuple(call.seconds for call in calls),
        failed=sum(bool(call.error) for call in calls),
        tries=sum(invalid_tries(step.calls) for step in trajectory.steps),
        spent=added(spent(step.usage) for step in trajectory.steps),
        points=points_of(benchmark, trajectory.header.score),
    )


def work_section(runs: Mapping[str, Sequence[Work]], point: str = "solved task") -> Section | None:
    """A row for each run, by its letter; None where no agent did anything.

    Args:
        point: what cost is told by.
    """
    rows = [_row(letter, found) for letter, found in runs.items() if any(_worked(one) for one in found)]
    if not rows:
        return None
    columns = (
        *(Column("", "text"), Column("actions"), Column("no effect"), Column("no action"), Column("calls")),
        *(
            Column("failed", optional=True),
            Column("asked again", optional=True),
            Column("s a call", optional=True),
            Column("tokens in"),
            Column("tokens out"),
        ),
        Column("cost", "text"),
        Column(f"cost per {point}", "text"),
    )
    table = Table(title="In all episodes", columns=columns, rows=tuple(rows))
    return Section(name="work", title="What agents did and took", about=ABOUT, figures=(table,))


def _worked(one: Work) -> bool:
    return bool(one.actions or one.calls)


def _row(letter: str, found: Sequence[Work]) -> Row:
    seconds = [each for one in found for each in one.calls]
    took = added(one.spent for one in found)
    return Row(
        (
            letter,
            sum(one.actions for one in found),
            sum(one.no_effect for one in found),
            sum(one.no_action for one in found),
            len(seconds) or None,
            sum(one.failed for one in found) if seconds else None,
            sum(one.tries for one in found) if seconds else None,
            median(seconds) if seconds else None,
            took.input_tokens,
            took.output_tokens,
            None if took.cost is None else f"${took.cost:.4f}",
            _cost_per_point(found),
        ),
        tuple(one.episode for one in found if _worked(one)),
    )


def _cost_per_point(found: Sequence[Work]) -> str | None:
    """WebCanvas' "USD efficiency": what scored episodes cost together by the points they made together."""
    scored = [one for one in found if one.points is not None]
    costs = [one.spent.cost for one in scored if one.spent.cost is not None]
    points = sum(one.points or 0.0 for one in scored)
    return f"${sum(costs) / points:.4f}" if points and len(costs) == len(scored) else None
