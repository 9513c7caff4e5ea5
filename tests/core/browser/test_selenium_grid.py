"""Episodes on a real Selenium Grid, started from the official jar where one is found (`remote_ends.py`)."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.core.browser.remote_ends import grid, grid_jar
from tests.core.browser.selenium.test_selenium_remote import pid_of
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import LaunchOptions
from webbench.core.engine.engine import Engine
from webbench.core.episode.options import EpisodeOptions
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.new_run import BatchRequest, new_run
from webbench.core.runner.player import BROWSER_LOST, Played, PlayRequest
from webbench.core.score.score import Status
from webbench.core.store.store import Store

pytestmark = [
    pytest.mark.thorough,
    # The jar is in no package of Python and not ours to ship. Without it remote sessions, one that dies among
    # them, are tried at a chromedriver that stands alone: see test_selenium_remote.py.
    pytest.mark.skipif(grid_jar() is None, reason="no selenium-server jar and Java: see remote_ends.py"),
]
OPTIONS = EpisodeOptions(pictures=False, live_score=False, step_limit=25)


class Opened:
    """Who is told that an attempt was opened."""

    def __init__(self) -> None:
        self.episodes: dict[int, str] = {}

    def opened(self, request: PlayRequest, episode: str, worker: str = "") -> None:
        self.episodes[request.order] = episode

    def trouble(self, text: str) -> None:
        """All that matters here is in the result."""


async def test_two_episodes_at_a_time_and_a_node_that_dies(tmp_path: Path) -> None:
    jar = grid_jar()
    assert jar is not None
    benchmark = find_benchmark("demo")
    task = benchmark.tasks(names=("price-of-lantern",))[0]
    with grid(jar, tmp_path, nodes=2) as running:
        options = LaunchOptions(driver="selenium", endpoint=running.url, sandbox=False)
        store = Store(tmp_path / "store")
        run = new_run(
            store, BatchRequest(benchmark=benchmark, tasks=(task,), agent="random", options=OPTIONS)
        )
        async with Engine(store, options) as engine:
            player, hearing = LocalPlayer(engine, benchmark), Opened()
            requests = [
                PlayRequest(run=run, order=order, task=task, agent="random", seed=order, options=OPTIONS)
                for order in range(2)
            ]
            playing = [asyncio.create_task(player.play(request, hearing)) for request in requests]
            await _under_way(player, playing)
            doomed = _node_pid(player)
            before = max(len(watch.episode.steps) for watch in player._watches if watch.episode)
            os.killpg(doomed, signal.SIGKILL)
            lost, well = _by_fate([await one for one in playing])
    assert lost.score.status is Status.NOT_SCORED
    assert lost.end_reason == BROWSER_LOST
    assert lost.again
    assert well.score.status is Status.SCORED
    assert well.steps > before


def _by_fate(played: list[Played]) -> tuple[Played, Played]:
    first, second = sorted(played, key=lambda one: one.score.status is Status.SCORED)
    return first, second


def _environments(player: LocalPlayer) -> list[BrowserEnvironment]:
    found = [watch.episode.environment for watch in player._watches if watch.episode is not None]
    return [one for one in found if isinstance(one, BrowserEnvironment) and one._tabs is not None]


async def _under_way(player: LocalPlayer, playing: list[asyncio.Task[Played]]) -> None:
    """Both have taken a step."""
    async with asyncio.timeout(60):
        while sum(len(watch.episode.steps) > 1 for watch in player._watches if watch.episode) < 2:
            assert not any(one.done() for one in playing), [one.result() for one in playing if one.done()]
            await asyncio.sleep(0.02)


def _node_pid(player: LocalPlayer) -> int:
    """The process group of the node that plays one of them: node, chromedriver and Chromium."""
    first, second = _environments(player)
    group = os.getpgid(pid_of(first))
    assert group != os.getpgid(pid_of(second))
    return group
