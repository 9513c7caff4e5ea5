"""Where an actor is in a row of a comparison, and how its score stands there."""

from __future__ import annotations

from webbench.core.analysis.align import Alignment
from webbench.core.score import Score
from webbench.core.trajectory import Trajectory


def standing(alignment: Alignment, row: int, actor: int) -> int | None:
    """The place of an actor's step in a row, else of its next one; None where it has ended."""
    places = (one.places[actor] for one in alignment.rows[row:])
    return next((place for place in places if place is not None), None)


def score_at(trajectory: Trajectory, index: int) -> tuple[Score | None, int | None]:
    """The score of a step, or the latest before it, with that step's index.

    Where no step was scored, that of the whole episode with None for the step.
    """
    scored = [step for step in trajectory.steps if step.score is not None]
    if not scored:
        return trajectory.header.score, None
    latest = next((step for step in reversed(scored) if step.index <= index), None)
    return (None, None) if latest is None else (latest.score, latest.index)
