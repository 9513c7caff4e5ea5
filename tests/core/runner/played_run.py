"""A run as its runner leaves it in a store while it works: a plan, a log, a sign of life, open records."""

from __future__ import annotations

from webbench.core.models.spending import Spent
from webbench.core.runner.lease import Lease
from webbench.core.runner.plan.plan import PlannedEpisode, RunPlan, plan_file
from webbench.core.runner.run_log import Began, Ended, RunLog, RunnerNote, WorkState
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, now


class PlayedRun:
    """Begun with `planned` episodes; what goes on in it is said by the calls."""

    def __init__(self, store: Store, planned: int, agent: str = "oracle") -> None:
        self._store = store
        self._agent = agent
        self.run = store.start_run("demo", agent, planned)
        plan = RunPlan(
            benchmark="demo",
            agent=agent,
            workers=2,
            episodes=tuple(PlannedEpisode(order=order, task=f"task-{order}") for order in range(planned)),
        )
        for name, data in plan_file(plan).items():
            (store.root / self.run / name).write_bytes(data)
        self._log = RunLog(store.root, self.run)
        self._lease = Lease(store.root, self.run)
        self._lease.take()
        self._log.append(RunnerNote(at=now(), what="began", workers=2))
        self.open: dict[int, Recorder] = {}

    def begin(self, order: int, worker: str = "") -> str:
        """Open the record of an episode; its name."""
        task = Task(benchmark="demo", name=f"task-{order}", intent=f"Do thing {order}")
        header = EpisodeHeader(
            run="", episode="", task=task, actor=self._agent, dialect="webarena", order=order
        )
        recorder = self._store.recorder(self.run, header)
        recorder.write(Step(index=0, at=now()))
        self.open[order] = recorder
        name = recorder.header.episode
        self._log.append(Began(at=now(), order=order, attempt=0, episode=name, worker=worker))
        return name

    def step(self, order: int, index: int) -> None:
        usage = {"input_tokens": 800, "output_tokens": 50, "cost": 0.004}
        step = Step(index=index, at=now(), actor="agent", text="click [11]", usage=usage)
        self.open[order].write(step)

    def end(self, order: int, value: float | None, reason: str = "") -> None:
        """Ended with this score, or without one for this reason."""
        recorder = self.open.pop(order)
        score = Score(status=Status.SCORED, value=value) if value is not None else not_scored(reason)
        header = recorder.finish(score, reason or "the actor stopped")
        ended = Ended(
            at=now(),
            order=order,
            attempt=0,
            status=score.status,
            episode=header.episode,
            score=value,
            reason=reason,
            seconds=2.0,
            spent=Spent(input_tokens=800, output_tokens=50, cost=0.004),
        )
        self._log.append(ended)

    def leave(self, what: WorkState = "finished") -> None:
        """The runner has nothing left to do, or leaves off before that."""
        self._log.append(RunnerNote(at=now(), what=what))
        self._lease.give_back()
        self._store.close()

    def die(self) -> None:
        """The runner is gone at once, as its system sees it: locks are free, its sign of life stays."""
        for recorder in self.open.values():
            recorder.close()
        self._lease.lost = True
        self._lease.give_back()
        self._store.close()
