"""A batch on the bundled demo in a real browser: what it reports, and what it does when the disk is full."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.core.engine.processes import descendants
from webbench.benchmarks.demo.evaluate import DemoEvaluator
from webbench.core.action.action import Action
from webbench.core.benchmark.benchmark import Stage
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser, LaunchOptions, kill, launch
from webbench.core.browser.starting.browser_options import DriverName
from webbench.core.engine.engine import Engine
from webbench.core.environment import PAGE_LOST, Environment, StepResult
from webbench.core.episode.options import EpisodeOptions
from webbench.core.json_types import JsonObject
from webbench.core.runner.batch import Notices, Runner, Work
from webbench.core.runner.local import local_player
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.new_run import BatchRequest, new_run
from webbench.core.runner.player import BROWSER_LOST
from webbench.core.runner.status.results import BatchReport
from webbench.core.score.score import Status
from webbench.core.store.records import recorder
from webbench.core.store.store import Store

OPTIONS = EpisodeOptions(pictures=False, live_score=False)


async def ran(chromium: Browser, store: Store, troubles: list[str], run: str = "") -> BatchReport:
    """One task of the demo, in a new run or going on with this one."""
    benchmark = find_benchmark("demo")
    tasks = benchmark.tasks(names=("price-of-lantern",))
    request = BatchRequest(benchmark=benchmark, tasks=tasks, agent="oracle", options=OPTIONS)
    async with Engine(store, browser=chromium) as engine:
        run = run or new_run(store, request)
        player, notices = LocalPlayer(engine, benchmark), Notices(trouble=troubles.append)
        return await Runner(store, run, benchmark, tasks, player, Work(), notices).run()


async def test_the_report_says_what_the_store_holds(chromium: Browser, tmp_path: Path) -> None:
    store, troubles = Store(tmp_path), list[str]()
    report = await ran(chromium, store, troubles)
    assert (report.planned, report.scored, report.mean_score, troubles) == (1, 1, 1.0, [])
    assert (report.state, report.left, report.replaced) == ("finished", 0, 0)
    header = store.load(report.episodes[0].episode).header
    assert header.score is not None
    assert header.score.value == 1.0
    assert (header.driver, "playwright" in header.versions) == ("playwright", True)


async def test_a_score_that_is_not_on_disk_does_not_count(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(recorder, "write_all", full)
    store, troubles = Store(tmp_path), list[str]()
    report = await ran(chromium, store, troubles)
    assert (report.scored, report.mean_score) == (0, None)
    assert (report.state, report.left, report.replaced) == ("halted", 1, 1)
    assert "no space left" in report.reason
    assert any("free some space" in trouble for trouble in troubles)
    (tried,) = store.episodes(report.run)
    assert store.load(tried.episode).steps == ()
    monkeypatch.undo()
    again = await ran(chromium, store, troubles, run=report.run)
    assert (again.state, again.scored, again.left) == ("finished", 1, 0)


@pytest.mark.thorough
async def test_a_browser_that_hangs_is_ended_and_costs_no_episode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_player, "ANSWER_SECONDS", 0.5)
    benchmark, store, troubles = find_benchmark("demo"), Store(tmp_path), list[str]()
    tasks = benchmark.tasks(names=("price-of-lantern",))
    request = BatchRequest(
        benchmark=benchmark, tasks=tasks, agent="oracle", options=OPTIONS, hang_seconds=3.0
    )
    stopped = list[int]()
    async with Engine(store) as engine:
        browser = await engine.browser()

        def stop_once() -> None:
            if not stopped and browser.pid is not None:
                stopped.append(browser.pid)
                os.kill(browser.pid, signal.SIGSTOP)

        run = new_run(store, request)
        player, notices = LocalPlayer(engine, benchmark), Notices(changed=stop_once, trouble=troubles.append)
        report = await Runner(store, run, benchmark, tasks, player, Work(), notices).run()
        assert browser.pid not in (None, *stopped)
    assert (report.scored, report.replaced) == (1, 1)
    assert any("the browser answered nothing" in trouble for trouble in troubles)


@pytest.mark.thorough
async def test_a_browser_that_is_killed_costs_no_episode(tmp_path: Path) -> None:
    benchmark, store = find_benchmark("demo"), Store(tmp_path)
    tasks = benchmark.tasks(names=("price-of-lantern", "open-product"))
    request = BatchRequest(benchmark=benchmark, tasks=tasks, agent="oracle", options=OPTIONS)
    killed = list[int]()

    async with Engine(store) as engine:
        browser = await engine.browser()

        def kill_once() -> None:
            """When both episodes have begun."""
            going_on = [state for state in work.progress.states.values() if state.began]
            if not killed and len(going_on) == len(tasks) and browser.pid is not None:
                killed.append(browser.pid)
                asyncio.get_running_loop().call_later(0.3, kill, browser.pid)

        run = new_run(store, request)
        player, notices = LocalPlayer(engine, benchmark), Notices(changed=kill_once)
        work = Runner(store, run, benchmark, tasks, player, Work(workers=2), notices)
        report = await work.run()
    assert killed
    assert (report.scored, report.mean_score, report.left) == (2, 1.0, 0)
    assert report.replaced >= 1
    lost = [one for one in store.episodes(run) if one.reason == BROWSER_LOST]
    assert len(lost) == report.replaced
    alone = [store.header(run, one.episode) for one in report.episodes if one.attempts > 1]
    assert [header.concurrent for header in alone] == [0] * len(lost)


async def crashed(environment: BrowserEnvironment) -> None:
    """Kill the renderers of the browser, and wait until the driver knows of the page that the actor is on."""
    tab = environment._tabs.active if environment._tabs is not None else None
    assert tab is not None
    assert environment.browser.pid is not None
    for pid in descendants(environment.browser.pid):
        with contextlib.suppress(OSError):
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
    while not tab.crashed:
        await asyncio.sleep(0.005)


class Crashes:
    """The page crashes at a call of something, and in an episode that is played again no more.

    Args:
        often: in how many episodes.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, often: int = 1) -> None:
        self.monkeypatch = monkeypatch
        self.left = often
        self.at = 1
        self.calls = Counter[int]()

    async def now(self, environment: BrowserEnvironment) -> None:
        self.calls[id(environment)] += 1
        if self.left and self.calls[id(environment)] == self.at:
            self.left -= 1
            await crashed(environment)

    def when(self, moment: str) -> None:
        """ "step": as an action begins; "settle": once it is done; "scoring": in between reading evidence and
        the score; "score": before evidence is read."""
        act, settled, collect = BrowserEnvironment.act, BrowserEnvironment._settle, DemoEvaluator.collect

        async def acts(environment: BrowserEnvironment, action: Action) -> StepResult:
            await self.now(environment)
            return await act(environment, action)

        async def settles(environment: BrowserEnvironment) -> None:
            await self.now(environment)
            await settled(environment)

        async def collects(
            evaluator: DemoEvaluator, environment: Environment, stage: Stage, answer: str
        ) -> JsonObject:
            assert isinstance(environment, BrowserEnvironment)
            if moment == "score":
                await self.now(environment)
            evidence = await collect(evaluator, environment, stage, answer)
            if moment == "scoring":
                await self.now(environment)
            return evidence

        self.at = 2 if moment in ("step", "settle") else 1
        if moment == "step":
            self.monkeypatch.setattr(BrowserEnvironment, "act", acts)
        elif moment == "settle":
            self.monkeypatch.setattr(BrowserEnvironment, "_settle", settles)
        else:
            self.monkeypatch.setattr(DemoEvaluator, "collect", collects)


