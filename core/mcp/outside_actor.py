"""Where somebody outside works on one episode at a time: to the episode, the client is an agent.

The engine asks the agent for an action and waits; a call from outside hands one in and waits until it is
asked for the next. So all that holds for agents holds here: limits, guards, the record, the time it took.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from webbench.core.action.action import Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine, EpisodeRequest
from webbench.core.engine.session import agent_turns
from webbench.core.engine.wire import messages
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import AgentFailed, UsageError
from webbench.core.observation import Screenshot, ScreenshotOptions
from webbench.core.score.score import Score
from webbench.core.task import Task, name_and_instance
from webbench.core.time_limit import time_limit
from webbench.core.trajectory import Step

ACTOR = "mcp"
REACH = "the client is a program outside of webbench-tui: as the same user it could have read the answers"
GONE = "the client left before the end"


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """On what terms a client works here.

    Attributes:
        benchmark: the only one it may choose; "" = any.
        tasks: the only ones, by name or "name#instance"; none = any.
        dialect: "" for the benchmark's own.
        idle: seconds without a call after which an open episode is ended as not scored.
        reset: put lasting sites back first, where they were changed.
    """

    benchmark: str = ""
    tasks: tuple[str, ...] = ()
    dialect: str = ""
    idle: float = 1800.0
    reset: bool = False
    data: str = ""


def find_task(benchmark: str, id: str, data: str) -> Task:
    """The task of a name, or "name#instance". Raises `UsageError` for one that is none, with the nearest."""
    name, instance = name_and_instance(id)
    return catalogue.read_task(benchmark, name, instance or 0, data).task


class ClientAgent:
    """The client as an agent: what it hands in is what it proposes."""

    name = ACTOR

    def __init__(self, idle: float) -> None:
        self.asked = asyncio.Event()
        self._idle = idle
        self._handed_in: asyncio.Queue[Proposal] = asyncio.Queue()

    async def propose(self, view: AgentView) -> Proposal:  # noqa: ARG002 - the client looks when it likes
        """The next action handed in. Raises `AgentFailed` when none comes for too long."""
        self.asked.set()
        try:
            async with time_limit(self._idle):
                return await self._handed_in.get()
        except TimeoutError:
            raise AgentFailed(f"no call came for {self._idle:g} s") from None
        finally:
            self.asked.clear()

    def hand_in(self, proposal: Proposal) -> None:
        self.asked.clear()
        self._handed_in.put_nowait(proposal)

    async def close(self) -> None:
        """Nothing to give back."""


class Desk:
    """One client's place; calls are handled one after the other.

    Args:
        options: how an episode of a benchmark is run.
    """

    def __init__(self, engine: Engine, terms: Terms, options: Callable[[Benchmark], EpisodeOptions]) -> None:
        self.terms = terms
        self._engine = engine
        self._options = options
        self._agent = ClientAgent(terms.idle)
        self._episode: Episode | None = None
        self._playing: asyncio.Task[None] | None = None
        self._runs: dict[str, str] = {}
        self._opened = 0
        self._lock = asyncio.Lock()
        self._warnings: list[str] = []
        self._begun: set[tuple[str, str]] = set()

    async def start(self, benchmark: str, task: Task, client: str) -> Episode:
        """Open a task.

        Raises `UsageError` while another is open, and where scores are hidden, for a task that was open
        before; and what opening it raises.
        """
        async with self._lock:
            if await self._at_work():
                raise UsageError("An episode is open", "end it with the tool finish, then start another")
            found = catalogue.benchmark(benchmark, self.terms.data)
            again = (benchmark, task.id) in self._begun
            if again and not self._options(found).live_score:
                raise UsageError(f"{task.id} was started before", "here each task can be started once")
            request = self._request(found, task, client, again=again)
            self._agent, self._episode = ClientAgent(self.terms.idle), None
            self._playing = asyncio.create_task(self._play(request, self._agent))
            await self._asked_again()
            self._begun.add((benchmark, task.id))
            return self._known()

    async def act(self, text: str, reasoning: str = "") -> Step:
        """Carry out one action; the step it became, which says whether it had its effect."""
        return await self._taken(Proposal(text=text, reasoning=reasoning, reply=text))

    async def look(self, *, picture: bool, whole: bool = False) -> Screenshot | None:
        """Read the page again, unrecorded. None where no picture is wanted, or the page gives none."""
        async with self._lock:
            episode = await self._live()
            await episode.refresh(episode.options.viewport_only, whole=whole)
            if not picture:
                return None
            return episode.screenshot or await episode.show_picture(ScreenshotOptions(format="png"))

    async def score(self) -> Score:
        """The latest score; that it was asked for while the episode goes on is noted in the record.

        Raises `UsageError` where scores are hidden.
        """
        async with self._lock:
            episode = self._known()
            if not episode.options.live_score:
                raise UsageError("Scores are hidden here", "the record has it once the episode has ended")
            if episode.ended:
                return episode.score
            await self._asked_again()
            await episode.note(f"the client asked for the score: {episode.score.headline()}")
            return episode.score

    async def finish(self, answer: str) -> Score | None:
        """End the episode, with an answer where the task asks for one; idempotent.

        None where scores are hidden.
        """
        if self._open() is not None:
            await self._taken(Proposal(action=Stop(answer=answer), reply=answer))
        episode = self._known()
        return episode.score if episode.options.live_score else None

    async def close(self) -> None:
        """End what is open as not scored: whoever worked on it is gone."""
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.wait([self._playing])

    @property
    def episode(self) -> Episode:
        """The one that is open, or was last. Raises `UsageError` before the first."""
        return self._known()

    def warnings(self) -> list[str]:
        """What is to be known since the last call of this."""
        told, self._warnings = self._warnings, []
        return told

    async def _taken(self, proposal: Proposal) -> Step:
        async with self._lock:
            episode = await self._live()
            before = len(episode.steps)
            self._agent.hand_in(proposal)
            await self._asked_again()
            taken = [step for step in episode.steps[before:] if step.actor == "agent"]
            if not taken:
                raise UsageError(f"The episode has ended: {episode.ended}", "the tool score tells its score")
            return taken[0]

    async def _play(self, request: EpisodeRequest, agent: ClientAgent) -> None:
        async with self._engine.episode(request, self._keep_warning) as episode:
            self._episode = episode
            try:
                await episode.start()
                await agent_turns.run(episode, agent)
            except asyncio.CancelledError:
                await episode.fail(GONE)
                raise

    async def _asked_again(self) -> None:
        """Wait until the episode wants the next action, or has ended. Raises what it ended with."""
        playing = self._playing
        if playing is None:
            return
        asked = asyncio.ensure_future(self._agent.asked.wait())
        try:
            await asyncio.wait({asked, playing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            asked.cancel()
        if playing.done():
            self._playing = None
            playing.result()

    async def _live(self) -> Episode:
        """The open episode, waiting for an action. Raises `UsageError` where there is none."""
        await self._asked_again()
        episode = self._open()
        if episode is None:
            known = self._known()
            raise UsageError(f"The episode has ended: {known.ended}", "start another with the tool start")
        return episode

    async def _at_work(self) -> bool:
        """Whether an episode is open, or is being opened by a call that nobody waits for any more."""
        playing = self._playing
        if playing is not None and (self._episode is not None and self._episode.ended):
            await asyncio.wait([playing])
        return playing is not None and not playing.done()

    def _open(self) -> Episode | None:
        episode = self._episode
        return episode if self._playing is not None and episode is not None and not episode.ended else None

    def _known(self) -> Episode:
        if self._episode is None:
            raise UsageError("No episode was started", "choose a task with list_tasks and call start")
        return self._episode

    def _request(self, benchmark: Benchmark, task: Task, client: str, *, again: bool) -> EpisodeRequest:
        store, name = self._engine.store, benchmark.name
        if name not in self._runs:
            self._runs[name] = store.start_run(
                benchmark=name, agent=ACTOR, planned=0, settings={"client": client}
            )
        store.extend_run(self._runs[name], task.id)
        self._opened += 1
        return EpisodeRequest(
            benchmark=benchmark,
            task=task,
            run=self._runs[name],
            actor=ACTOR,
            agent_reach=f"{REACH}; it was told the score of this task before" if again else REACH,
            dialect=self.terms.dialect,
            options=self._options(benchmark),
            order=self._opened - 1,
            reset=self.terms.reset,
        )

    def _keep_warning(self, event: messages.Event) -> None:
        if isinstance(event, messages.Trouble):
            self._warnings.append(f"{event.message} ({event.hint})" if event.hint else event.message)
