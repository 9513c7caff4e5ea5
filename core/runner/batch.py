"""Many episodes of one agent, by a plan: begun, interrupted, resumed, and every result on disk."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

import msgspec

from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.errors import EnvironmentDown
from webbench.core.runner.lease import Lease
from webbench.core.runner.local.site_claims import GivenUp, SiteClaims
from webbench.core.runner.plan.agent_fingerprint import require_same_agent
from webbench.core.runner.plan.new_run import site_uses
from webbench.core.runner.plan.plan import read_plan, tasks_of
from webbench.core.runner.plan.schedule import Schedule
from webbench.core.runner.player import INTERRUPTED, Played, Player, PlayRequest
from webbench.core.runner.recovered_results import unlogged
from webbench.core.runner.run_log import Began, Ended, Entry, RunLog, RunnerNote, WorkState, read_log
from webbench.core.runner.status.progress import UNSCORED, RunProgress
from webbench.core.runner.status.results import BatchReport, EpisodeResult, report_of, result_of
from webbench.core.score.score import Status, failed
from webbench.core.store.records.durable_files import StoreUnwritable
from webbench.core.store.records.names import checked
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import now

LOOK_SECONDS = 1.0
MOST_LOSSES = 2
"""Attempts at one episode that may lose their page or browser, before it stays without a score."""


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """How a run is worked at this time; another time it may be otherwise.

    Attributes:
        workers: episodes at a time.
        retry: play what has no score once more, also what was played another time; the plan may ask for the
            same, once for every episode whoever works at the run.
        cost_limit: US dollars of the whole run after which no further episode is begun; 0 = none. Those that
            are going on by then are played to their end.
        agent: its spec where the plan doesn't hold all of it, because it holds a secret; "" for the plan's.
    """

    workers: int = 1
    retry: bool = False
    cost_limit: float = 0.0
    agent: str = ""


class Notices(msgspec.Struct, frozen=True, kw_only=True):
    """Who is told while a run is worked at. None of them may take long.

    Attributes:
        begun: once, with the run and how far it is.
        changed: an episode began or ended.
        ended: the same, with its result.
        trouble: something to know, in a sentence.
    """

    begun: Callable[[str, RunProgress], None] = lambda _run, _progress: None
    changed: Callable[[], None] = lambda: None
    ended: Callable[[EpisodeResult], None] = lambda _result: None
    trouble: Callable[[str], None] = lambda _text: None


class Runner:
    """Works at one run until nothing is left to do, or it is interrupted, or can't go on.

    Args:
        benchmark: with the data that the run was planned on; tasks: of it, among them the planned ones.
        player: where the episodes are played.

    Raises `UsageError` for an unknown run or one without a plan, `BadData` where data or agent are others.
    """

    def __init__(
        self,
        store: Store,
        run: str,
        benchmark: Benchmark,
        tasks: Sequence[Task],
        player: Player,
        work: Work = Work(),
        notices: Notices = Notices(),
    ) -> None:
        folder = store.root / checked(run, "run")
        self.plan = read_plan(folder)
        require_same_agent(work.agent or self.plan.agent, self.plan.agent_parts)
        self.tasks = tasks_of(self.plan, tasks)
        uses = site_uses(self.plan, benchmark, list(self.tasks.values()))
        self._schedule = Schedule(self.plan.episodes, uses, exclusive=self.plan.reset)
        self._planned = {one.order: one for one in self.plan.episodes}
        self._store, self.run_name, self._benchmark = store, run, benchmark
        self._player, self._work, self._notices = player, work, notices
        self._log = RunLog(store.root, run)
        self.lease = Lease(store.root, run)
        self._claims = SiteClaims(store.root, notices.trouble, lambda: self._end is not None)
        self.progress = RunProgress(self.plan)
        self._retried: set[int] = set()
        self._alone: set[int] = set()
        self._end: tuple[WorkState, str] | None = None
        self._playing: dict[asyncio.Task[None], int] = {}
        self._leaving: asyncio.Task[None] | None = None

    async def run(self) -> BatchReport:
        """Work at it, and say what it came to.

        Raises `RunTaken` where somebody else works at it, `StoreUnwritable` where nothing can be written.
        """
        started = time.monotonic()
        await asyncio.to_thread(self.lease.take, self._notices.trouble)
        try:
            self._begin()
            await self._play_all()
            self._leave_off()
        finally:
            await asyncio.to_thread(self.lease.give_back)
        return report_of(
            self._store,
            self.run_name,
            self.progress,
            self._benchmark,
            self.tasks,
            time.monotonic() - started,
        )

    def interrupt(self, reason: str = INTERRUPTED) -> None:
        """Begin no further episode, and end those that are going on as not scored. Call it in the loop."""
        self._end = self._end or ("interrupted", reason)
        if self._leaving is None:
            self.lease.tell_ending()
            self._leaving = asyncio.ensure_future(self._player.interrupt())

    def _begin(self) -> None:
        """Take in what is known, and put down that somebody works at it again."""
        entries, problems = read_log(self._store.root / self.run_name)
        for problem in problems:
            self._notices.trouble(problem)
        self.progress = RunProgress(self.plan, entries)
        self._retried = {order for order, state in self.progress.states.items() if state.retried}
        for ended in list(unlogged(self._store, self.run_name, self.progress)):
            self._write(self._once_more(ended))
        beat = self.lease.beat
        note = RunnerNote(
            at=now(),
            what="began",
            host=beat.host,
            pid=beat.pid,
            workers=self._work.workers,
            retry=self._work.retry,
        )
        if self._work.retry:
            self._retried |= {order for order, state in self.progress.states.items() if state.is_unscored}
        self._log.append(note)
        self.progress.add(note)
        self._notices.begun(self.run_name, self.progress)

    def _leave_off(self) -> None:
        what, reason = self._end or ("finished", "")
        self._write(RunnerNote(at=now(), what=what, reason=reason, workers=self._work.workers))

    async def _play_all(self) -> None:
        while True:
            await self._fill()
            if not self._playing:
                break
            done, _ = await asyncio.wait(
                self._playing, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            self.lease.awake()
            if self.lease.lost:
                self.interrupt("another runner has taken the run over")
            for task in done:
                self._playing.pop(task)
                task.result()
        if self._end is None and self.progress.waiting:
            self._halt("what is left waits for tasks that never end")

    async def _fill(self) -> None:
        """Begin as many episodes as may run beside each other."""
        while self._end is None and len(self._playing) < self._work.workers:
            self._mind_the_cost()
            order = self._next()
            if order is None or self._end is not None:
                return
            try:
                await self._player.ready()
            except EnvironmentDown as error:
                self._halt(str(error))
                return
            if self._end is not None:
                return
            self._playing[asyncio.create_task(self._attempt(order))] = order

    def _next(self) -> int | None:
        """The order of the episode to be begun now; None where none may be."""
        running = set(self._playing.values())
        alone = {order for order, state in self.progress.states.items() if state.is_to_be_alone}
        waiting = [order for order in self.progress.waiting if order not in running]
        waiting.sort(key=lambda order: (order in alone, order in self._retried, order))
        order = self._schedule.next(waiting, running, alone | self._alone)
        if order in alone:
            self._alone.add(order)
        return order

    async def _attempt(self, order: int) -> None:
        """Play one episode, and put down what came of it."""
        request = self._request(order)
        try:
            async with self._claims.held(*self._schedule.sites(order)):
                if self._end is not None:
                    return
                played = await self._player.play(request, self)
        except GivenUp:
            return
        except StoreUnwritable as error:
            self._notices.trouble(str(error))
            self._halt(error.message)
            return
        except Exception as error:
            logging.getLogger(__name__).exception("task %s of run %s", request.task.id, self.run_name)
            reason = f"{type(error).__name__}: {error}"
            played = Played(score=failed(reason, rules=self.plan.options.rules))
        if played.alone:
            played = self._after_a_loss(order, request.task, played)
        self._alone.discard(order)
        if played.halt:
            self._halt(played.halt)
        self._write(self._once_more(_ended(request, played)))
        self._tell(order, request.task)

    def _after_a_loss(self, order: int, task: Task, played: Played) -> Played:
        """Whether it is played again, with nothing beside it: not without end."""
        losses, lost = self.progress.states[order].losses + 1, f"{task.id}: {played.score.reason}"
        if losses < MOST_LOSSES:
            self._notices.trouble(f"{lost}; it is not scored, and is played again with nothing beside it")
            return played
        told = f"{lost}; the same or the like happened in {losses} attempts, so it stays without a score"
        self._notices.trouble(told)
        return msgspec.structs.replace(played, again=bool(played.halt), alone=False)

    def _once_more(self, ended: Ended) -> Ended:
        """What has no score is to be played again, where that was asked for and has not been done."""
        asked = self._work.retry or self.plan.retry
        if not asked or ended.again or ended.status not in UNSCORED or ended.order in self._retried:
            return ended
        self._retried.add(ended.order)
        return msgspec.structs.replace(ended, again=True, retry=True)

    def _request(self, order: int) -> PlayRequest:
        plan, planned = self.plan, self._planned[order]
        return PlayRequest(
            run=self.run_name,
            order=order,
            task=self.tasks[planned.task],
            agent=self._work.agent or plan.agent,
            repeat=planned.repeat,
            attempt=self.progress.states[order].records,
            seed=planned.seed,
            dialect=plan.dialect,
            options=plan.options,
            reset=plan.reset,
            hang_seconds=plan.hang_seconds,
        )

    def _tell(self, order: int, task: Task) -> None:
        state, repeat = self.progress.states[order], self._planned[order].repeat
        if state.ended is not None and not state.waits:
            self._notices.ended(result_of(task, state.ended, repeat=repeat, attempts=state.tries))
        self._notices.changed()

    def opened(self, request: PlayRequest, episode: str, worker: str = "") -> None:
        """See `Hearing`."""
        began = Began(at=now(), order=request.order, attempt=request.attempt, episode=episode, worker=worker)
        self._write(began, durable=False)
        self._notices.changed()

    def trouble(self, text: str) -> None:
        """See `Hearing`."""
        self._notices.trouble(text)

    def _write(self, entry: Entry, *, durable: bool = True) -> None:
        """Into the log; where that can't be written the run halts, and its report still tells of it.

        A runner whose run was taken over writes nothing more: the log is another's.
        """
        self.progress.add(entry)
        if self.lease.lost:
            return
        try:
            self._log.append(entry, durable=durable)
        except StoreUnwritable as error:
            self._notices.trouble(str(error))
            self._halt(error.message)

    def _mind_the_cost(self) -> None:
        limit, cost = self._work.cost_limit, self.progress.spent.cost or 0.0
        if 0 < limit <= cost:
            reason = f"the run's cost limit of ${limit:.10g} is reached: ${cost:.4f} were spent"
            self._end = self._end or ("limited", reason)

    def _halt(self, reason: str) -> None:
        """Begin nothing more; what is going on is played to its end."""
        self._end = self._end or ("halted", reason)


def _ended(request: PlayRequest, played: Played) -> Ended:
    score = played.score
    return Ended(
        at=now(),
        order=request.order,
        attempt=request.attempt,
        status=score.status,
        episode=played.episode,
        score=score.value if score.status is Status.SCORED else None,
        beside={other.rules: other.value for other in score.beside},
        reason=score.reason or played.end_reason,
        steps=played.steps,
        seconds=round(played.seconds, 3),
        spent=played.spent,
        again=played.again,
        alone=played.alone,
        mixed=played.mixed,
    )
