"""TurkingBench's oracle: contexts in one browser against a new browser per episode, and our own share of it.

A new browser per episode is measured in two ways: as WebArena's harness does it, by that harness itself, and
by our own loop with a new browser each. On N processors the second can't be beaten by much more than N times:
a step of ours waits little, so that nearly all of it is work.

Run: `python -m tests.performance.batch [--count N] [--memory N]`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path

import msgspec

from tests.performance import harness
from tests.performance.sampling import OTHER, OWN, PLAYWRIGHT, WAITING, Sampler, family_mib, resident_mib
from tests.shared import shared_folder
from webbench.benchmarks.turkingbench.benchmark import TurkingBench, create
from webbench.core.browser.launch import launch
from webbench.core.engine.engine import Engine
from webbench.core.episode.options import EpisodeOptions
from webbench.core.runner.batch import Notices, Runner, Work
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.new_run import BatchRequest, new_run
from webbench.core.runner.status.results import BatchReport, EpisodeResult
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.tui.start import GARBAGE

COUNT = 200
HARNESS_SHARE = 20
"""One in so many episodes is played by the harness, too: it takes that much longer."""

CONTEXTS = (1, 2, 4)
TIMES_FASTER = 4.0
MOST_OWN = 0.25
MEMORY_EPISODES = 500
MOST_GROWTH = 0.10
"""Between the second fifth and the last fifth of the episodes."""

MOST_FIELDS = 200
"""One task has 1,781, and would take as long as all others together."""


class Measured(msgspec.Struct, frozen=True):
    """One way of playing the same episodes.

    Attributes:
        seconds: of all of them; drained: with the re-encoding of pictures that was left over, which only a
            run in a shared browser waits for.
        each: seconds of every episode by itself, with its browser's start and end; () in a shared browser.
        sampler: where the main thread's time went meanwhile.
    """

    name: str
    report: BatchReport
    seconds: float
    drained: float
    sampler: Sampler
    each: tuple[float, ...] = ()

    @property
    def per_minute(self) -> float:
        return len(self.report.episodes) / self.seconds * 60


def chosen(benchmark: TurkingBench, count: int) -> list[Task]:
    """So many instances, spread over all tasks but that one."""
    per_task = 1
    while True:
        found = [task for name in benchmark.own.names() for task in benchmark.own.tasks(name, per_task)]
        short = [task for task in found if len(task.gold["labels"]) <= MOST_FIELDS]
        if len(short) >= count or per_task > count:
            return sorted(short, key=lambda task: task.instance or 0)[:count]
        per_task *= 2


def request(benchmark: TurkingBench, tasks: Sequence[Task], pictures: bool = True) -> BatchRequest:
    options = EpisodeOptions(live_score=False, step_limit=4000, pictures=pictures)
    return BatchRequest(benchmark=benchmark, tasks=tasks, agent="oracle", options=options)


async def shared_browser(
    benchmark: TurkingBench, tasks: Sequence[Task], workers: int, pictures: bool = True
) -> Measured:
    """As `run --workers N` plays them, with or without pictures."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        started = time.perf_counter()
        async with Engine(store) as engine:
            run = new_run(store, request(benchmark, tasks, pictures))
            player = LocalPlayer(engine, benchmark)
            with Sampler() as sampler:
                runner = Runner(store, run, benchmark, tasks, player, Work(workers=workers), Notices())
                report = await runner.run()
            seconds = time.perf_counter() - started
        drained = time.perf_counter() - started
    name = f"{workers} in one browser" if pictures else f"{workers}, no pictures"
    return Measured(name, report, seconds, drained, sampler)


async def browser_each(benchmark: TurkingBench, tasks: Sequence[Task]) -> Measured:
    """The same, but a new driver and a new browser for each episode, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        started = time.perf_counter()
        reports, ends = [], [started]
        with Sampler() as sampler:
            for task in tasks:
                async with launch() as browser, Engine(store, browser=browser, drain=False) as engine:
                    run = new_run(store, request(benchmark, [task]))
                    player = LocalPlayer(engine, benchmark)
                    reports.append(await Runner(store, run, benchmark, [task], player).run())
                ends.append(time.perf_counter())
        seconds = time.perf_counter() - started
    episodes = tuple(one for report in reports for one in report.episodes)
    whole = msgspec.structs.replace(reports[0], episodes=episodes, scored=sum(r.scored for r in reports))
    each = tuple(after - before for before, after in pairwise(ends))
    return Measured("a new browser each", whole, seconds, seconds, sampler, each)


async def memory(
    benchmark: TurkingBench, tasks: Sequence[Task], count: int
) -> tuple[list[float], list[float]]:
    """MiB in RAM after every episode of a long run: of our own process, and with the browser's."""
    many = [tasks[at % len(tasks)] for at in range(count)]
    names = [msgspec.structs.replace(task, instance=at) for at, task in enumerate(many)]
    own: list[float] = []
    all_: list[float] = []

    def ended(_: EpisodeResult) -> None:
        own.append(resident_mib())
        all_.append(family_mib())

    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        async with Engine(store) as engine:
            run = new_run(store, request(benchmark, names))
            notices = Notices(ended=ended)
            player = LocalPlayer(engine, benchmark)
            await Runner(store, run, benchmark, names, player, Work(workers=4), notices).run()
    return own, all_


