"""The oracle of a demonstration: predicts on each turn what was really done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from webbench.benchmarks.weblinx.demonstrations.course import Course
from webbench.benchmarks.weblinx.exchange.reenact import reenacted
from webbench.core.action.action import Action, Stop
from webbench.core.agent import AgentView, Proposal


class DemonstrationOracle:
    """Reads the demonstration when it is first asked; which turn it is, the dialogue so far tells."""

    name = "oracle"

    def __init__(self, course: Callable[[], Course]) -> None:
        self._read = course
        self._course: Course | None = None

    async def propose(self, view: AgentView) -> Proposal:
        if self._course is None:
            self._course = await asyncio.to_thread(self._read)
        index = len(view.observation.dialogue)
        if index >= len(self._course.turns):
            return Proposal(action=Stop(), reasoning="the demonstration ends here")
        turn = self._course.turns[index]
        action: Action = reenacted(turn)
        return Proposal(action=action, reasoning=f"turn {index} of the demonstration")

    async def close(self) -> None:
        """Nothing to give back."""
