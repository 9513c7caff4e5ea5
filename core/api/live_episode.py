"""Opening a live episode to act in it step by step, and playing one with an agent from start to end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec

from webbench.core.action.action import Action
from webbench.core.agent import Agent, AgentView, Drives, reach_of
from webbench.core.agents.advice import Advice
from webbench.core.api.available import chosen_task, ready_benchmark
from webbench.core.api.defaults import (
    chosen_dialect,
    data_folder,
    episode_options,
    open_engine,
    resets_first,
)
from webbench.core.api.event_loop import wait_for
from webbench.core.api.naming import agent_spec
from webbench.core.api.store_tables import Store, core_store
from webbench.core.benchmark.benchmark import Benchmark, needs_browser
from webbench.core.dialects.dialect import ParseError
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.episode.episode import Episode as EpisodeLoop
from webbench.core.episode.limits import Budget
from webbench.core.errors import UsageError
from webbench.core.observation import Observation, Screenshot, ScreenshotOptions
from webbench.core.provenance import Provenance
from webbench.core.renderings import render
from webbench.core.score.score import Score
from webbench.core.store.store import Store as RecordStore
from webbench.core.task import Task
from webbench.core.trajectory import HUMAN, Actor, Step, Trajectory

SCRIPT = "script"
"""Who acts in an episode that a Python program opens, where it gives no other name."""


class Episode:
    """A live episode: one attempt at one task, recorded step by step. Made by `open`.

    Attributes:
        task: what is to be done; `task.intent` says it in words.

    Example:
        >>> async with wb.open("demo/camp-mugs") as episode:
        ...     step = await episode.act("scroll [down]")
    """

    def __init__(self, loop: EpisodeLoop, store: Store, actor: str, benchmark: Benchmark) -> None:
        self.task: Task = loop.task
        self._benchmark = benchmark
        self._loop = loop
        self._store = store
        self._actor = actor

    @property
    def name(self) -> str:
        """As commands and `Store.load` find it: "run/episode"."""
        return f"{self._loop.header.run}/{self._loop.header.episode}"

    @property
    def observation(self) -> Observation:
        """What was seen last, without another look at the page."""
        return self._loop.observation

    @property
    def steps(self) -> tuple[Step, ...]:
        """What is recorded so far; step 0 is the start."""
        return tuple(self._loop.steps)

    @property
    def ended(self) -> str:
        """Why it is over: "the actor stopped", a limit, the page's own end; "" while it goes on."""
        return self._loop.ended

    @property
    def ended_by_limit(self) -> bool:
        """A limit of steps, time, tokens, cost, repeated or invalid actions ended it."""
        limits = self._loop.limits
        return bool(self.ended) and self.ended in (limits.reached(), limits.out_of_budget())

    @property
    def picture(self) -> Screenshot | None:
        """The screenshot that is recorded with the last step, None where there is none."""
        return self._loop.screenshot

    @property
    def last_score(self) -> Score:
        """Of the last step that was scored, without another look at the page; at the end the final one."""
        return self._loop.score

    @property
    def view(self) -> AgentView:
        """All that an agent gets to see now: task, observation, picture, history, what the limits leave."""
        return self._loop.view()

    def text(self, format: str = "webarena") -> str:
        """The last observation as text: "webarena", "browsergym" or "json"."""
        return render(self._loop.observation, format)

    async def observe(self, *, viewport_only: bool = False) -> Observation:
        """Read the page again; nothing is recorded. After the end, what was seen last.

        Args:
            viewport_only: leave out what the viewport doesn't show.

        Raises `EnvironmentDown` where the browser is gone.
        """
        if not self.ended:
            await self._loop.refresh(viewport_only)
        return self._loop.observation

    async def act(self, action: str | Action, *, confirmed: bool = False) -> Step:
        """Carry out one action, observe, score and record; what came of it.

        Args:
            action: text in the episode's action language ("click [12]", "stop [68]"), or an `Action`.
            confirmed: also what the guard would ask a person about, such as paying on a live site.

        Returns the recorded step. An action without an effect, and for every actor but "human" a text that
        is no action, is a step too: `ok` is false, and `error` says why.

        Raises:
            UsageError: a text that is no action, where the actor is "human": nothing is recorded.
            WebbenchError: the episode has ended.
            EnvironmentDown: the browser is gone.
        """
        by_human = self._actor == HUMAN
        advice = Advice(confirmed=confirmed)
        if not by_human:
            self._loop.agent = self._actor
            provenance = Provenance(proposed_by=self._actor, decision="alone")
            advice = msgspec.structs.replace(advice, provenance=provenance)
        actor: Actor = "human" if by_human else "agent"
        if not isinstance(action, str):
            return await self._loop.act_on(action, actor=actor, advice=advice)
        done = await self._loop.act(action, actor=actor, advice=advice)
        if isinstance(done, ParseError):
            raise UsageError(f'"{action[:80]}" is no action: {done.reason}', f"try {done.nearest}")
        return done

    async def play(self, agent: Agent | str, *, steps: int | None = None) -> None:
        """Let an agent take its turns until the episode ends, it has no more to do, or `steps` are taken.

        Args:
            agent: see `play`.
        """
        made = _made_agent(agent, self._benchmark, self.task, self._store.records)
        try:
            await agent_turns.run(self._loop, made, steps=steps)
        finally:
            if isinstance(agent, str):
                await made.close()

    async def note(self, text: str) -> Step:
        """Record a remark as a step of its own; the page is left alone."""
        return await self._loop.note(text)

    async def screenshot(self, *, full_page: bool = False) -> Screenshot | None:
        """Take a picture now; nothing is recorded. None while a dialog is open or the page is gone."""
        options = ScreenshotOptions(format="png", full_page=full_page, anew=True)
        return await self._loop.show_picture(options)

    async def score(self) -> Score:
        """Score what is there now with every check; after the end, the final score.

        Nothing is recorded, and the page isn't disturbed. What a judge must decide stays pending.
        """
        return self._loop.score if self.ended else await self._loop.score_fully()

    async def finish(self, reason: str = "the program finished it") -> Score:
        """End the episode with its final score. Idempotent; leaving `open` does the same."""
        return await self._loop.finish(reason)

    async def keep(self) -> None:
        """Let go of it without an end or a score, so that `webbench-tui step --resume` can go on with it."""
        await self._loop.leave()

    async def recorded(self) -> Trajectory:
        """Its record, as far as it goes."""
        return await asyncio.to_thread(self._store.load, self.name)

    def __repr__(self) -> str:
        return f"<Episode {self.name}: step {len(self._loop.steps) - 1}, {self.ended or 'going on'}>"


