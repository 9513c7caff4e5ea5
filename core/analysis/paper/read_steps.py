"""Steps of the runs' episodes, read once for all figures that need them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.analysis.runs.agent_work import Work, work_of
from webbench.core.analysis.runs.page_flow import Way, way
from webbench.core.errors import BadData
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory


class Steps:
    """What the steps tell of each episode; what can't be read is told in `problems`."""

    def __init__(self, store: Store, runs: Sequence[RecordedRun]) -> None:
        self.store = store
        self.runs = runs
        self.problems: list[str] = [problem for run in runs for problem in run.problems]

    def load(self, one: Recorded) -> Trajectory | None:
        """An episode with its steps, None where it can't be read."""
        try:
            return self.store.load(self.store.root / one.run / one.episode)
        except BadData as error:
            problem = f"{one.name}: {error}"
            if problem not in self.problems:
                self.problems.append(problem)
            return None

    @cached_property
    def taken(self) -> dict[str, tuple[Work, Way | None]]:
        """By episode, "run/episode": what its agent took, and its way through pages."""
        found = {}
        for run in self.runs:
            for one in run.episodes:
                trajectory = self.load(one)
                if trajectory is not None:
                    self.problems += [f"{one.name}: {problem}" for problem in trajectory.problems]
                    found[one.name] = (work_of(one.name, trajectory), way(one.name, trajectory, one.outcome))
        return found
