"""What oracle and do-nothing score on TurkingBench, task by task, with the reason wherever it is not 1.

Run: `python -m tests.performance.turkingbench_oracle [--instances N] [--easy-instances N] [TASK ...]`.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from tests.shared import shared_folder
from webbench.benchmarks.turkingbench.agents.oracle import TurkingOracle
from webbench.benchmarks.turkingbench.benchmark import TurkingBench, create
from webbench.benchmarks.turkingbench.scoring.aggregate import published_table
from webbench.benchmarks.turkingbench.stage import open_stage
from webbench.core.action.action import GetHtml, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.browser.launch import Browser, launch
from webbench.core.environment import StepResult
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Score, Status
from webbench.core.task import Task

PAPER_DO_NOTHING = 7.8
MOST_STEPS = 4000


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One episode; `reason` says what keeps the score from 1."""

    task: Task
    evidence: JsonObject
    score: Score
    steps: int
    seconds: float
    ended: str = ""
    reason: str = ""

    @property
    def value(self) -> float:
        return self.score.value or 0.0


async def run_oracle(browser: Browser, benchmark: TurkingBench, task: Task, root: Path) -> Result:
    """One episode of the oracle: observe, propose, act, until the page or the oracle ends it."""
    started = time.perf_counter()
    oracle = TurkingOracle(task)
    environment = browser.environment()
    last, proposal, ended, step = StepResult(action=GetHtml()), Proposal(), "", 0
    async with open_stage(task, root) as stage:
        try:
            await environment.reset(stage.setup)
            for step in range(MOST_STEPS):
                observation = await environment.observe()
                ended = await stage.ended(observation)
                view = AgentView(
                    task=task,
                    step=step,
                    observation=observation,
                    last_error=last.error,
                    last_output=last.output,
                    last_proposal=proposal,
                )
                proposal = await oracle.propose(view)
                if ended or proposal.action is None or isinstance(proposal.action, Stop):
                    break
                last = await environment.act(proposal.action)
            evidence = await benchmark.evaluator.collect(environment, stage, "")
        finally:
            await environment.close()
    score = benchmark.evaluator.score(task, evidence)
    seconds = time.perf_counter() - started
    return Result(
        task=task,
        evidence=evidence,
        score=score,
        steps=step,
        seconds=seconds,
        ended=ended,
        reason=_reason(score, oracle),
    )


async def run_nothing(browser: Browser, benchmark: TurkingBench, task: Task, root: Path) -> Result:
    started = time.perf_counter()
    environment = browser.environment()
    async with open_stage(task, root) as stage:
        try:
            await environment.reset(stage.setup)
            evidence = await benchmark.evaluator.collect(environment, stage, "")
        finally:
            await environment.close()
    score = benchmark.evaluator.score(task, evidence)
    seconds = time.perf_counter() - started
    return Result(task=task, evidence=evidence, score=score, steps=0, seconds=seconds)


def _reason(score: Score, oracle: TurkingOracle) -> str:
    if score.status is not Status.SCORED or not any(check.counted for check in score.checks):
        return score.headline()
    missed = [check for check in score.checks if check.counted and check.value != 1.0]
    if not missed:
        return ""
    first = missed[0]
    why = oracle.failures.get(first.target, "") or first.why
    return f"{len(missed)} of {sum(check.counted for check in score.checks)} fields, {first.target}: {why}"


async def oracle_table(browser: Browser, benchmark: TurkingBench, names: Sequence[str], count: int) -> None:
    root = benchmark.own.folder.root
    print(f"{'task':<66} {'scores':<22} steps  s/inst  submitted")
    tried: list[Result] = []
    below: list[str] = []
    for name in names:
        results = []
        for task in benchmark.tasks(names=[name], instances=count):
            try:
                results.append(await run_oracle(browser, benchmark, task, root))
            except EnvironmentDown as error:
                print(f"{task.id}: {error}")
        if not results:
            continue
        tried += results
        scores = " ".join(f"{result.value:.3f}" for result in results)
        steps = max(result.steps for result in results)
        seconds = statistics.mean(result.seconds for result in results)
        ended = sum(bool(result.ended) for result in results)
        print(f"{name[:65]:<66} {scores:<22} {steps:>5} {seconds:>7.1f}  {ended}/{len(results)}", flush=True)
        if any(result.value < 1.0 for result in results):
            below.append(f"{name}: " + "; ".join(dict.fromkeys(r.reason for r in results if r.value < 1)))
    times = [result.seconds for result in tried]
    print(f"\nmedian {statistics.median(times):.2f} s per instance, mean {statistics.mean(times):.2f} s")
    print(f"{len(names) - len(below)} of {len(names)} tasks score 1 on every instance tried; below 1:")
    for line in below:
        print(f"  {line}")
    print_published(tried)


async def nothing_table(browser: Browser, benchmark: TurkingBench, count: int) -> None:
    root = benchmark.own.folder.root
    means: list[float] = []
    tried: list[Result] = []
    print(f"\ndo-nothing over test_easy, first {count} instances of each task")
    for name in benchmark.own.folder.splits["test_easy"]:
        results = [
            await run_nothing(browser, benchmark, task, root)
            for task in benchmark.tasks(names=[name], instances=count)
        ]
        values = [result.value for result in results]
        if values:
            means.append(statistics.mean(values))
            tried += results
            print(f"{name[:65]:<66} {100 * means[-1]:6.2f}", flush=True)
    print(
        f"mean over tasks {100 * statistics.mean(means):.2f},"
        f" over instances {100 * statistics.mean(result.value for result in tried):.2f};"
        f" paper {PAPER_DO_NOTHING}"
    )
    print_published(tried)


def print_published(results: Sequence[Result]) -> None:
    """The table as upstream prints it: pooled over fields and by field type, in percent."""
    found = published_table((result.task, result.evidence) for result in results)
    kinds = list(next(iter(found.rows.values()), ()))
    print(f"\n{'published table':<66}" + "".join(f"{kind:>10}" for kind in kinds))
    for name, row in found.rows.items():
        print(f"{name[:65]:<66}" + "".join(_percent(row[kind]) for kind in kinds))
    for name, why in found.left_out.items():
        print(f"{name[:65]:<66} no row: {why}")


def _percent(value: float | None) -> str:
    return f"{'-':>10}" if value is None else f"{100 * value:>10.2f}"


def _wanted(benchmark: TurkingBench, starts: Sequence[str]) -> Iterator[str]:
    for name in benchmark.own.folder.names:
        if not starts or any(name.startswith(start) for start in starts):
            yield name


async def _run(arguments: argparse.Namespace) -> None:
    shared = shared_folder()
    if shared is None:
        print("no shared data: set WEBBENCH_SHARED")
        return
    benchmark = create(shared / "data" / "turkingbench")
    async with launch() as browser:
        if arguments.instances:
            names = list(_wanted(benchmark, arguments.tasks))
            await oracle_table(browser, benchmark, names, arguments.instances)
        if arguments.easy_instances and not arguments.tasks:
            await nothing_table(browser, benchmark, arguments.easy_instances)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", help="beginnings of task names; all by default")
    parser.add_argument("--instances", type=int, default=1, help="of each task, for the oracle; 0 = none")
    parser.add_argument("--easy-instances", type=int, default=3, help="of each easy task, for do-nothing")
    asyncio.run(_run(parser.parse_args()))


if __name__ == "__main__":
    main()
