"""A run on a Ray cluster of two nodes: one is killed in mid-run, and nothing is lost."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from webbench.core.engine import catalogue
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.runner.batch import Notices, Runner, Work
from webbench.core.runner.plan.new_run import BatchRequest, new_run
from webbench.core.runner.plan.planned_settings import MEASURED
from webbench.core.runner.player import PlayRequest
from webbench.core.runner.ray.cluster_messages import (
    Done,
    Greeting,
    Opened,
    Progress,
    WorkerSetup,
    pack,
    unpack,
)
from webbench.core.runner.ray.ray_player import on_cluster
from webbench.core.runner.ray.worker import RayWorker, spool_folder
from webbench.core.runner.shared_store_player import recorded_elsewhere
from webbench.core.runner.sharing import pull, push
from webbench.core.runner.status.results import BatchReport
from webbench.core.runner.status.run_status import RunStatus, run_status
from webbench.core.score.score import Status
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step, now

BENCHMARK = catalogue.benchmark("demo", "")
TASKS = BENCHMARK.tasks("", ("camp-mugs", "price-of-lantern"), None)
PROGRESS = msgspec.msgpack.Decoder(Progress)
QUIET = EpisodeOptions(pictures=False, live_score=False)
SCROLLER = """
import json, sys, time
for turn, line in enumerate(sys.stdin):
    if '"observation"' in line:
        time.sleep(1)
        print(json.dumps({"action": "scroll [down]" if turn < 6 else "stop [seen]"}), flush=True)
"""


@pytest.fixture(autouse=True)
def settings_of_a_worker_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a process of its own elsewhere, and here it isn't."""
    for name in MEASURED:
        monkeypatch.setenv(f"WEBBENCH_{name.upper().replace('.', '_')}", "")


def planned(store: Store, agent: str, repeats: int = 1) -> str:
    request = BatchRequest(benchmark=BENCHMARK, tasks=TASKS, agent=agent, repeats=repeats, options=QUIET)
    return new_run(store, request)


def setup(store: Store, run: str, **more: str) -> WorkerSetup:
    values: dict[str, Any] = {
        "version": version("webbench-tui"),
        "benchmark": "demo",
        "data": "",
        "store": str(store.root),
    }
    return WorkerSetup(**{**values, "run": run, **more})


async def greeting(found: WorkerSetup) -> Greeting:
    worker = RayWorker(pack(found))
    try:
        return unpack(await worker.begin(), Greeting)
    finally:
        await worker.leave()


async def test_a_worker_that_cannot_play_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    run = planned(store, "oracle")
    problem = (await greeting(setup(store, run, version="0.0.1"))).problem
    assert "it has webbench-tui" in problem
    assert "the run 0.0.1" in problem
    assert "isn't shared with it" in (await greeting(setup(store, "elsewhere"))).problem
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    preset = tmp_path / "webbench" / "agents" / "mine.toml"
    preset.parent.mkdir(parents=True)
    preset.write_text('agent = "random"\nwords = ["steps=3"]')
    other = planned(store, "mine")
    preset.write_text('agent = "random"\nwords = ["steps=9"]')
    assert "is not what it was" in (await greeting(setup(store, other))).problem


async def test_without_ray_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match="Ray isn't installed"):
        async with on_cluster("auto", 1):
            raise AssertionError("there is no cluster without Ray")


@pytest.mark.thorough
async def test_a_worker_shares_what_it_plays_and_what_a_dead_one_left_on_its_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    share = f"file://{tmp_path}/shared"
    store, shared = Store(tmp_path / "store"), SharedStore(share)
    run = planned(store, "oracle")
    push(store, shared, (run,))
    spool = Store(spool_folder(share))
    pull(spool, shared, (run,))
    header = EpisodeHeader(run="", episode="", task=TASKS[1], actor="oracle", dialect="webarena", order=1)
    dead = spool.recorder(run, header)
    dead.write(Step(index=0, at=now()))
    dead.close()
    worker = RayWorker(pack(setup(store, run, share=share)))
    assert unpack(await worker.begin(), Greeting).problem == ""
    assert shared.episodes(run) == [dead.header.episode]
    request = PlayRequest(run=run, order=0, task=TASKS[0], agent="oracle", options=QUIET)
    told = [PROGRESS.decode(message) async for message in worker.play(pack(request))]
    await worker.leave()
    assert isinstance(told[0], Opened)
    assert isinstance(told[-1], Done)
    assert told[-1].played.score.value == 1.0
    assert pull(store, shared).episodes == 2
    assert store.header(run, told[0].episode).score == told[-1].played.score
    assert [one.state for one in store.episodes(run)] == ["ended", "interrupted"]


