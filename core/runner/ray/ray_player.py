"""Playing episodes on a Ray cluster: a worker process on each node, which takes them as it has room.

A worker that ends, or whose node does, takes only its own attempts along: they are played again elsewhere,
and what it recorded of them stays. Nodes that join while a run goes on get workers too.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import logging
import math
import socket
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.own_python import NOWHERE
from webbench.core.runner.player import INTERRUPTED, Hearing, Played, PlayRequest
from webbench.core.runner.ray.cluster_messages import (
    Done,
    Greeting,
    Opened,
    Progress,
    Told,
    WorkerSetup,
    pack,
    unpack,
)
from webbench.core.runner.ray.worker import RayWorker
from webbench.core.score.score import not_scored
from webbench.core.time_limit import time_limit

START_SECONDS = 120.0
LEAVING_SECONDS = 20.0
KNOCK_SECONDS = 10.0
MOST_LOST = 5
"""Attempts at an episode that may end with their worker before it isn't tried any more."""


class _Worker:
    """A worker process as the run sees it. `handle` is Ray's, which has no type of its own."""

    def __init__(self, handle: Any, greeting: Greeting) -> None:
        self.handle = handle
        self.name = f"{greeting.host}:{greeting.pid}"
        self.busy = 0


class RayPlayer:
    """Plays through workers of a cluster that this process is connected to; from `Cluster.player`.

    Args:
        places: episodes at a time, over all workers.
    """

    def __init__(self, setup: WorkerSetup, places: int) -> None:
        self._setup, self._places = setup, places
        self._workers: list[_Worker] = []
        self._retired: list[_Worker] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._unable: dict[str, str] = {}
        self._trouble = self._interrupted = ""
        self._changed = asyncio.Event()
        """A worker came or went, or has room again."""

    async def ready(self) -> None:
        """Start workers where some are wanting; there is at least one when this returns."""
        wanted = await asyncio.to_thread(self._wanted)
        while len(self._workers) + len(self._starting) + len(self._unable) < wanted:
            starting = asyncio.create_task(self._start())
            self._starting.add(starting)
            starting.add_done_callback(self._started)
        while not self._workers:
            if not self._starting:
                why = "; ".join(self._unable.values()) or self._trouble or "it has no free CPU"
                raise EnvironmentDown(f"no worker of the cluster can play: {why}", "see `ray status`")
            await asyncio.wait(self._starting, return_when=asyncio.FIRST_COMPLETED)

    async def play(self, request: PlayRequest, hearing: Hearing) -> Played:
        """With the first worker that has room for it."""
        try:
            worker = await self._room()
        except EnvironmentDown as error:
            return Played(score=not_scored(str(error), rules=request.options.rules), again=True)
        opened = ""
        try:
            async for message in _messages(worker, request):
                match message:
                    case Opened(episode=episode):
                        opened = episode
                        hearing.opened(request, episode, worker.name)
                    case Told(text=text):
                        hearing.trouble(text)
                    case Done(played=played):
                        if played.halt:
                            self._retire(worker, played.halt)
                            hearing.trouble(f"the worker {worker.name} gets no more: {played.halt}")
                        return msgspec.structs.replace(played, halt="")
        except _ray().exceptions.RayError as error:
            self._dismiss(worker)
            hearing.trouble(f"the worker {worker.name} is gone ({type(error).__name__})")
        finally:
            worker.busy -= 1
            self._changed.set()
        return Played(
            score=not_scored(f"its worker {worker.name} ended", rules=request.options.rules),
            episode=opened,
            again=request.attempt + 1 < MOST_LOST,
        )

    async def _room(self) -> _Worker:
        """A place with a worker, once there is one; each has its share of them.

        Raises `EnvironmentDown` where there is no worker any more, or the run is interrupted.
        """
        while not self._interrupted:
            await self.ready()
            if self._interrupted:
                break
            share = math.ceil(self._places / max(1, len(self._workers) + len(self._starting)))
            free = min(self._workers, key=lambda one: one.busy)
            if free.busy < share:
                free.busy += 1
                return free
            self._changed.clear()
            await self._changed.wait()
        raise EnvironmentDown(self._interrupted)

    async def interrupt(self, reason: str = INTERRUPTED) -> None:
        self._interrupted = reason
        self._changed.set()
        for worker in (*self._workers, *self._retired):
            with contextlib.suppress(Exception):
                await worker.handle.interrupt.remote(reason)

    async def close(self) -> None:
        """Let the workers leave; those that take too long are ended."""
        for starting in tuple(self._starting):
            starting.cancel()
        those = (*self._workers, *self._retired)
        leaving = [asyncio.ensure_future(_left(worker)) for worker in those]
        if leaving:
            await asyncio.wait(leaving, timeout=LEAVING_SECONDS)
        for worker in those:
            self._dismiss(worker)

    def _wanted(self) -> int:
        """A worker for each node that has a CPU, but no more than there are places."""
        nodes = [one for one in _ray().nodes() if one["Alive"] and one["Resources"].get("CPU", 0) >= 1]
        return max(1, min(self._places, len(nodes)))

    async def _start(self) -> None:
        handle = (
            _ray()
            .remote(RayWorker)
            .options(
                num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD", max_concurrency=self._places + 8
            )
            .remote(pack(self._setup))
        )
        try:
            async with time_limit(START_SECONDS):
                greeting = unpack(await handle.begin.remote(), Greeting)
        except Exception as error:
            self._trouble = f"{type(error).__name__}: {error}".splitlines()[0]
            _end(handle)
            return
        if greeting.problem:
            self._unable[f"{greeting.host}:{greeting.pid}"] = greeting.problem
            _end(handle)
            return
        self._workers.append(_Worker(handle, greeting))

    def _started(self, starting: asyncio.Task[None]) -> None:
        self._starting.discard(starting)
        self._changed.set()

    def _retire(self, worker: _Worker, why: str) -> None:
        """It gets nothing more: without a browser or a disk it would fail at all that is left, at once."""
        if worker in self._workers:
            self._workers.remove(worker)
            self._retired.append(worker)
            self._unable[worker.name] = f"{worker.name}: {why}"

    def _dismiss(self, worker: _Worker) -> None:
        for those in (self._workers, self._retired):
            if worker in those:
                those.remove(worker)
                _end(worker.handle)