MOMENTS = [("playwright", "step")]
MORE_MOMENTS = [(driver, moment) for driver in ("playwright", "selenium") for moment in ("settle", "score")]
MORE_MOMENTS += [("playwright", "scoring"), ("selenium", "step"), ("selenium", "scoring")]


@pytest.mark.parametrize(
    ("driver", "moment"),
    [
        *MOMENTS,
        *(pytest.param(*one, marks=pytest.mark.thorough) for one in MORE_MOMENTS),
    ],
)
async def test_a_page_that_crashes_is_not_scored_and_played_again(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: DriverName, moment: str
) -> None:
    """Whatever the crash meets: a step, its settling, the reading of the evidence, or the score."""
    Crashes(monkeypatch).when(moment)
    store, troubles = Store(tmp_path), list[str]()
    async with contextlib.AsyncExitStack() as stack:
        browser = chromium
        if driver != "playwright":
            browser = await stack.enter_async_context(launch(LaunchOptions(driver=driver)))
        report = await ran(browser, store, troubles)
    assert (report.scored, report.mean_score, report.replaced) == (1, 1.0, 1)
    [result] = report.episodes
    assert (result.attempts, result.score) == (2, 1.0)
    tried = sorted(store.episodes(report.run), key=lambda one: one.attempt)
    first, second = (store.load(f"{report.run}/{one.episode}") for one in tried)
    score = first.header.score
    assert score is not None
    assert (score.status, score.value) == (Status.NOT_SCORED, None)
    assert score.reason.startswith(f"{PAGE_LOST}: http")
    assert score.reason.endswith("crashed")
    after = [step.score for step in first.steps if step.condition == "crashed" and step.score is not None]
    assert all(one.value is None for one in after), "no step on a crashed page has a score"
    assert all(step.condition == "ok" for step in second.steps)
    [told] = troubles
    assert "crashed; it is not scored, and is played again" in told


@pytest.mark.thorough
async def test_a_page_that_crashes_again_stays_without_a_score(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Crashes(monkeypatch, often=9).when("step")
    store, troubles = Store(tmp_path), list[str]()
    report = await ran(chromium, store, troubles)
    assert (report.scored, report.mean_score, report.replaced, report.left) == (0, None, 1, 0)
    assert "it stays without a score" in troubles[-1]
