"""`step` without a screen: one action per line in, one answer per line out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from webbench.core import registry
from webbench.core.agents.contract import Agent
from webbench.core.dialects.contract import ParseError
from webbench.core.engine import agent_turns, catalogue
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.replay import replay
from webbench.core.episode import Episode, EpisodeOptions
from webbench.core.errors import UsageError
from webbench.core.score import Status
from webbench.core.store.store import Store
from webbench.core.task import Benchmark, Task
from webbench.tui.headless.batch import ready_benchmark
from webbench.tui.headless.lines import stdin_lines
from webbench.tui.headless.output import flush, print_json_line, print_text
from webbench.tui.headless.place import (
    agent_spec,
    browser_options,
    chosen_dialect,
    chosen_rules,
    find_episode,
    open_store,
    step_limit,
)

SCHEMA_VERSION = 1


class StepRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `step`."""

    benchmark: str = ""
    task: str = ""
    instance: int = 0
    resume: str = ""
    agent: str = ""
    dialect: str = ""
    rules: str = ""
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
        return ready_benchmark(recorded.benchmark, request.data), recorded
    if not request.benchmark or not request.task:
        raise UsageError("Which task?", "webbench-tui step BENCHMARK TASK; `webbench-tui tasks` lists them")
    name, _, number = request.task.rpartition("#")
    if not (name and number.isdigit()):
        name, number = request.task, str(request.instance)
    benchmark = ready_benchmark(request.benchmark, request.data)
    data = str(request.data or "")
    return benchmark, catalogue.read_task(request.benchmark, name, int(number), data).task


def step_lines(request: StepRequest, *, as_json: bool) -> int:
    """Step a task by lines of stdin, or let an agent step it; returns the exit code: 0 scored, 1 not.

    Raises:
        UsageError: an unknown benchmark, task, instance, episode, agent, dialect or rule set.
        EnvironmentDown: no browser, or a store that can't be written.
    """
    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    dialect = chosen_dialect(request.dialect)
    registry.dialect(dialect or benchmark.dialect)
    episode = EpisodeRequest(
        benchmark=benchmark,
        task=task,
        run="",
        dialect=dialect,
        options=EpisodeOptions(
            rules=chosen_rules(request.rules, benchmark.rule_sets, benchmark.name),
            step_limit=step_limit(benchmark.step_limit),
        ),
        resumed_from=request.resume,
    )
    spec = agent_spec(request.agent, store)
    agent = make_agent(spec, benchmark, task) if spec else None
    return asyncio.run(_step_lines(store, episode, agent, as_json))


async def _step_lines(store: Store, request: EpisodeRequest, agent: Agent | None, as_json: bool) -> int:
    recorded = store.load(find_episode(store, request.resumed_from)) if request.resumed_from else None
    async with Engine(store, browser_options()) as engine:
        await engine.browser()
        actor = agent.name if agent else "human"
        name = request.benchmark.name
        run = store.start_run(benchmark=name, agent=actor, planned=1, task_ids=(request.task.id,))
        begun = msgspec.structs.replace(request, run=run, actor=actor)
        async with engine.episode(begun) as episode:
            await episode.start()
            if recorded is not None:
                await replay(episode, recorded.steps)
            answers = Answers(episode, as_json)
            answers.begin()
            await (_let_agent(episode, agent, answers) if agent else _follow_lines(episode, answers))
            await episode.finish("the input ended")
            answers.end()
            return 0 if episode.score.status is Status.SCORED else 1


async def _let_agent(episode: Episode, agent: Agent, answers: Answers) -> None:
    try:
        while not episode.ended:
            await agent_turns.run(episode, agent, steps=1)
            answers.step()
    finally:
        await agent.close()


async def _follow_lines(episode: Episode, answers: Answers) -> None:
    if episode.ended:
        return
    async for line in stdin_lines():
        text = line.strip()
        if not text:
            continue
        result = await episode.act(text)
        answers.refused(text, result) if isinstance(result, ParseError) else answers.step()
        if episode.ended:
            return


class Answers:
    """What the actor gets back: the observation as its dialect renders it, the result, the score."""

    def __init__(self, episode: Episode, as_json: bool) -> None:
        self._episode = episode
        self._as_json = as_json

    def begin(self) -> None:
        """The task, and what there is to see."""
        if not self._as_json:
            task = self._episode.task
            print_text(f"task: {task.benchmark} {task.id}\nintent: {task.intent}")
        self.step()

    def step(self) -> None:
        """What the last step led to."""
        last = self._episode.steps[-1]
        self._answer(last.text, last.error, last.output)

    def refused(self, text: str, error: ParseError) -> None:
        """A line that is no action: nothing was done."""
        self._answer(text, f"{error.reason}; nearest form: {error.nearest}", "")

    def end(self) -> None:
        """The last word, with the final score."""
        episode = self._episode
        if self._as_json:
            last = episode.steps[-1]
            self._print(last.text, last.error, last.output, final=True)
            return
        print_text(f"ended: {episode.ended}\nscore: {episode.score.headline()}")
        print_text(f"episode: {episode.header.run}/{episode.header.episode}")

    def _answer(self, text: str, error: str, output: str) -> None:
        episode = self._episode
        if self._as_json:
            self._print(text, error, output, final=False)
            return
        print_text(f"— step {episode.steps[-1].index} {text}".rstrip())
        if error:
            print_text(f"! {error}")
        if output:
            print_text(f"output: {output}")
        print_text(episode.dialect.render(episode.observation))
        print_text(f"score: {episode.score.headline()}")
        flush()

    def _print(self, text: str, error: str, output: str, *, final: bool) -> None:
        episode = self._episode
        print_json_line(
            {
                "schema_version": SCHEMA_VERSION,
                "run": episode.header.run,
                "episode": episode.header.episode,
                "task": episode.task.id,
                "intent": episode.task.intent,
                "step": episode.steps[-1].index,
                "action": text,
                "ok": not error,
                "error": error,
                "output": output,
                "url": episode.observation.url,
                "condition": episode.observation.condition,
                "observation": episode.dialect.render(episode.observation),
                "score": episode.score,
                "ended": episode.ended,
                "final": final,
            }
        )
