"""`step` without a screen: one action per line in, one answer per line out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from webbench.core import registry
from webbench.core.agents.contract import Agent
from webbench.core.analysis.recorded_episode import RecordedEpisode
from webbench.core.engine import agent_turns, catalogue, messages
from webbench.core.engine.engine import EpisodeRequest, make_agent
from webbench.core.engine.replay import Replay
from webbench.core.episode import Episode
from webbench.core.episode_limits import Budget
from webbench.core.errors import EnvironmentDown, UsageError, WebbenchError
from webbench.core.guards.approval import Approval
from webbench.core.score import Status
from webbench.core.settings import load_settings
from webbench.core.store.store import Store
from webbench.core.task import Benchmark, Task, name_and_instance, needs_browser
from webbench.tui.headless.batch import ready_benchmark
from webbench.tui.headless.line_answers import Answers
from webbench.tui.headless.line_commands import Sitting, approval_of
from webbench.tui.headless.line_following import follow_lines
from webbench.tui.headless.output import say
from webbench.tui.headless.place import (
    agent_spec,
    chosen_dialect,
    episode_options,
    find_episode,
    open_engine,
    open_store,
    report_settings,
    resets_first,
    watch,
)


class StepRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `step`, and of `fork`: it resumes up to `fork_step`."""

    benchmark: str = ""
    task: str = ""
    instance: int = 0
    resume: str = ""
    fork_step: int | None = None
    agent: str = ""
    dialect: str = ""
    rules: str = ""
    relevant_html: bool | None = None
    reset: bool | None = None
    approval: str = ""
    guard: str = ""
    hosts: tuple[str, ...] = ()
    budget: Budget = Budget()
    data: Path | None = None
    store: Path | None = None


def find_task(request: StepRequest, store: Store) -> tuple[Benchmark, Task]:
    """The benchmark and task a request names; with `resume`, those of the recorded episode.

    Raises:
        UsageError: nothing named, or no such task or instance.
        BadData: the benchmark's data is missing.
    """
    if request.resume:
        recorded = store.load(find_episode(store, request.resume)).header.task
        benchmark = ready_benchmark(recorded.benchmark, request.data)
        return benchmark, catalogue.startable(recorded, str(request.data or ""))
    if not request.benchmark or not request.task:
        raise UsageError("Which task?", "webbench-tui step BENCHMARK TASK; `webbench-tui tasks` lists them")
    name, instance = name_and_instance(request.task)
    benchmark = ready_benchmark(request.benchmark, request.data)
    data = str(request.data or "")
    return benchmark, catalogue.read_task(
        request.benchmark, name, request.instance if instance is None else instance, data
    ).task


def step_lines(request: StepRequest, *, as_json: bool) -> int:
    """Step a task by lines of stdin, or let an agent step it; returns the exit code: 0 scored, 1 not.

    Raises:
        UsageError: an unknown benchmark, task, instance, episode, agent, dialect or rule set.
        EnvironmentDown: no browser, or a store that can't be written.
    """
    watch(request.guard, request.hosts)
    report_settings()
    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    dialect = chosen_dialect(request.dialect)
    registry.dialect(dialect or benchmark.dialect)
    episode = EpisodeRequest(
        benchmark=benchmark,
        task=task,
        run="",
        dialect=dialect,
        options=episode_options(
            benchmark, rules=request.rules, relevant_html=request.relevant_html, budget=request.budget
        ),
        resumes=store.load(find_episode(store, request.resume)) if request.resume else None,
        fork_step=request.fork_step,
        reset=resets_first(request.reset),
    )
    spec = agent_spec(request.agent, store)
    agent = make_agent(spec, benchmark, task) if spec else None
    approval = approval_of(request.approval) if request.approval else load_settings().approval
    return asyncio.run(_step_lines(store, episode, agent, approval, as_json))


async def _step_lines(
    store: Store, request: EpisodeRequest, agent: Agent | None, approval: Approval, as_json: bool
) -> int:
    async with open_engine(store) as engine:
        if needs_browser(request.benchmark):
            await engine.browser()
        actor = agent.name if agent else "human"
        name = request.benchmark.name
        run = store.start_run(benchmark=name, agent=actor, planned=1, task_ids=(request.task.id,))
        begun = msgspec.structs.replace(request, run=run, actor=actor)
        async with engine.episode(begun, _tell) as episode:
            await episode.start()
            replay = _replay(store, episode, request)
            difference = await _difference(replay) if replay is not None else ""
            sitting = Sitting(episode, request.benchmark, store, approval)
            answers = Answers(sitting, as_json, replay.told if replay is not None else None)
            answers.begin(difference)
            if difference and request.fork_step is not None:
                await episode.fail(f"step {request.fork_step} was not reached: {difference}")
                answers.end()
                return 1
            if agent is not None and approval == "never":
                await _let_agent(episode, agent, answers)
            else:
                await follow_lines(sitting, answers, agent)
            if sitting.failed and not episode.ended:
                await episode.fail(sitting.failed)
            await episode.finish("the input ended")
            answers.end()
            return 0 if episode.score.status is Status.SCORED else 1


def _replay(store: Store, episode: Episode, request: EpisodeRequest) -> Replay | None:
    if request.resumes is None:
        return None
    recorded = RecordedEpisode(store, request.resumes)
    return Replay(episode, request.resumes, request.fork_step, recorded.look)


def _tell(event: messages.Event) -> None:
    """Trouble with the record goes to stderr; everything else is in the answers."""
    if isinstance(event, messages.Trouble):
        say(f"{event.message} ({event.hint})" if event.hint else event.message)


async def _difference(replay: Replay) -> str:
    """Repeat the recorded steps; returns where the page went another way, "" where it didn't."""
    try:
        await replay.run()
    except EnvironmentDown:
        raise
    except WebbenchError as error:
        return str(error)
    return ""


async def _let_agent(episode: Episode, agent: Agent, answers: Answers) -> None:
    try:
        while not episode.ended:
            await agent_turns.run(episode, agent, steps=1)
            answers.step()
    finally:
        await agent.close()
