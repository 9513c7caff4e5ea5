"""Runs recorded for tests: what an episode's score was, what it cost, where it went."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.observation import Visitor
from webbench.core.score.score import Check, Score, Status, not_scored
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step


def scored(value: float, *checks: tuple[str, float]) -> Score:
    found = tuple(Check(name=name, target=f"{name} {at}", value=one) for at, (name, one) in enumerate(checks))
    return Score(status=Status.SCORED, value=value, checks=found)


class Recording:
    """One run of an agent; `add` records an episode of a task, whose template is its first letter."""

    def __init__(self, store: Store, agent: str, benchmark: str = "b") -> None:
        self.store = store
        self.agent = agent
        self.benchmark = benchmark
        self.run = store.start_run(benchmark, agent, 0)
        self._order = 0

    def add(
        self,
        task: str,
        score: float | Score | None,
        *,
        urls: Sequence[str] = (),
        on_the_way: Sequence[Score] = (),
        split: str = "",
        kind: str = "",
        intent: str = "",
        visitor: Visitor = Visitor(),
    ) -> str:
        """Record an episode; its name, "run/episode".

        Args:
            urls: of the pages in order, one step each.
            on_the_way: scores of steps 0, 1, ...
        """
        header = EpisodeHeader(
            run="",
            episode="",
            visitor=visitor,
            task=Task(
                benchmark=self.benchmark,
                name=task,
                template=task[0],
                split=split,
                kind=kind,
                intent=intent or f"Do {task}",
            ),
            actor=self.agent,
            dialect="d",
            order=self._order,
        )
        self._order += 1
        recorder = self.store.recorder(self.run, header, durable=False)
        for index in range(max(len(urls), len(on_the_way))):
            recorder.write(
                Step(
                    index=index,
                    at="",
                    url=urls[index] if index < len(urls) else "",
                    score=on_the_way[index] if index < len(on_the_way) else None,
                )
            )
        if score is None or isinstance(score, Score):
            recorder.finish(score or not_scored("no page"), "done")
        else:
            recorder.finish(scored(score), "done")
        return f"{self.run}/{recorder.header.episode}"
