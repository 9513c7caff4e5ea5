"""`step` without a screen: one action per line in, one answer per line out."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from webbench.core.dialects.contract import ParseError
from webbench.core.engine import agent_turns, catalogue
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.replay import replay
from webbench.core.episode import Episode, EpisodeOptions
from webbench.core.errors import UsageError
from webbench.core.score import Status
from webbench.core.store.store import Store
from webbench.core.task import Benchmark, Task
from webbench.tui.headless.output import print_json_line, print_text
from webbench.tui.headless.place import browser_options, open_store

SCHEMA_VERSION = 1


class StepRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `step`."""

    benchmark: str = ""
    task: str = ""
    instance: int = 0
    resume: str = ""
    agent: str = ""
    dialect: str = ""
    rules: str = "published"
    data: Path | None = None
    store: Path | None = None


def find_task(request: StepRequest, store: Store) -> tuple[Benchmark, Task]:
    """The benchmark and task a request names; with `resume`, those of the recorded episode.

    Raises:
        UsageError: nothing named, or no such task or instance.
    """
    data = str(request.data or "")
    if request.resume:
        recorded = store.load(request.resume).header.task
        return catalogue.benchmark(recorded.benchmark, data), recorded
    if not request.benchmark or not request.task:
        raise UsageError("Which task?", "webbench-tui step BENCHMARK TASK; `webbench-tui tasks` lists them")
    name, _, number = request.task.rpartition("#")
    if not (name and number.isdigit()):
        name, number = request.task, str(request.instance)
    benchmark = catalogue.benchmark(request.benchmark, data)
    return benchmark, catalogue.read_task(request.benchmark, name, int(number), data).task


def step_lines(request: StepRequest, *, as_json: bool) -> int:
    """Step a task by lines of stdin; returns the exit code: 0 scored, 1 not."""
    return asyncio.run(_step_lines(request, as_json))


async def _step_lines(request: StepRequest, as_json: bool) -> int:
    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    actor = request.agent.split(maxsplit=1)[0] if request.agent else "human"
    run = store.start_run(benchmark=benchmark.name, agent=actor, planned=1, task_ids=(task.id,))
    async with Engine(store, browser_options()) as engine:
        episode_request = EpisodeRequest(
            benchmark=benchmark,
            task=task,
            run=run,
            actor=actor,
            dialect=request.dialect,
            options=EpisodeOptions(rules=request.rules, step_limit=benchmark.step_limit),
            resumed_from=request.resume,
        )
        async with engine.episode(episode_request) as episode:
            await episode.start()
            if request.resume:
                await replay(episode, store.load(request.resume).steps)
            _answer(episode, as_json)
            if request.agent:
                await _let_agent(episode, request.agent, benchmark, as_json)
            else:
                await _follow_lines(episode, as_json)
            await episode.finish("the input ended")
            _answer(episode, as_json, final=True)
            return 0 if episode.score.status is Status.SCORED else 1


async def _let_agent(episode: Episode, spec: str, benchmark: Benchmark, as_json: bool) -> None:
    agent = make_agent(spec, benchmark, episode.task)
    try:
        while not episode.ended:
            await agent_turns.run(episode, agent, steps=1)
            _answer(episode, as_json)
    finally:
        await agent.close()


async def _follow_lines(episode: Episode, as_json: bool) -> None:
    async for line in _stdin_lines():
        if episode.ended:
            return
        text = line.strip()
        if not text:
            continue
        result = await episode.act(text)
        refusal = f"{result.reason}; nearest form: {result.nearest}" if isinstance(result, ParseError) else ""
        _answer(episode, as_json, refusal=refusal)


async def _stdin_lines() -> AsyncIterator[str]:
    while line := await asyncio.to_thread(sys.stdin.readline):
        yield line


def _answer(episode: Episode, as_json: bool, *, refusal: str = "", final: bool = False) -> None:
    """What the actor gets back: the observation as its dialect renders it, the result, the score."""
    last = episode.steps[-1]
    error = refusal or last.error
    if as_json:
        print_json_line(
            {
                "schema_version": SCHEMA_VERSION,
                "episode": episode.header.episode,
                "run": episode.header.run,
                "task": episode.task.id,
                "intent": episode.task.intent,
                "step": last.index,
                "action": last.text,
                "ok": not error,
                "error": error,
                "output": last.output,
                "url": episode.observation.url,
                "observation": episode.dialect.render(episode.observation),
                "score": episode.score,
                "ended": episode.ended,
                "final": final,
            }
        )
        return
    if final:
        print_text(f"ended: {episode.ended}\nscore: {episode.score.headline()}")
        print_text(f"episode: {episode.header.run}/{episode.header.episode}")
        return
    print_text(f"— step {last.index} {last.text}" + (f"\n! {error}" if error else ""))
    print_text(episode.dialect.render(episode.observation))
    print_text(f"score: {episode.score.headline()}")
