"""Playing episodes here: each in a browser context of its own, in one browser."""

from __future__ import annotations

import asyncio
import logging
import time

from webbench.core.agent import Agent, Drives, reach_of
from webbench.core.benchmark.benchmark import Benchmark, needs_browser
from webbench.core.engine.door.door import Door
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.wire import messages
from webbench.core.environment import PAGE_LOST, Losable
from webbench.core.episode.episode import Episode
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.runner.local.memory import Tidying
from webbench.core.runner.player import BROWSER_LOST, INTERRUPTED, Hearing, Played, PlayRequest
from webbench.core.runner.status.progress import UNSCORED
from webbench.core.score.score import Score, failed, not_scored
from webbench.core.store.records.durable_files import StoreUnwritable

LOOK_SECONDS = 0.5
ANSWER_SECONDS = 10.0
"""So long a browser may take to answer when an episode in it hangs, before it is ended."""
DYING_SECONDS = 1.0
"""A browser that ends takes its pages first: so long is waited to tell it from a page that crashed."""

CANCEL_AGAIN_SECONDS = 10.0
LETTING_GO_SECONDS = 40.0
"""How long an attempt that is broken off may take to clean up behind itself, before nobody waits for it."""


class Watch:
    """What is known of an attempt while it is played, and why it is broken off.

    Attributes:
        reason: why it is broken off, "" while it isn't.
        hung: it is broken off because nothing happened for too long.
        loss: how its page or browser was lost, "" where none was; what came of it says nothing
            about the agent.
    """

    def __init__(self, request: PlayRequest, hearing: Hearing) -> None:
        self.request = request
        self.reason = ""
        self.hung = False
        self.loss = ""
        self.episode: Episode | None = None
        self.broken_off = asyncio.Event()
        self.door: Door | None = None
        self._lost_at = 0.0
        self._hearing = hearing
        self._progress = time.monotonic()
        self._doing = "being prepared"

    def emit(self, event: messages.Event) -> None:
        """Every event but a mere word of what is being done is a sign of progress."""
        if isinstance(event, messages.Progress):
            self._doing = event.text or self._doing
            return
        self._progress = time.monotonic()
        if isinstance(event, messages.Trouble):
            self._hearing.trouble(f"{event.message}: {event.hint}" if event.hint else event.message)
        elif isinstance(event, messages.StepRecorded) and event.step.condition == "crashed":
            self.look()

    def look(self) -> None:
        """Break it off where its browser or page is gone, or nothing has happened for too long.

        A person at work may take their time, and may open another page.
        """
        silent = time.monotonic() - self._progress
        world = self.episode.environment if self.episode else None
        held = self.door is not None and self.door.held
        if isinstance(world, Losable) and world.lost:
            self.lose(BROWSER_LOST)
        elif held:
            self._progress = time.monotonic()
        elif isinstance(world, Losable) and (world.loss or self.loss):
            self._lose_page(world.loss)
        elif silent > self.request.hang_seconds:
            self.hung = self.hung or not self.reason
            self.break_off(f"hung: nothing happened for {silent:.0f} s ({self._doing})")

    def lose(self, reason: str) -> None:
        self.loss = reason
        self.break_off(reason)

    def _lose_page(self, loss: str) -> None:
        """Not before it is known whether the whole browser is ending; nothing makes up for the page."""
        if not self.loss:
            self.loss, self._lost_at = f"{PAGE_LOST}: {loss}", time.monotonic()
            asyncio.get_running_loop().call_later(DYING_SECONDS, self.look)
        elif time.monotonic() - self._lost_at >= DYING_SECONDS:
            self.lose(self.loss)

    def break_off(self, reason: str) -> None:
        self.reason = self.reason or reason
        self.broken_off.set()


