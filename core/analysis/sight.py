"""What an actor had before its eyes in a row of a comparison."""

from __future__ import annotations

import msgspec

from webbench.core.analysis.align import Alignment
from webbench.core.errors import BadData
from webbench.core.observation import Observation, Screenshot
from webbench.core.score import Score
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """A page as one step of an attempt left it.

    Attributes:
        step: the step that recorded it, None where the record has no page there.
        observation: empty where no tree was recorded.
        problems: what of it can't be read.
    """

    step: Step | None = None
    observation: Observation = Observation()
    screenshot: Screenshot | None = None
    problems: tuple[str, ...] = ()


def standing(alignment: Alignment, row: int, actor: int) -> int | None:
    """The place of an actor's step in a row, else of its next one; None where it has ended."""
    places = (one.places[actor] for one in alignment.rows[row:])
    return next((place for place in places if place is not None), None)


def page_before(trajectory: Trajectory, index: int) -> Step | None:
    """The step whose page the actor of step `index` had before it."""
    earlier = (step for step in reversed(trajectory.steps) if step.index < index)
    return next((step for step in earlier if _has_page(step)), None)


def page_after(trajectory: Trajectory, index: int) -> Step | None:
    """Step `index`, where it recorded a page."""
    return next((step for step in trajectory.steps if step.index == index and _has_page(step)), None)


def see(store: Store, trajectory: Trajectory, step: Step | None) -> Sight:
    """Read what a step recorded; damaged parts are left out and told."""
    if step is None:
        return Sight()
    problems: list[str] = []
    observation, screenshot = Observation(url=step.url, title=step.title), None
    try:
        observation = store.observation(trajectory, step) if step.observation else observation
    except BadData as error:
        problems.append(str(error))
    try:
        screenshot = store.screenshot(trajectory, step)
    except BadData as error:
        problems.append(str(error))
    return Sight(step=step, observation=observation, screenshot=screenshot, problems=tuple(problems))


def score_at(trajectory: Trajectory, index: int) -> tuple[Score | None, int | None]:
    """The score of a step, or the latest before it, with that step's index.

    Where no step was scored, that of the whole episode with None for the step.
    """
    scored = [step for step in trajectory.steps if step.score is not None]
    if not scored:
        return trajectory.header.score, None
    latest = next((step for step in reversed(scored) if step.index <= index), None)
    return (None, None) if latest is None else (latest.score, latest.index)


def _has_page(step: Step) -> bool:
    return bool(step.observation or step.screenshot or step.url)
