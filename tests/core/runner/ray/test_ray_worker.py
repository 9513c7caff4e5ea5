"""A worker of a cluster that has lost its browser or its disk: it gets nothing more, and costs no episode."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from webbench.core.errors import EnvironmentDown
from webbench.core.runner.player import Hearing, Played, PlayRequest
from webbench.core.runner.ray.cluster_messages import (
    Done,
    Greeting,
    Opened,
    Progress,
    WorkerSetup,
    pack,
)
from webbench.core.runner.ray.ray_player import RayPlayer
from webbench.core.runner.ray.worker import RayWorker
from webbench.core.score.score import Score, Status
from webbench.core.task import Task

PROGRESS = msgspec.msgpack.Decoder(Progress)
SETUP = WorkerSetup(version="", run="", benchmark="", data="", store="")
REQUEST = PlayRequest(run="r", order=0, task=Task(benchmark="demo", name="one"), agent="oracle")


class Bare:
    """Plays at once; `lost` says what is missing."""

    def __init__(self, lost: str = "") -> None:
        self.lost = lost

    async def ready(self) -> None:
        if self.lost:
            raise EnvironmentDown(self.lost)

    async def play(self, request: PlayRequest, hearing: Hearing) -> Played:
        hearing.opened(request, "0000_one_aaaa")
        return Played(score=Score(status=Status.SCORED, value=1.0), episode="0000_one_aaaa")

    async def interrupt(self, reason: str = "") -> None:
        """Nothing goes on."""


def worker(lost: str = "") -> RayWorker:
    made = RayWorker(pack(SETUP))
    made._player = Bare(lost)
    return made


class Handle:
    """A worker as Ray hands it out: messages come one by one, each as something to be awaited."""

    def __init__(self, name: str, worker: RayWorker) -> None:
        self.begin = SimpleNamespace(remote=lambda: _soon(pack(Greeting(host=name, pid=1))))
        self.leave = SimpleNamespace(remote=worker.leave)
        self.play = SimpleNamespace(options=lambda **_: SimpleNamespace(remote=self._messages))
        self._worker = worker

    async def _messages(self, request: bytes) -> AsyncIterator[Awaitable[bytes]]:
        async for message in self._worker.play(request):
            yield _soon(message)


async def _soon(data: bytes) -> bytes:
    await asyncio.sleep(0)
    return data


class Ray:
    """As much of Ray as the player asks for: a node for each worker."""

    def __init__(self, *workers: RayWorker) -> None:
        self.exceptions = SimpleNamespace(RayError=ConnectionError)
        self.ended = list[Handle]()
        self._handles = [Handle(f"node{number}", worker) for number, worker in enumerate(workers)]
        self._count = len(workers)

    def nodes(self) -> list[dict[str, Any]]:
        return [{"Alive": True, "Resources": {"CPU": 1}}] * self._count

    def remote(self, _kind: type) -> Any:
        made = SimpleNamespace(remote=lambda _setup: self._handles.pop(0))
        return SimpleNamespace(options=lambda **_: made)

    def kill(self, handle: Handle) -> None:
        self.ended.append(handle)


async def test_a_worker_without_a_browser_says_so_and_plays_nothing() -> None:
    (done,) = [PROGRESS.decode(one) async for one in worker("no browser answers").play(pack(REQUEST))]
    assert isinstance(done, Done)
    assert (done.played.again, done.played.halt) == (True, "no browser answers")
    opened, done = [PROGRESS.decode(one) async for one in worker().play(pack(REQUEST))]
    assert isinstance(opened, Opened)
    assert isinstance(done, Done)
    assert (done.played.again, done.played.halt) == (False, "")


async def test_the_others_play_on_and_without_them_the_run_halts(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[str]()
    hearing: Any = SimpleNamespace(opened=lambda *_: None, trouble=told.append)
    second = worker()
    ray = Ray(worker("no browser answers"), second)
    monkeypatch.setitem(sys.modules, "ray", ray)
    player = RayPlayer(SETUP, places=2)
    played = [await player.play(REQUEST, hearing) for _ in range(6)]
    assert sum(one.again for one in played) == 1, "it is asked once, and never again"
    assert told == ["the worker node0:1 gets no more: no browser answers"]
    second._player = Bare("the disk is full")
    assert (await player.play(REQUEST, hearing)).halt == "", "the run halts when nobody is left"
    with pytest.raises(EnvironmentDown, match=r"can play: node0:1: no browser answers; node1:1: the disk is"):
        await player.ready()
    await player.close()
    assert len(ray.ended) == 2
