"""One person's sitting with the engine: intents in, events out, one episode at a time."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable
from contextlib import AsyncExitStack

from webbench.core.agent import Agent, Drives, reach_of
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.dialects.dialect import find_dialect
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session.background_thread import in_background
from webbench.core.engine.session.copilot import CoPilot
from webbench.core.engine.session.figures_so_far import FiguresSoFar
from webbench.core.engine.session.instructor import instructor_let_in
from webbench.core.engine.session.person_judge import PersonOnScreen
from webbench.core.engine.session.replaying import Replay, require_step
from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.engine.wire.messages import Emit
from webbench.core.episode.episode import Episode
from webbench.core.episode.limits import Budget, with_limits
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.guards.approval import Approval
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.core.scoring.judges.human import HumanJudge
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.index.unfinished import unfinished
from webbench.core.store.looks import forget_look
from webbench.core.trajectory import ABANDONED

INTERRUPTING = (
    messages.PauseAgent
    | messages.SendAction
    | messages.StartEpisode
    | messages.ChooseAgent
    | messages.EndEpisode
    | messages.KeepEpisode
    | messages.FinishEpisode
    | messages.Shutdown
)
"""Intents that an agent's thinking must not hold up."""

PATIENCE = 2.0
"""Seconds that reading a benchmark's tasks may hold up the next intent: a list may take minutes."""

LEAVING = messages.StartEpisode | messages.EndEpisode | messages.KeepEpisode | messages.Shutdown
"""Intents that a question to the person must not hold up: it stays open."""


