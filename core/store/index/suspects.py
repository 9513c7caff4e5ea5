"""Recorded scores of pages that were not there: crashed, closed or blank by the time they were scored.

Such episodes were recorded before a lost page was told from an actor that failed: their scores say nothing
about the actor. Found by the conditions and addresses that the steps tell, so a page that was lost after the
last step had been read is not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.core.action.action import CloseTab, Goto, NewTab
from webbench.core.errors import BadData
from webbench.core.score.score import Status
from webbench.core.store.records.reader import read_trajectory
from webbench.core.store.records.recorder import STEPS
from webbench.core.trajectory import Step, Trajectory

BLANK = "about:blank"
_SIGNS = (b'"condition":"crashed"', b'"condition":"closed"', b'"url":"about:blank"')
"""One of them stands in the steps of every episode that can be suspect."""


def suspicion_of(folder: Path) -> str:
    """Why the score of an episode in this folder is suspect, "" where nothing tells so. Raises `BadData`."""
    try:
        data = (folder / STEPS).read_bytes()
    except OSError as error:
        raise BadData(f"{folder / STEPS} can't be read: {error.strerror or error}") from error
    return suspicion(read_trajectory(folder)) if any(sign in data for sign in _SIGNS) else ""


def suspicion(trajectory: Trajectory) -> str:
    """The same of an episode that was read."""
    score = trajectory.header.score
    if score is None or score.status is not Status.SCORED:
        return ""
    seen = [step for step in trajectory.steps if step.observation or step.url or step.condition != "ok"]
    if not seen:
        return ""
    first = _began(seen)
    if seen[-1].condition == "crashed":
        return f"the page had crashed at step {first.index}, and was scored"
    if seen[-1].condition == "closed" and not isinstance(first.action, CloseTab):
        return f"the page was gone at step {first.index}, closed by nobody who acted, and was scored"
    if _is_blank(seen[-1]) and first.index and not isinstance(first.action, Goto | NewTab | CloseTab):
        return f"the page was blank from step {first.index} on, and was scored"
    lost = next((step for step in seen if step.index < first.index and step.condition == "crashed"), None)
    if _is_blank(seen[-1]) and lost is not None:
        return f"the page had crashed at step {lost.index}, and a blank one in its place was scored"
    return ""


def _began(seen: Sequence[Step]) -> Step:
    """The step from which on the page was as it was at the end."""
    last = (seen[-1].condition, _is_blank(seen[-1]))
    first = seen[-1]
    for step in reversed(seen):
        if (step.condition, _is_blank(step)) != last:
            break
        first = step
    return first


def _is_blank(step: Step) -> bool:
    return step.condition == "ok" and step.url == BLANK
