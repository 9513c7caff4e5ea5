"""Many episodes of one agent: a local pool of browser contexts in one browser."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from webbench.core.agents.contract import Agent
from webbench.core.aggregates import Attempt, figures_of
from webbench.core.engine import messages
from webbench.core.engine.door import Door
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.episode import Episode
from webbench.core.episode_options import EpisodeOptions
from webbench.core.episode_sight import Emit
from webbench.core.errors import WebbenchError
from webbench.core.json_types import Json
from webbench.core.score import Score, Status, failed, not_scored
from webbench.core.task import Benchmark, Task

SCHEMA_VERSION = 1


class EpisodeResult(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a batch report. `score` is None unless `status` is "scored"."""

    task: str
    instance: int | None
    status: str
    score: float | None
    steps: int
    seconds: float
    reason: str = ""
    episode: str = ""
    beside: dict[str, float | None] = {}
    """Value under the other rule sets."""


class BatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """What `run --json` prints. `mean_score` is over scored episodes, None when there are none.

    Attributes:
        figures: the benchmark's own, by rule set; empty where it has none.
    """

    run: str
    benchmark: str
    agent: str
    rules: str
    planned: int
    scored: int
    not_scored: dict[str, int]
    mean_score: float | None
    seconds: float
    episodes: tuple[EpisodeResult, ...]
    figures: dict[str, dict[str, Json]] = {}
    schema_version: int = SCHEMA_VERSION


class BatchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to run: tasks in order, one agent, so many contexts at a time."""

    benchmark: Benchmark
    tasks: Sequence[Task]
    agent: str
    workers: int = 1
    seed: int = 0
    dialect: str = ""
    options: EpisodeOptions = EpisodeOptions()
    episode_timeout: float = 600.0
    """Seconds after which an episode is ended as not scored."""
    reset: bool = False
    """Put each task's sites back to their first state, where they were changed."""


async def run_batch(
    engine: Engine,
    request: BatchRequest,
    on_result: Callable[[EpisodeResult], None] = lambda _result: None,
    on_begin: Callable[[str], None] = lambda _run: None,
    on_trouble: Callable[[str], None] = lambda _text: None,
) -> BatchReport:
    """Run every task once. An episode that fails is *not scored* with its reason and harms no other.

    `on_begin` gets the run's id before the first episode, `on_result` each result as it comes,
    `on_trouble` what goes wrong meanwhile, such as a disk that is full.
    """
    started = time.monotonic()
    run = engine.store.start_run(
        benchmark=request.benchmark.name,
        agent=request.agent,
        planned=len(request.tasks),
        task_ids=tuple(task.id for task in request.tasks),
        settings={
            "workers": request.workers,
            "seed": request.seed,
            "rules": request.options.rules,
            "reset": request.reset,
        },
    )
    on_begin(run)
    results: dict[int, EpisodeResult] = {}
    attempts: dict[int, Attempt] = {}
    waiting = iter(enumerate(request.tasks))

    def told(event: messages.Event) -> None:
        if isinstance(event, messages.Trouble):
            on_trouble(f"{event.message}: {event.hint}" if event.hint else event.message)

    async def work() -> None:
        for order, task in waiting:
            attempts[order], results[order] = await _attempt(engine, request, run, order, task, told)
            on_result(results[order])

    async with asyncio.TaskGroup() as group:
        for _ in range(max(1, min(request.workers, len(request.tasks)))):
            group.create_task(work())
    ordered = tuple(results[order] for order in sorted(results))
    report = _report(run, request, ordered, time.monotonic() - started)
    return msgspec.structs.replace(report, figures=_figures(request, [attempts[i] for i in sorted(attempts)]))


async def _attempt(
    engine: Engine, request: BatchRequest, run: str, order: int, task: Task, emit: Emit
) -> tuple[Attempt, EpisodeResult]:
    """One episode. A fault in an agent, evaluator or benchmark is that episode's error, nobody else's.

    A score whose record is not on disk can't be computed again, and counts as not scored.
    """
    started = time.monotonic()
    episode: Episode | None = None
    entrance = Door(engine, emit)
    try:
        agent = make_agent(request.agent, request.benchmark, task, request.seed)
        episode_request = EpisodeRequest(
            benchmark=request.benchmark,
            task=task,
            run=run,
            actor=agent.name,
            dialect=request.dialect,
            options=request.options,
            order=order,
            seed=request.seed,
            reset=request.reset,
        )
        try:
            async with engine.episode(episode_request, entrance.emit) as episode:
                score = await _play(episode, agent, entrance, request.episode_timeout)
        finally:
            await agent.close()
    except WebbenchError as error:
        score = episode.score if episode else not_scored(str(error), rules=request.options.rules)
    except Exception as error:
        logging.getLogger(__name__).exception("episode %d of run %s, task %s", order, run, task.id)
        reason = f"{type(error).__name__}: {error}"
        score = episode.score if episode else failed(reason, rules=request.options.rules)
    if episode is not None and episode.unrecorded:
        score = not_scored(episode.unrecorded, rules=request.options.rules, checks=score.checks)
    return Attempt(task, score), _result(task, score, episode, time.monotonic() - started)


async def _play(episode: Episode, agent: Agent, entrance: Door, timeout: float) -> Score:
    """Start the episode, let the agent (or whoever takes over) take its turns within the time, and finish."""
    try:
        async with asyncio.timeout(timeout):
            await episode.start()
            async with entrance.opened(episode, agent):
                await entrance.play(episode, agent)
    except TimeoutError:
        return await episode.fail(f"time limit of {timeout:.0f} s reached")
    if not episode.ended:
        await episode.finish("the agent had nothing more to do")
    return episode.score


def _result(task: Task, score: Score, episode: Episode | None, seconds: float) -> EpisodeResult:
    return EpisodeResult(
        task=task.name,
        instance=task.instance,
        status=score.status.value,
        score=score.value if score.status is Status.SCORED else None,
        steps=max(0, len(episode.steps) - 1) if episode else 0,
        seconds=round(seconds, 3),
        reason=score.reason,
        episode=episode.header.episode if episode else "",
        beside={other.rules: other.value for other in score.beside},
    )


def _figures(request: BatchRequest, attempts: Sequence[Attempt]) -> dict[str, dict[str, Json]]:
    """The benchmark's own, under every rule set it has, the headline's first."""
    rules = dict.fromkeys((request.options.rules, *request.benchmark.rule_sets))
    found = {name: figures_of(request.benchmark, attempts, name) for name in rules}
    return {name: figures for name, figures in found.items() if figures}


def _report(
    run: str, request: BatchRequest, results: tuple[EpisodeResult, ...], seconds: float
) -> BatchReport:
    values = [result.score for result in results if result.score is not None]
    reasons = Counter(
        result.reason or result.status for result in results if result.status != Status.SCORED.value
    )
    return BatchReport(
        run=run,
        benchmark=request.benchmark.name,
        agent=request.agent,
        rules=request.options.rules,
        planned=len(request.tasks),
        scored=len(values),
        not_scored=dict(reasons),
        mean_score=sum(values) / len(values) if values else None,
        seconds=round(seconds, 3),
        episodes=results,
    )