@asynccontextmanager
async def engine(store: Store | Path | str | None = None) -> AsyncIterator[Engine]:
    """One browser for several episodes: hand it to `open`. The browser starts at the first need of it.

    Args:
        store: where episodes are recorded; None: the configured store.

    Raises:
        EnvironmentDown: the settings name a Chromium that can't be run.

    Example:
        >>> async with wb.engine("my-store") as engine:
        ...     for task in wb.tasks("demo", site="shop"):
        ...         async with wb.open(task, engine=engine) as episode:
        ...             await episode.act("stop []")
    """
    async with open_engine(core_store(store)) as opened:
        yield opened


@asynccontextmanager
async def open(  # noqa: A001 - the public name is `webbench.open`
    task: Task | str,
    *,
    actor: str = SCRIPT,
    store: Store | Path | str | None = None,
    engine: Engine | None = None,
    dialect: str = "",
    rules: str = "",
    limits: Budget = Budget(),
    pictures: bool = True,
    live_score: bool = True,
    reset: bool | None = None,
    data: Path | str | None = None,
    joinable: bool = False,
) -> AsyncIterator[Episode]:
    """A live episode of a task: its pages are served, a browser is open on them, step 0 is recorded.

    Leaving the block ends the episode with its final score; an error in it ends it without one.

    Args:
        task: from `tasks`, or its name: "demo/camp-mugs".
        actor: who acts, for the record; "human" for a person at a prompt of your own.
        store: where it is recorded; None: the engine's, else the configured one.
        engine: see `engine`; None: a browser of its own.
        dialect: the action language; "": by the settings, else the benchmark's own.
        rules: the rule set of the headline score; "": by the settings, else the benchmark's own.
        limits: of steps, seconds, tokens and cost; by the settings, else the benchmark's, where it is silent.
        pictures: record a screenshot of every step.
        live_score: score every step; without it only the end is scored, which is faster.
        reset: put sites that last and were changed back to their first state; None: by the settings.
        data: the benchmark's data folder; None: by the settings, else what is bundled.
        joinable: a browser of its own, which a program can join (`AgentView.devtools`).

    Raises:
        UsageError: an unknown task, rule set or action language.
        BadData: the benchmark's data is missing.
        EnvironmentDown: no browser, or the task's sites can't be reached.

    Example:
        >>> import webbench as wb
        >>> async with wb.open("demo/price-of-lantern") as episode:
        ...     observation = await episode.observe()
        ...     step = await episode.act("stop [68]")
        ...     score = await episode.score()
        >>> score.headline()
        '1.000 (one check)'
    """
    chosen = chosen_task(task, data)
    benchmark = ready_benchmark(chosen.benchmark, data or data_folder(chosen.benchmark, None))
    own_language = chosen_dialect(dialect)
    options = episode_options(benchmark, rules=rules, live_score=live_score, pictures=pictures, budget=limits)
    async with AsyncExitStack() as stack:
        if engine is None:
            engine = await stack.enter_async_context(open_engine(core_store(store)))
        if needs_browser(benchmark):
            await engine.browser()
        run = engine.store.start_run(benchmark=benchmark.name, agent=actor, planned=1, task_ids=(chosen.id,))
        request = EpisodeRequest(
            benchmark=benchmark,
            task=chosen,
            run=run,
            actor=actor,
            dialect=own_language,
            options=options,
            reset=resets_first(reset),
            lends=joinable,
        )
        loop = await stack.enter_async_context(engine.episode(request))
        try:
            await loop.start()
            yield Episode(loop, Store(engine.store), actor, benchmark)
        except asyncio.CancelledError:
            await loop.leave()
            raise
        await loop.finish("the program finished it")