class TwoNodes:
    """A cluster on this machine; `kill` ends the second node as a power cut would."""

    def __init__(self) -> None:
        self._ray = pytest.importorskip("ray")
        cluster_utils = pytest.importorskip("ray.cluster_utils")
        node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80_000_000}
        self._cluster = cluster_utils.Cluster(
            initialize_head=True, head_node_args={**node, "include_dashboard": False}
        )
        self.address = self._cluster.address
        self._ray.init(address=self.address, log_to_driver=False)
        self._second = self._cluster.add_node(**node)

    def kill(self) -> None:
        self._cluster.remove_node(self._second, allow_graceful=False)

    def close(self) -> None:
        self._ray.shutdown()
        self._cluster.shutdown()


@pytest.fixture
def two_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoNodes]:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    nodes = TwoNodes()
    yield nodes
    nodes.close()


async def worked(
    nodes: TwoNodes, store: Store, run: str, share: str, look: Callable[[RunStatus], None]
) -> BatchReport:
    """Work at the run on the cluster; `look` sees how it stands, again and again."""
    async with on_cluster(nodes.address, places=4) as cluster:
        player = cluster.player(setup(store, run, share=share))
        shared = recorded_elsewhere(player, store, SharedStore(share)) if share else None
        if shared is not None:
            await shared.begin(run)
        runner = Runner(store, run, BENCHMARK, TASKS, shared or player, Work(workers=4), Notices())
        working = asyncio.create_task(runner.run())
        while not working.done():
            await asyncio.sleep(0.5)
            await asyncio.to_thread(look, run_status(store.root, run))
        return working.result()


@pytest.mark.thorough
@pytest.mark.timeout(300)
@pytest.mark.parametrize("sharing", ["a folder", "an address"])
async def test_a_node_that_is_killed_takes_nothing_along(
    two_nodes: TwoNodes, tmp_path: Path, sharing: str
) -> None:
    program = tmp_path / "scroller.py"
    program.write_text(SCROLLER)
    store = Store(tmp_path / "store")
    run = planned(store, f"command {sys.executable} {program}", repeats=3)
    killed: set[str] = set()

    def look(status: RunStatus) -> None:
        workers = {one.worker for one in status.running}
        at_work = sharing == "an address" or all(one.steps for one in status.running)
        if not killed and len(workers) == 2 and len(status.running) == 4 and at_work:
            killed.update(one.episode for one in status.running)
            two_nodes.kill()

    share = f"file://{tmp_path}/shared" if sharing == "an address" else ""
    report = await worked(two_nodes, store, run, share, look)
    assert killed, "both nodes played"
    assert (report.state, report.scored, report.planned) == ("finished", 6, 6)
    attempts = [one for one in store.episodes(run) if one.state != "replaced"]
    ended = [one for one in attempts if one.state == "ended"]
    assert sorted(one.order for one in ended) == list(range(6)), "every episode was played to its end, once"
    assert run_status(store.root, run).replaced == 2, "the killed worker had two"
    for one in ended:
        assert store.check(store.root / run / one.episode) == []
    if not share:
        broken = [one for one in attempts if one.state == "interrupted"]
        assert {one.status for one in broken} == {Status.NOT_SCORED}
        assert {one.episode for one in broken} < killed, "what the dead worker had recorded stays"


async def test_an_address_where_nobody_listens_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False))
    with pytest.raises(EnvironmentDown, match=r"no Ray cluster at 127\.0\.0\.1:1"):
        async with on_cluster("127.0.0.1:1", 1):
            raise AssertionError("there is no cluster")


async def test_what_ray_prints_does_not_get_into_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: True))
    async with on_cluster("auto", 1):
        print("(raylet) Raylet is terminated.")
    print("{}")
    assert capsys.readouterr() == ("{}\n", "")
