"""What a run came to: one line per planned episode that was played, and the figures over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from webbench.core.benchmark.benchmark import Benchmark, figures_of
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.models.spending import Spent
from webbench.core.runner.run_log import Ended, WorkState
from webbench.core.runner.status.progress import RunProgress
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import Score, Status, failed, not_scored
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.mean import mean
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader

SCHEMA_VERSION = 1


class EpisodeResult(msgspec.Struct, frozen=True, kw_only=True):
    """One planned episode of a batch that was played, as `BatchReport.episodes` lists it.

    Attributes:
        task: the task's own name.
        instance: number of the task's instance from 0, None where the task has none.
        status: "scored", "pending" (a judge is awaited), "not_scored" or "error".
        score: the value, None unless `status` is "scored".
        steps: steps that were recorded, not counting the start.
        seconds: how long it took.
        reason: why it has no score.
        end_reason: why one that has a score ended, such as a limit.
        episode: its name in the store.
        beside: the value under each of the other rule sets, None where there is none.
        repeat: which repetition of its task, from 0.
        attempts: how often it was played; the last one counts.
        mixed: somebody else than the agent acted too: it is in no figure.

    Example:
        >>> report = wb.run("demo", "oracle", ended=lambda result: print(result.task, result.score))
        >>> [one.task for one in report.episodes if one.status != "scored"]
    """

    task: str
    instance: int | None
    status: str
    score: float | None
    steps: int
    seconds: float
    reason: str = ""
    end_reason: str = ""
    episode: str = ""
    beside: dict[str, float | None] = {}
    repeat: int = 0
    attempts: int = 1
    mixed: bool = False


class BatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """What `run --json` prints. `mean_score` is over scored episodes, None when there are none.

    Attributes:
        state: see `WorkState`; `reason` says why it is not finished.
        planned: scored + sum(not_scored.values()) + left.
        not_scored: how many have no score, by reason.
        left: still to be played, by `run --resume`.
        replaced: attempts that don't count because the episode was or will be played again.
        mixed: episodes in which somebody else acted too; they are in no figure, the mean included.
        spent: tokens and US dollars of all attempts; None where no agent told.
        figures: the benchmark's own, by rule set; empty where it has none.
        pass_at: with repetitions, by k, the chance that one of k attempts at a task succeeds.

    Example:
        >>> report = wb.run("demo", "oracle")
        >>> report.mean_score, report.not_scored, report.left
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
    state: WorkState = "finished"
    reason: str = ""
    left: int = 0
    replaced: int = 0
    mixed: int = 0
    repeats: int = 1
    spent: Spent = Spent()
    figures: dict[str, dict[str, Json]] = {}
    pass_at: dict[str, Estimate] = {}
    schema_version: int = SCHEMA_VERSION


def result_of(task: Task, ended: Ended, *, repeat: int = 0, attempts: int = 1) -> EpisodeResult:
    """One line of the report."""
    return EpisodeResult(
        task=task.name,
        instance=task.instance,
        status=ended.status.value,
        score=ended.score,
        steps=ended.steps,
        seconds=round(ended.seconds, 3),
        reason="" if ended.status is Status.SCORED else ended.reason,
        end_reason=ended.reason if ended.status is Status.SCORED else "",
        episode=ended.episode,
        beside=ended.beside,
        repeat=repeat,
        attempts=attempts,
    )


def report_of(
    store: Store,
    run: str,
    progress: RunProgress,
    benchmark: Benchmark,
    tasks: Mapping[str, Task],
    seconds: float,
) -> BatchReport:
    """The report of a run that is left off; whole scores are read from the records.

    Args:
        tasks: by id.
        seconds: that this took.
    """
    plan, note = progress.plan, progress.note
    results, attempts = list[EpisodeResult](), list[Attempt]()
    for planned in plan.episodes:
        state, task = progress.states[planned.order], tasks[planned.task]
        if state.ended is None or state.waits:
            continue
        result = result_of(task, state.ended, repeat=planned.repeat, attempts=state.tries)
        header = _header(store, run, state.ended)
        if isinstance(header, EpisodeHeader) and header.mixed:
            result = msgspec.structs.replace(result, mixed=True)
        else:
            attempts.append(Attempt(task, _recorded_score(header, state.ended)))
        results.append(result)
    return BatchReport(
        run=run,
        benchmark=plan.benchmark,
        agent=plan.agent,
        rules=plan.options.rules,
        planned=len(plan.episodes),
        scored=sum(result.score is not None for result in results),
        not_scored=_reasons(results),
        mean_score=mean(one.score for one in results if not one.mixed),
        seconds=round(seconds, 3),
        episodes=tuple(results),
        state=note.what if note is not None else "finished",
        reason=note.reason if note is not None else "",
        left=len(plan.episodes) - len(results),
        replaced=progress.replaced,
        mixed=sum(one.mixed for one in results),
        repeats=plan.repeats,
        spent=progress.spent,
        figures=_figures(benchmark, attempts, plan.options.rules),
        pass_at=_pass_at(store, run) if plan.repeats > 1 else {},
    )


def _header(store: Store, run: str, ended: Ended) -> EpisodeHeader | str:
    """Of an episode's record, or why there is none."""
    try:
        return store.header(run, ended.episode) if ended.episode else ended.reason
    except BadData as error:
        return str(error)


def _recorded_score(header: EpisodeHeader | str, ended: Ended) -> Score:
    """The whole score as it is on disk, where the log says the same; else only that there is none."""
    if isinstance(header, EpisodeHeader):
        if header.score is not None and header.score.status is ended.status:
            return header.score
    elif ended.episode:
        return not_scored(header)
    return failed(ended.reason) if ended.status is Status.ERROR else not_scored(ended.reason)


def _reasons(results: Sequence[EpisodeResult]) -> dict[str, int]:
    return dict(
        Counter(result.reason or result.status for result in results if result.status != Status.SCORED.value)
    )


def _figures(benchmark: Benchmark, attempts: Sequence[Attempt], rules: str) -> dict[str, dict[str, Json]]:
    """The benchmark's own, under every rule set it has, the headline's first."""
    rule_sets = dict.fromkeys((rules, *benchmark.rule_sets))
    found = {name: figures_of(benchmark, attempts, name) for name in rule_sets}
    return {name: figures for name, figures in found.items() if figures}


def _pass_at(store: Store, run: str) -> dict[str, Estimate]:
    from webbench.core.analysis.recorded.run_records import read_runs
    from webbench.core.analysis.runs.pass_at_k import KS, attempts_by_task, pass_rate

    (found,) = read_runs(store, [run])
    attempts = attempts_by_task(found.scored)
    most = max((len(those) for those in attempts.values()), default=0)
    return {str(k): pass_rate(attempts, k) for k in KS if k <= most}