class LocalPlayer:
    """Plays in an engine of this process.

    Args:
        benchmark: whose tasks are played.
    """

    def __init__(self, engine: Engine, benchmark: Benchmark) -> None:
        self._engine = engine
        self._benchmark = benchmark
        self._watches: set[Watch] = set()
        self._left_behind: set[asyncio.Task[Score]] = set()
        self._tidying = Tidying()

    async def ready(self) -> None:
        """The browser runs, or is started again where it ended; what episodes share is open."""
        await self._engine.keep_open(self._benchmark)
        if needs_browser(self._benchmark):
            await self._engine.browser()

    async def play(self, request: PlayRequest, hearing: Hearing) -> Played:
        """In a task of its own, so that what hangs in it can be left behind."""
        watch = Watch(request, hearing)
        self._watches.add(watch)
        started = time.monotonic()
        work = asyncio.create_task(self._attempt(watch, hearing))
        try:
            await _watched(work, watch)
            if watch.hung and await self._engine.end_silent_browser(ANSWER_SECONDS):
                hearing.trouble(f"the browser answered nothing for {ANSWER_SECONDS:.0f} s and was ended")
                watch.reason = watch.loss = BROWSER_LOST
            if not work.done():
                await _broken_off(work)
        finally:
            self._watches.discard(watch)
            if not work.done():
                work.cancel()
                self._left_behind.add(work)
                work.add_done_callback(self._left_behind.discard)
        score, seconds = _outcome(work, watch), time.monotonic() - started
        self._tidying.ended()
        if watch.episode is None and (unwritable := _unwritable(work)) is not None:
            hearing.trouble(str(unwritable))
            return Played(score=score, seconds=seconds, again=True, halt=unwritable.message)
        return self._played(watch, score, seconds)

    async def interrupt(self, reason: str = INTERRUPTED) -> None:
        for watch in tuple(self._watches):
            watch.break_off(reason)

    async def _attempt(self, watch: Watch, hearing: Hearing) -> Score:
        """The episode itself. Raises what goes wrong outside of it."""
        request = watch.request
        agent = make_agent(
            request.agent, self._benchmark, request.task, request.seed, store=self._engine.store.root
        )
        door = watch.door = Door(self._engine, watch.emit)
        try:
            async with self._engine.episode(self._episode_request(request, agent), door.emit) as episode:
                watch.episode = episode
                hearing.opened(request, episode.header.episode)
                try:
                    await self._played_through(watch, episode, agent, door)
                except asyncio.CancelledError:
                    await episode.fail(watch.reason or INTERRUPTED)
                    raise
                return episode.score
        finally:
            await agent.close()

    async def _played_through(self, watch: Watch, episode: Episode, agent: Agent, door: Door) -> None:
        """From start to end. Raises `EnvironmentDown`; where its page is lost, the episode has ended."""
        try:
            await episode.start()
            async with door.opened(episode, agent):
                await door.play(episode, agent)
            if not episode.ended:
                await episode.finish("the agent had nothing more to do")
        except EnvironmentDown:
            watch.look()
            if watch.loss:
                await watch.broken_off.wait()
                await episode.fail(watch.loss)
            raise

    def _episode_request(self, request: PlayRequest, agent: Agent) -> EpisodeRequest:
        return EpisodeRequest(
            benchmark=self._benchmark,
            task=request.task,
            run=request.run,
            actor=agent.name,
            agent_reach=reach_of(agent),
            lends=isinstance(agent, Drives),
            dialect=request.dialect,
            options=request.options,
            order=request.order,
            repeat=request.repeat,
            attempt=request.attempt,
            seed=request.seed,
            reset=request.reset,
        )

    def _played(self, watch: Watch, score: Score, seconds: float) -> Played:
        episode = watch.episode
        if episode is None:
            lost = bool(watch.loss)
            return Played(score=score, seconds=seconds, again=lost or watch.reason == INTERRUPTED, alone=lost)
        unrecorded = episode.unrecorded
        if unrecorded:
            score = not_scored(unrecorded, rules=watch.request.options.rules, checks=score.checks)
        lost = bool(watch.loss or episode.scoring.loss)
        broken_off = score.status in UNSCORED and (lost or watch.reason == INTERRUPTED)
        return Played(
            score=score,
            episode=episode.header.episode,
            end_reason=episode.ended,
            steps=max(0, len(episode.steps) - 1),
            seconds=seconds,
            spent=episode.limits.spent,
            again=broken_off or bool(unrecorded),
            alone=broken_off and lost,
            mixed=episode.header.mixed,
            halt=unrecorded,
        )


async def _watched(work: asyncio.Task[Score], watch: Watch) -> None:
    """Until the attempt has ended, or is to be broken off."""
    breaking = asyncio.create_task(watch.broken_off.wait())
    try:
        while not work.done() and not breaking.done():
            await asyncio.wait((work, breaking), timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            watch.look()
    finally:
        breaking.cancel()


async def _broken_off(work: asyncio.Task[Score]) -> None:
    """Cancel it until it is over, or is taking too long about it.

    Once is not enough: `asyncio.wait_for` of Python 3.11 loses a cancellation that arrives together with the
    result it waits for.
    """
    deadline = time.monotonic() + LETTING_GO_SECONDS
    while not work.done() and time.monotonic() < deadline:
        work.cancel()
        await asyncio.wait((work,), timeout=CANCEL_AGAIN_SECONDS)


def _unwritable(work: asyncio.Task[Score]) -> StoreUnwritable | None:
    """The failing disk that an attempt ended with."""
    error = work.exception() if work.done() and not work.cancelled() else None
    return error if isinstance(error, StoreUnwritable) else None


def _outcome(work: asyncio.Task[Score], watch: Watch) -> Score:
    """The score, or that there is none and why. A fault in a program is an *error*."""
    rules, episode = watch.request.options.rules, watch.episode
    if not work.done() or work.cancelled():
        if episode is not None and episode.ended:
            return episode.score
        return not_scored(watch.reason or INTERRUPTED, rules=rules)
    error = work.exception()
    if error is None:
        return work.result()
    if isinstance(error, WebbenchError):
        return episode.score if episode else not_scored(str(error), rules=rules)
    task = watch.request.task.id
    logging.getLogger(__name__).error("episode of task %s", task, exc_info=error)
    return episode.score if episode else failed(f"{type(error).__name__}: {error}", rules=rules)