class Cluster:
    """A connection to a cluster; from `on_cluster`."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._players: list[RayPlayer] = []

    def player(self, setup: WorkerSetup) -> RayPlayer:
        """Workers for one run, which leave when the connection ends."""
        player = RayPlayer(setup, self._places)
        self._players.append(player)
        return player

    async def close(self) -> None:
        for player in self._players:
            await player.close()


@contextlib.asynccontextmanager
async def on_cluster(address: str, places: int) -> AsyncIterator[Cluster]:
    """The cluster at this address ("auto" for the one that this machine belongs to).

    Raises `UsageError` where Ray isn't installed, `EnvironmentDown` where there is no cluster.
    """
    try:
        ray = _ray()
    except ImportError as error:
        hint = "pip install 'webbench-tui[ray]', on every machine"
        raise UsageError("Ray isn't installed", hint) from error
    ours = not ray.is_initialized()
    try:
        if ours:
            await asyncio.to_thread(_knock, address)
            _join(ray, address)
    except Exception as error:
        raise EnvironmentDown(
            f"there is no Ray cluster at {address}: {error}",
            "begin one with `ray start --head`, join it with `ray start --address=HOST:PORT`",
        ) from error
    cluster = Cluster(places)
    with contextlib.redirect_stdout(_Log()):
        try:
            yield cluster
        finally:
            await cluster.close()
            if ours:
                ray.shutdown()


def _join(ray: Any, address: str) -> None:
    """Ray puts the folder that it is called from on the search path of the workers: not the user's."""
    with contextlib.chdir(NOWHERE):
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)


class _Log(io.TextIOBase):
    """Takes what Ray prints of its own accord when a node ends: stdout is for what a command answers."""

    def write(self, text: str) -> int:
        if words := text.strip():
            logging.getLogger(__name__).info("%s", words)
        return len(text)


def _knock(address: str) -> None:
    """Raises `OSError` where nobody listens: Ray would try for minutes."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS).close()


async def _messages(worker: _Worker, request: PlayRequest) -> AsyncIterator[Progress]:
    stream = worker.handle.play.options(num_returns="streaming").remote(pack(request))
    async for reference in stream:
        yield msgspec.msgpack.decode(await reference, type=Progress)


async def _left(worker: _Worker) -> None:
    with contextlib.suppress(Exception):
        await worker.handle.leave.remote()


def _end(handle: Any) -> None:
    with contextlib.suppress(Exception):
        _ray().kill(handle)


def _ray() -> Any:
    """Ray: large, optional, and hardly typed."""
    return importlib.import_module("ray")