class Session:
    """Handles intents one after the other; an agent may run meanwhile and can be paused at any time.

    Failures become `Trouble` events: a session outlives everything but its process.
    """

    def __init__(self, engine: Engine, emit: Emit) -> None:
        self.engine = engine
        self.emit = emit
        self.episode: Episode | None = None
        self._benchmark: Benchmark | None = None
        self._copilot: CoPilot | None = None
        self._spec = ""
        self._running: asyncio.Task[None] | None = None
        self._looking: set[asyncio.Task[None]] = set()
        self._listing: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._list_again: set[tuple[str, str]] = set()
        self._person = PersonOnScreen(emit)
        self._sitting = FiguresSoFar()
        self._stack, self._door = AsyncExitStack(), AsyncExitStack()
        self._runs: dict[tuple[str, str], str] = {}
        self._orders: dict[str, int] = {}

    def announce(self, intent: messages.Intent) -> None:
        """Called as soon as an intent arrives, while another may still be handled."""
        if isinstance(intent, messages.GiveVerdict):
            self._person.answer(intent)
        if isinstance(intent, LEAVING):
            self._person.leave()
        if isinstance(intent, INTERRUPTING) and self._copilot is not None:
            self._copilot.interruption.request()

    async def handle(self, intent: messages.Intent) -> None:
        """Carry out one intent; never raises, but tells of every failure."""
        await self._guarded(self._dispatch(intent))

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except WebbenchError as error:
            self._tell(error.message, error.hint)
        except Exception as error:
            traceback.print_exc()
            self._tell(f"{type(error).__name__}: {error}", "this is a fault of the program; the log has more")

    def _tell(self, message: str, hint: str) -> None:
        self.emit(messages.Progress(text="", stage="idle"))
        self.emit(messages.Trouble(message=message, hint=hint))

    async def close(self) -> None:
        """End the agent and leave the episode; one in which something was done can be gone on with."""
        await self._door.aclose()
        await self._stop_agent()
        if self._copilot is not None and self._copilot.agent is not None:
            await self._copilot.agent.close()
        self._copilot, self._spec = None, ""
        if self.episode is not None and self.episode.is_under_way:
            await self.episode.leave()
        elif self.episode is not None:
            await self.episode.fail(ABANDONED)
            await self._forget_look(self.episode)
        await self._stack.aclose()
        self.episode = None

    async def _forget_look(self, episode: Episode) -> None:
        """Who looked at a task and left has attempted nothing; what a study asked for is kept."""
        run = episode.header.run
        own = next((key for key, name in self._runs.items() if name == run), None)
        if own is None or episode.is_under_way or episode.header.end_reason != ABANDONED:
            return
        store = self.engine.store
        if await asyncio.to_thread(forget_look, store, run, episode.header.episode):
            self._orders[run] -= 1
            if not (store.root / run).exists():
                del self._runs[own], self._orders[run]

    async def _dispatch(self, intent: messages.Intent) -> None:
        match intent:
            case messages.StartEpisode():
                await self._start(intent)
            case messages.SendAction():
                await self._send(intent)
            case messages.PreviewAnswer(answer=answer):
                self._preview(answer)
            case messages.AddNote(text=text):
                await self._live().note(text)
            case messages.GiveVerdict():
                return  # taken when it arrived: what waits for it is still being handled
            case messages.Refresh(viewport_only=viewport_only, whole=whole):
                await self._live().refresh(viewport_only, whole=whole)
            case messages.ScoreFully():
                await self._live().score_fully()
            case messages.TakeScreenshot(options=options):
                await self._live().show_picture(options)
            case messages.ChangeDialect(name=name):
                self._live().dialect = find_dialect(name)
            case messages.Witness():
                await self._live().witness()
            case messages.PauseEpisode():
                self._live().pause()
            case messages.GoOn():
                self._live().go_on()
            case messages.EndEpisode(reason=reason):
                await self._stop_agent()
                await self._door.aclose()
                episode = self._live()
                await episode.fail(reason)
                await self._forget_look(episode)
            case messages.KeepEpisode():
                self._live()
                await self.close()
            case messages.FinishEpisode(reason=reason):
                await self._stop_agent()
                await self._live().finish(reason)
            case messages.Shutdown():
                await self.close()
            case catalogue_messages.ListProblems():
                self._look_through(intent)
            case (
                catalogue_messages.ListTasks()
                | catalogue_messages.ListUnfinished()
                | catalogue_messages.ReadTask()
                | messages.WarmUp()
            ):
                await self._prepare(intent)
            case _:
                await self._dispatch_to_agent(intent)

    async def _prepare(
        self,
        intent: catalogue_messages.ListTasks
        | catalogue_messages.ListUnfinished
        | catalogue_messages.ReadTask
        | messages.WarmUp,
    ) -> None:
        """What needs no episode."""
        match intent:
            case catalogue_messages.ListTasks(benchmark=name, data=data):
                for one in [name] if name else sorted(entry_points.load(BENCHMARKS)):
                    await self._list(one, data)
            case catalogue_messages.ListUnfinished():
                found = await asyncio.to_thread(unfinished, self.engine.store)
                self.emit(catalogue_messages.UnfinishedListed(found=found))
            case catalogue_messages.ReadTask():
                await asyncio.wait({self._beside(self._tell_task(intent))}, timeout=PATIENCE)
            case messages.WarmUp():
                self.emit(messages.Progress(text="starting the browser", stage="browser"))
                await self.engine.browser()
                self.emit(messages.Progress(text="", stage="idle"))

    def _look_through(self, intent: catalogue_messages.ListProblems) -> None:
        """A big data set takes seconds: whoever wants to start a task needn't wait for it."""

        async def look() -> None:
            self.emit(await in_background(catalogue.list_problems, intent.benchmark, intent.data))

        self._beside(look())

    async def _list(self, name: str, data: str) -> None:
        """Read a benchmark anew, once at a time; what takes longer than a moment goes on beside.

        Asked for meanwhile, it is read once more afterwards: what changed since is not in the first list.
        """
        if (name, data) in self._listing:
            self._list_again.add((name, data))
            return
        await asyncio.wait({self._begin_list(name, data)}, timeout=PATIENCE)

    def _begin_list(self, name: str, data: str) -> asyncio.Task[None]:
        catalogue.forget(name)
        self._list_again.discard((name, data))
        listing = self._listing[name, data] = self._beside(self._tell_list(name, data))

        def ended(_: object) -> None:
            del self._listing[name, data]
            if (name, data) in self._list_again and not listing.cancelled():
                self._begin_list(name, data)

        listing.add_done_callback(ended)
        return listing

    async def _tell_list(self, name: str, data: str) -> None:
        self.emit(await in_background(catalogue.list_tasks, name, data))
        self.emit(await in_background(catalogue.results, self.engine.store, name))
        if name in self._sitting.latest:
            self.emit(self._sitting.latest[name])

    async def _tell_task(self, intent: catalogue_messages.ReadTask) -> None:
        if (listing := self._listing.get((intent.benchmark, intent.data))) is not None:
            await asyncio.wait({listing})
        found = catalogue.read_task
        self.emit(await in_background(found, intent.benchmark, intent.name, intent.instance, intent.data))

    def _beside(self, work: Awaitable[None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._guarded(work))
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)
        return task

    def _preview(self, answer: str) -> None:
        """Without a word where there is nothing to preview: the person is typing."""
        score = self.episode.preview(answer) if self.episode is not None else None
        if score is not None:
            self.emit(messages.AnswerPreviewed(answer=answer, score=score))

    def _live(self) -> Episode:
        if self.episode is None:
            raise WebbenchError("No episode is open", "choose a task in the library and press Enter")
        return self.episode

    async def _start(self, intent: messages.StartEpisode) -> None:
        await self.close()
        self._stack = AsyncExitStack()
        self._person.come_back()
        self._benchmark = catalogue.benchmark(intent.benchmark, intent.data)
        self.emit(messages.Progress(text="starting the browser", stage="browser"))
        request = self._request(intent, self._benchmark, await _first_agent(intent, self._benchmark))
        self.episode = await self._stack.enter_async_context(self.engine.episode(request, self._pass_on))
        self._copilot = CoPilot(self.episode, intent.approval or load_settings().approval)
        try:
            await self.episode.start()
        except WebbenchError as error:
            await self.episode.fail(str(error))
            raise
        if intent.instructor:
            await self._guarded(self._let_in(self.episode))
        if intent.agent:
            await self._guarded(self._choose_agent(intent.agent))
        if request.resumes is not None:
            recorded = RecordedEpisode(self.engine.store, request.resumes)
            replay = Replay(self.episode, request.resumes, request.fork_step, recorded.look)
            try:
                await replay.run()
            finally:
                self.emit(replay.told)

    async def _let_in(self, episode: Episode) -> None:
        await self._door.enter_async_context(instructor_let_in(episode, self.engine.store.root))

    def _pass_on(self, event: messages.Event) -> None:
        """Pass an episode's event on; its end moves the figures of the sitting."""
        self.emit(event)
        if isinstance(event, messages.EpisodeEnded) and self._benchmark is not None:
            figures = self._sitting.add(self._benchmark, event.header)
            if figures is not None:
                self.emit(figures)

    def _request(
        self, intent: messages.StartEpisode, benchmark: Benchmark, agent: Agent | None
    ) -> EpisodeRequest:
        resumes = self.engine.store.load(intent.resume) if intent.resume else None
        if resumes is not None and intent.fork_step is not None:
            require_step(resumes, intent.fork_step)
        actor = intent.agent.split(maxsplit=1)[0] if intent.agent else intent.actor
        run = intent.run or self._run_of(intent.benchmark, actor)
        if not intent.run:
            self.engine.store.extend_run(run, intent.task.id)
        order = self._orders.get(run, 0)
        self._orders[run] = order + 1
        settings = load_settings()
        options = EpisodeOptions(
            rules=intent.rules, live_score=intent.live_score, relevant_html=settings.relevant_html
        )
        return EpisodeRequest(
            benchmark=benchmark,
            task=intent.task,
            run=run,
            actor=actor,
            dialect=intent.dialect,
            options=with_limits(options, benchmark, settings, Budget(steps=intent.step_limit)),
            order=order,
            reset=settings.reset_first,
            resumes=resumes,
            annotator=intent.annotator,
            instructor=intent.instructor,
            agent_reach=reach_of(agent) if agent is not None else "",
            lends=isinstance(agent, Drives),
            fork_step=intent.fork_step,
            takes_back=intent.takes_back,
            judge=HumanJudge(self._person.ask) if intent.asks_person else None,
        )

    def _run_of(self, benchmark: str, actor: str) -> str:
        """All of a person's attempts of one sitting belong to one run, whose plan grows with each."""
        key = (benchmark, actor)
        if key not in self._runs:
            self._runs[key] = self.engine.store.start_run(benchmark=benchmark, agent=actor, planned=0)
        return self._runs[key]

    async def _send(self, intent: messages.SendAction) -> None:
        """An accepted proposal is the agent's own step; everything else is the person's."""
        self._live()
        copilot = self._at_work()
        took_over = self._running is not None
        await self._stop_agent()
        accepted = copilot.candidate_of(intent.text) if intent.actor == "agent" else None
        if accepted is not None:
            await copilot.accept(accepted, confirmed=intent.confirmed)
        elif intent.actor == "agent":
            raise UsageError(
                "That proposal is not open any more", "look at what it led to, or ask for another"
            )
        else:
            edited = copilot.candidate_of(intent.proposed)
            await copilot.act(intent.text, actor=intent.actor, edited=edited, took_over=took_over)
        self._go_on()

    # -- the agent -----------------------------------------------------------------------------

    async def _dispatch_to_agent(self, intent: messages.Intent) -> None:
        match intent:
            case messages.ChooseAgent(spec=spec):
                await self._choose_agent(spec)
            case messages.AskAgent():
                await self._stop_agent()
                await self._at_work().propose()
            case messages.RunAgent(steps=steps):
                await self._run(steps)
            case messages.SetApproval(approval=approval):
                await self._ask_before(approval)
            case messages.PauseAgent():
                await self._pause()
            case messages.RejectProposal(reason=reason):
                await self._at_work().reject(reason)
                self._go_on()

    async def _ask_before(self, approval: Approval) -> None:
        """An agent that waited for what isn't asked any more goes on."""
        copilot = self._at_work()
        waited = copilot.waiting
        await copilot.ask_before(approval)
        if waited and not copilot.waiting:
            self._go_on()
        else:
            self._announce()

    async def _choose_agent(self, spec: str) -> None:
        """Another agent, or none; one that can't be made leaves everything as it is."""
        await self._stop_agent()
        copilot, chosen = self._at_work(), None
        if spec and self._benchmark is not None:
            chosen = make_agent(spec, self._benchmark, self._live().task, store=self.engine.store.root)
        if copilot.agent is not None:
            await copilot.agent.close()
        copilot.choose(chosen)
        self._spec = spec if chosen else ""
        self._announce()

    async def _run(self, steps: int | None) -> None:
        await self._stop_agent()
        self._at_work().go(steps)
        self._go_on()

    def _go_on(self) -> None:
        """Where the agent goes on by itself, let it."""
        copilot = self._at_work()
        copilot.interruption.clear()
        if copilot.going and not copilot.episode.ended:
            self._running = asyncio.create_task(self._let_agent_run(copilot))
        self._announce()

    async def _let_agent_run(self, copilot: CoPilot) -> None:
        try:
            await copilot.run()
        except WebbenchError as error:
            copilot.going = False
            self._tell(error.message, error.hint)
        except Exception as error:
            copilot.going = False
            traceback.print_exc()
            name = copilot.agent.name if copilot.agent is not None else ""
            self._tell(f"The agent {name} broke: {type(error).__name__}: {error}", "the log has more")
        finally:
            self._running = None
            self._announce()
        if copilot.turn is not None and copilot.turn.empty:
            self.emit(copilot.turn.told)

    async def _pause(self) -> None:
        """The record tells that a person stopped the agent, and so does what it had proposed."""
        copilot = self._at_work()
        going = copilot.going or self._running is not None or copilot.interruption.cut_off
        await self._stop_agent()
        copilot.stop()
        if going and not copilot.episode.ended:
            await copilot.paused()
            if copilot.turn is not None:
                self.emit(copilot.turn.told)
        self._announce()

    async def _stop_agent(self) -> None:
        """Stop at once while it thinks, after the step in flight while it acts."""
        if self._copilot is not None:
            self._copilot.interruption.request()
        if self._running is not None:
            await asyncio.wait([self._running])

    def _at_work(self) -> CoPilot:
        self._live()
        assert self._copilot is not None
        return self._copilot

    def _announce(self) -> None:
        copilot = self._copilot
        if copilot is None:
            return
        self.emit(
            messages.AgentChanged(
                name=copilot.agent.name if copilot.agent else "",
                running=self._running is not None,
                spec=self._spec,
                approval=copilot.approval,
                waiting=copilot.waiting,
            )
        )


async def _first_agent(intent: messages.StartEpisode, benchmark: Benchmark) -> Agent | None:
    """The agent that is to begin, closed again; one that can't be made is told when it is chosen."""
    if not intent.agent:
        return None
    try:
        agent = make_agent(intent.agent, benchmark, intent.task)
    except WebbenchError:
        return None
    await agent.close()
    return agent
