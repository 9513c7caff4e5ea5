"""One person's sitting with the engine: intents in, events out, one episode at a time."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from webbench.core import registry
from webbench.core.agents.contract import Agent
from webbench.core.dialects.contract import ParseError
from webbench.core.engine import agent_turns, catalogue, messages
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.replay import replay
from webbench.core.episode import Emit, Episode, EpisodeOptions
from webbench.core.errors import WebbenchError
from webbench.core.settings import load_settings
from webbench.core.task import Benchmark


class Session:
    """Handles intents one after the other; an agent may run meanwhile and can be paused at any time.

    Failures become `Trouble` events: a session outlives everything but its process.
    """

    def __init__(self, engine: Engine, emit: Emit) -> None:
        self.engine = engine
        self.emit = emit
        self.episode: Episode | None = None
        self._benchmark: Benchmark | None = None
        self._agent: Agent | None = None
        self._turn: agent_turns.Turn | None = None
        self._running: asyncio.Task[None] | None = None
        self._paused = False
        self._stack = AsyncExitStack()
        self._runs: dict[tuple[str, str], str] = {}
        self._orders: dict[str, int] = {}

    async def handle(self, intent: messages.Intent) -> None:
        """Carry out one intent; never raises an expected failure."""
        try:
            await self._dispatch(intent)
        except WebbenchError as error:
            self.emit(messages.Progress(text="", stage="idle"))
            self.emit(messages.Trouble(message=error.message, hint=error.hint))

    async def close(self) -> None:
        """End the agent and the episode; what was recorded stays."""
        await self._stop_agent()
        if self._agent is not None:
            await self._agent.close()
            self._agent = None
        if self.episode is not None and not self.episode.ended:
            await self.episode.finish("abandoned")
        await self._stack.aclose()
        self.episode = None

    async def _dispatch(self, intent: messages.Intent) -> None:
        match intent:
            case messages.StartEpisode():
                await self._start(intent)
            case messages.SendAction():
                await self._send(intent)
            case messages.ChooseAgent(spec=spec):
                await self._choose_agent(spec)
            case messages.AskAgent():
                await self._ask()
            case messages.RunAgent(steps=steps):
                await self._run(steps)
            case messages.PauseAgent():
                await self._stop_agent()
            case messages.RejectProposal(reason=reason):
                await self._reject(reason)
            case messages.AddNote(text=text):
                await self._live().note(text)
            case messages.Refresh(viewport_only=viewport_only):
                await self._live().refresh(viewport_only)
            case messages.ChangeDialect(name=name):
                self._live().dialect = registry.dialect(name)
            case messages.EndEpisode(reason=reason):
                await self._stop_agent()
                await self._live().finish(reason)
            case messages.ListTasks(benchmark=name, data=data):
                for one in [name] if name else sorted(registry.load("webbench.benchmarks")):
                    self.emit(catalogue.list_tasks(one, data))
                for results in catalogue.results(self.engine.store):
                    self.emit(results)
            case messages.ReadTask(benchmark=name, name=task, instance=instance, data=data):
                self.emit(catalogue.read_task(name, task, instance, data))
            case messages.WarmUp():
                self.emit(messages.Progress(text="starting the browser", stage="browser"))
                await self.engine.browser()
                self.emit(messages.Progress(text="", stage="idle"))
            case messages.Shutdown():
                await self.close()

    def _live(self) -> Episode:
        if self.episode is None:
            raise WebbenchError("No episode is open", "choose a task in the library and press Enter")
        return self.episode

    async def _start(self, intent: messages.StartEpisode) -> None:
        await self.close()
        self._stack = AsyncExitStack()
        self._benchmark = catalogue.benchmark(intent.benchmark, intent.data)
        actor = intent.agent.split(maxsplit=1)[0] if intent.agent else intent.actor
        self.emit(messages.Progress(text="starting the browser", stage="browser"))
        run = self._run_of(intent.benchmark, actor)
        order = self._orders.get(run, 0)
        self._orders[run] = order + 1
        request = EpisodeRequest(
            benchmark=self._benchmark,
            task=intent.task,
            run=run,
            actor=actor,
            dialect=intent.dialect,
            options=EpisodeOptions(
                rules=intent.rules,
                live_score=intent.live_score,
                step_limit=load_settings().step_limit or self._benchmark.step_limit,
            ),
            order=order,
            resumed_from=intent.resume,
        )
        self.episode = await self._stack.enter_async_context(self.engine.episode(request, self.emit))
        await self.episode.start()
        if intent.resume:
            await replay(self.episode, self.engine.store.load(intent.resume).steps)
        if intent.agent:
            await self._choose_agent(intent.agent)

    def _run_of(self, benchmark: str, actor: str) -> str:
        """All of a person's attempts of one sitting belong to one run."""
        key = (benchmark, actor)
        if key not in self._runs:
            self._runs[key] = self.engine.store.start_run(benchmark=benchmark, agent=actor, planned=0)
        return self._runs[key]

    async def _send(self, intent: messages.SendAction) -> None:
        episode = self._live()
        agent_was_running = self._running is not None
        await self._stop_agent()
        actor = "operator" if agent_was_running and intent.actor == "human" else intent.actor
        proposal = self._turn.proposal if self._turn and intent.actor == "agent" else None
        if proposal is not None and self._turn is not None and intent.text == self._turn.text:
            await agent_turns.take(episode, self._turn)
        else:
            result = await episode.act(intent.text, actor=actor, proposed=intent.proposed)
            if isinstance(result, ParseError):
                return
        self._turn = None

    async def _choose_agent(self, spec: str) -> None:
        await self._stop_agent()
        if self._agent is not None:
            await self._agent.close()
            self._agent = None
        if spec and self._benchmark is not None:
            self._agent = make_agent(spec, self._benchmark, self._live().task)
        self._announce()

    async def _ask(self) -> None:
        episode = self._live()
        await self._stop_agent()
        self._turn = await agent_turns.propose(episode, self._chosen())

    async def _reject(self, reason: str) -> None:
        """A rejected proposal is a note in the record; the agent sees the page unchanged."""
        episode = self._live()
        rejected = self._turn.text if self._turn else ""
        self._turn = None
        await episode.note(f"rejected the proposal {rejected!r}: {reason or 'no reason given'}")

    async def _run(self, steps: int | None) -> None:
        episode, agent = self._live(), self._chosen()
        await self._stop_agent()
        self._paused = False
        if self._turn is not None:
            turn, self._turn = self._turn, None
            await agent_turns.take(episode, turn)
            steps = None if steps is None else steps - 1
        self._running = asyncio.create_task(self._let_agent_run(episode, agent, steps))
        self._announce()

    async def _let_agent_run(self, episode: Episode, agent: Agent, steps: int | None) -> None:
        try:
            await agent_turns.run(episode, agent, steps=steps, paused=lambda: self._paused)
        except WebbenchError as error:
            self.emit(messages.Trouble(message=error.message, hint=error.hint))
        finally:
            self._running = None
            self._announce()

    async def _stop_agent(self) -> None:
        """Pause after the step in flight: a half-done action would leave no record."""
        self._paused = True
        if self._running is not None:
            await asyncio.wait([self._running])

    def _chosen(self) -> Agent:
        if self._agent is None:
            raise WebbenchError("No agent is chosen", "choose one first")
        return self._agent

    def _announce(self) -> None:
        name = self._agent.name if self._agent else ""
        self.emit(messages.AgentChanged(name=name, running=self._running is not None))
