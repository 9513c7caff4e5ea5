"""The observations after the steps of a recorded episode, for analyses that go through it."""

from __future__ import annotations

from collections.abc import Callable

from webbench.core.errors import BadData
from webbench.core.observation import Observation
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory


def look_into(
    store: Store, trajectory: Trajectory, problems: list[str]
) -> Callable[[Step], Observation | None]:
    """Gives what was seen after a step, None where that isn't recorded or can't be read.

    Args:
        problems: grows by a sentence for each observation that can't be read.
    """

    def look(step: Step) -> Observation | None:
        try:
            return store.observation(trajectory, step) if step.observation else None
        except BadData as error:
            problems.append(str(error))
            return None

    return look