def play(
    task: Task | str,
    agent: Agent | str = "oracle",
    *,
    store: Store | Path | str | None = None,
    seed: int = 0,
    dialect: str = "",
    rules: str = "",
    limits: Budget = Budget(),
    pictures: bool = True,
    data: Path | str | None = None,
) -> Trajectory:
    """Let an agent play a task from start to end; the record, with its score.

    It returns when the episode has ended, in a script and in a notebook alike; in a program of your own that
    has an event loop, use `open` and `Episode.play`. For many tasks see `run`.

    Args:
        agent: a spec as on the command line ("oracle", "random steps=20", "model gpt-x"), or an object that
            has `name`, `propose` and `close` (see `Agent`).
        seed: of agents that draw lots.
        dialect, rules, limits, pictures, store, data: see `open`.

    Raises:
        UsageError: an unknown task or agent.
        BadData: the benchmark's data is missing.
        EnvironmentDown: no browser, or the task's sites can't be reached.

    Example:
        >>> import webbench as wb
        >>> wb.play("demo/camp-mugs", "oracle").header.score.value
        1.0
    """

    async def played() -> Trajectory:
        chosen = chosen_task(task, data)
        benchmark = ready_benchmark(chosen.benchmark, data or data_folder(chosen.benchmark, None))
        made = _made_agent(agent, benchmark, chosen, core_store(store), seed)
        try:
            opened = open(
                chosen,
                actor=made.name,
                store=store,
                dialect=dialect,
                rules=rules,
                limits=limits,
                pictures=pictures,
                live_score=False,
                data=data,
                joinable=isinstance(made, Drives),
            )
            async with opened as episode:
                loop = episode._loop
                loop.tell_reach(reach_of(made))
                await agent_turns.run(loop, made)
                await loop.finish("the agent had nothing more to do")
            return await episode.recorded()
        finally:
            if isinstance(agent, str):
                await made.close()

    return wait_for(played())


def _made_agent(
    agent: Agent | str, benchmark: Benchmark, task: Task, store: RecordStore, seed: int = 0
) -> Agent:
    """The agent of a spec, made for the benchmark whose pages it will see: isolation hides its data."""
    if not isinstance(agent, str):
        return agent
    return make_agent(agent_spec(agent, store), benchmark, task, seed, store=store.root)
