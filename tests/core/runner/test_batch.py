"""A batch on the bundled demo in a real browser: what it reports, and what it does when the disk is full."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from pathlib import Path

import pytest

from webbench.core import registry
from webbench.core.browser.launch import Browser, kill
from webbench.core.engine.engine import Engine
from webbench.core.episode_options import EpisodeOptions
from webbench.core.runner import local_player
from webbench.core.runner.batch import Notices, Runner, Work
from webbench.core.runner.local_player import LocalPlayer
from webbench.core.runner.planning import BatchRequest, new_run
from webbench.core.runner.player import BROWSER_LOST
from webbench.core.runner.report import BatchReport
from webbench.core.store import recorder
from webbench.core.store.store import Store

OPTIONS = EpisodeOptions(pictures=False, live_score=False)


async def ran(chromium: Browser, store: Store, troubles: list[str], run: str = "") -> BatchReport:
    """One task of the demo, in a new run or going on with this one."""
    benchmark = registry.benchmark("demo")
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
    benchmark, store, troubles = registry.benchmark("demo"), Store(tmp_path), list[str]()
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


async def test_a_browser_that_is_killed_costs_no_episode(tmp_path: Path) -> None:
    benchmark, store = registry.benchmark("demo"), Store(tmp_path)
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
