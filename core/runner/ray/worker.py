"""A process of a Ray cluster that plays episodes: one browser of its own, many contexts in it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.browser.starting.configured import configured_chromium
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.agent_fingerprint import require_same_agent
from webbench.core.runner.plan.plan import read_plan
from webbench.core.runner.plan.planned_settings import in_effect
from webbench.core.runner.player import INTERRUPTED, Played, Player, PlayRequest
from webbench.core.runner.ray.cluster_messages import Done, Greeting, Opened, Told, WorkerSetup, pack, unpack
from webbench.core.runner.shared_store_player import recorded_here
from webbench.core.runner.sharing import pull_run, push
from webbench.core.score.score import not_scored
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import data_folder
from webbench.core.store.secrets.redaction import MARKER, configured_redaction
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store


def spool_folder(url: str) -> Path:
    """Where this machine records what belongs to a shared store, until it is there."""
    return data_folder() / "spool" / hashlib.sha256(url.encode()).hexdigest()[:16]


class RayWorker:
    """An actor; what it takes and gives are `cluster_messages`. Call `begin` once, then the others."""

    def __init__(self, setup: bytes) -> None:
        self._setup = unpack(setup, WorkerSetup)
        self._stack = AsyncExitStack()
        self._player: Player | None = None
        self._problem = ""

    async def begin(self) -> bytes:
        """Get ready to play; what is wrong here is told, not raised. A `Greeting`."""
        try:
            self._player = await self._prepare()
        except WebbenchError as error:
            self._problem = str(error)
        return pack(Greeting(host=socket.gethostname(), pid=os.getpid(), problem=self._problem))

    async def play(self, request: bytes) -> AsyncIterator[bytes]:
        """One attempt: what is to be known of it as it comes, `Done` at last."""
        assert self._player is not None, "begin comes first"
        wire, asked = _Wire(), unpack(request, PlayRequest)
        try:
            await self._player.ready()
        except EnvironmentDown as error:
            score = not_scored(str(error), rules=asked.options.rules)
            yield pack(Done(played=Played(score=score, again=True, halt=str(error))))
            return
        playing = asyncio.create_task(self._player.play(asked, wire))
        playing.add_done_callback(lambda _task: wire.close())
        async for message in wire.messages():
            yield message
        yield pack(Done(played=playing.result()))

    async def interrupt(self, reason: str = INTERRUPTED) -> None:
        """End what is being played as not scored."""
        if self._player is not None:
            await self._player.interrupt(reason)

    async def leave(self) -> None:
        """Close the browser; the process may be ended then."""
        await self._stack.aclose()

    async def _prepare(self) -> Player:
        setup = self._setup
        if setup.version != version("webbench-tui"):
            raise _unlike(f"it has webbench-tui {version('webbench-tui')}, the run {setup.version}")
        benchmark = catalogue.benchmark(setup.benchmark, setup.data)
        status = await asyncio.to_thread(benchmark.status)
        if status.state != "ready":
            raise _unlike(f"{setup.benchmark} {status.state}: {status.detail}")
        shared = SharedStore(setup.share) if setup.share else None
        root = spool_folder(setup.share) if shared is not None else Path(setup.store)
        store = Store(root, configured_redaction(load_settings()))
        if shared is not None:
            await asyncio.to_thread(pull_run, store, shared, setup.run)
            await asyncio.to_thread(push, store, shared)
        if not (root / setup.run).is_dir():
            raise _unlike(f"the store {root} isn't shared with it; share it, or give --share ADDRESS")
        plan = read_plan(root / setup.run)
        self._stack.enter_context(in_effect(plan.settings))
        if MARKER not in plan.agent:
            require_same_agent(plan.agent, plan.agent_parts)
        return await self._player_in(store, shared, benchmark)

    async def _player_in(self, store: Store, shared: SharedStore | None, benchmark: Benchmark) -> Player:
        setup = self._setup
        engine = Engine(store, _found_here(setup.launch), viewport=setup.viewport, guard=setup.guard)
        player = LocalPlayer(await self._stack.enter_async_context(engine), benchmark)
        await player.ready()
        return player if shared is None else recorded_here(player, store, shared, tells_run=False)


class _Wire:
    """A `Hearing` whose words become messages."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def opened(self, request: PlayRequest, episode: str, worker: str = "") -> None:  # noqa: ARG002 - the other end knows them
        self._queue.put_nowait(pack(Opened(episode=episode)))

    def trouble(self, text: str) -> None:
        self._queue.put_nowait(pack(Told(text=text)))

    def close(self) -> None:
        self._queue.put_nowait(None)

    async def messages(self) -> AsyncIterator[bytes]:
        while (message := await self._queue.get()) is not None:
            yield message


def _found_here(options: LaunchOptions) -> LaunchOptions:
    """With the browser of this machine where the run's isn't at the same place."""
    if options.executable is None or options.executable.is_file():
        return options
    return msgspec.structs.replace(options, executable=configured_chromium(load_settings()))


def _unlike(what: str) -> WebbenchError:
    return WebbenchError(f"{socket.gethostname()} can't play: {what}")