def print_row(one: Measured, slowest: Measured) -> None:
    shares = ", ".join(f"{who} {one.sampler.share(who):.0%}" for who in (OWN, PLAYWRIGHT, OTHER, WAITING))
    print(
        f"{one.name:22} {one.per_minute:9.1f} {one.per_minute / slowest.per_minute:6.2f} "
        f"{one.report.scored:7} {one.drained:8.1f}  {shares}",
        flush=True,
    )


def print_profile(sampler: Sampler, seconds: float) -> None:
    total = max(1, sum(sampler.shares.values()))
    print("where our own Python spends its time:")
    for place, count in sampler.places.most_common(15):
        print(f"  {count / total:6.1%} {count / total * seconds:7.2f} s  {place}")


async def harness_seconds(
    benchmark: TurkingBench, tasks: Sequence[Task], steps: Sequence[int]
) -> list[float]:
    """Of each task's page, read as often as our own episode of it had steps. Raises `HarnessMissing`."""
    python = harness.installed()
    async with AsyncExitStack() as stack:
        stages = [await stack.enter_async_context(benchmark.stage(task)) for task in tasks]
        addresses = [stage.setup.start_urls[0] for stage in stages]
        return await harness.play(python, list(zip(addresses, steps, strict=True)))


async def print_harness(benchmark: TurkingBench, tasks: Sequence[Task], ours: Measured) -> float:
    """How many times as long the harness took for some of the episodes; 1.0 where it can't be had."""
    some = slice(None, max(3, len(tasks) // HARNESS_SHARE))
    steps = [episode.steps for episode in ours.report.episodes[some]]
    try:
        seconds = await harness_seconds(benchmark, tasks[some], steps)
    except harness.HarnessMissing as missing:
        print(f"WebArena's harness was not measured: {missing}", flush=True)
        return 1.0
    times = sum(seconds) / sum(ours.each[some])
    print(
        f"WebArena's harness      {len(seconds) / sum(seconds) * 60:9.1f} {1 / times:6.2f}   "
        f"for {len(seconds)} of them and {sum(steps)} steps that do nothing, {sum(seconds):.1f} s "
        f"against {sum(ours.each[some]):.1f} s of a new browser each",
        flush=True,
    )
    return times


def missed(measured: Sequence[Measured], longer: float) -> list[str]:
    fastest = max(one.per_minute for one in measured[1:])
    alike = fastest / measured[0].per_minute
    times = alike * longer
    print(
        f"{times:.2f} times as fast as WebArena's harness with a new browser per episode; "
        f"{alike:.2f} times as fast as our own loop with one"
    )
    found = [f"{times:.2f} times as fast"] if times < TIMES_FASTER else []
    found += [
        f"{one.name}: our own Python takes {one.sampler.share(OWN):.0%}, at most {MOST_OWN:.0%} wanted"
        for one in measured[1:]
        if one.sampler.share(OWN) > MOST_OWN
    ]
    return found


def _print_memory(whose: str, used: Sequence[float]) -> list[str]:
    grown = growth(used)
    every = [f"{used[at]:.0f}" for at in range(0, len(used), max(1, len(used) // 10))]
    print(f"memory over {len(used)} episodes, {whose}, MiB: {' '.join(every)}; fifth to fifth {grown:+.1%}")
    return [f"memory, {whose}: grew by {grown:.0%}"] if grown > MOST_GROWTH else []


def growth(found: Sequence[float]) -> float:
    """From the second fifth of the run to its last, as a share."""
    fifth = len(found) // 5
    before, after = found[fifth : 2 * fifth], found[-fifth:]
    return (sum(after) / len(after)) / (sum(before) / len(before)) - 1


async def _speed(benchmark: TurkingBench, tasks: Sequence[Task]) -> list[str]:
    """Every way of playing, a row each; returns the figures that were missed."""
    print(f"{len(tasks)} episodes; shares of wall time are those of the main thread")
    print(f"{'':22} {'a minute':>9} {'times':>6} {'scored':>7} {'seconds':>8}", flush=True)
    measured = [await browser_each(benchmark, tasks)]
    print_row(measured[0], measured[0])
    longer = await print_harness(benchmark, tasks, measured[0])
    for workers in CONTEXTS:
        measured.append(await shared_browser(benchmark, tasks, workers))
        print_row(measured[-1], measured[0])
    without = await shared_browser(benchmark, tasks, CONTEXTS[-1], pictures=False)
    print_row(without, measured[0])
    print_profile(measured[-1].sampler, measured[-1].seconds)
    return missed(measured, longer)


async def _run(count: int, memory_count: int) -> list[str]:
    shared = shared_folder()
    if shared is None:
        print("no shared data: set WEBBENCH_SHARED")
        return []
    benchmark = create(shared / "data" / "turkingbench")
    tasks = chosen(benchmark, count or COUNT)
    found = await _speed(benchmark, tasks) if count else []
    if memory_count:
        own, all_ = await memory(benchmark, tasks, memory_count)
        for whose, used in (("our process", own), ("with the browser", all_)):
            found += _print_memory(whose, used)
    return found


def main() -> list[str]:
    """Print the table; returns the figures that were missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--count", type=int, default=COUNT, help="episodes of each way of playing; 0 = not measured"
    )
    parser.add_argument("--memory", type=int, default=MEMORY_EPISODES, help="episodes; 0 = not measured")
    arguments = parser.parse_args()
    gc.set_threshold(*GARBAGE)
    return asyncio.run(_run(arguments.count, arguments.memory))


if __name__ == "__main__":
    print("\n".join(main()) or "all figures met")
