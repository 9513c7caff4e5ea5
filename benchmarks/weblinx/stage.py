"""A demonstration made live: its recorded world instead of a browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from webbench.benchmarks.weblinx.candidates.candidates import Candidates
from webbench.benchmarks.weblinx.demonstrations.course import Course
from webbench.benchmarks.weblinx.environment import RecordedWorld
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import EnvironmentSetup
from webbench.core.observation import Observation

OVER = "every turn of the demonstration was predicted"


class DemonstrationStage(Stage):
    """Ends the episode when no turn is left."""

    harmless = True

    def __init__(self, course: Course, candidates: Candidates) -> None:
        self.setup = EnvironmentSetup()
        self.world = RecordedWorld(course, candidates)
        self.environment = self.world

    async def ended(self, observation: Observation) -> str:
        return OVER if self.world.turn is None else ""


@asynccontextmanager
async def staged(opened: Callable[[], tuple[Course, Candidates]]) -> AsyncIterator[DemonstrationStage]:
    """Reads the demonstration off the loop.

    Raises `BadData` for one that can't be walked, `UsageError` where what should rank isn't installed.
    """
    yield DemonstrationStage(*await asyncio.to_thread(opened))
