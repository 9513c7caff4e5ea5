"""Where a run's episodes are played: in this process, or on a Ray cluster; with a shared store beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version

from webbench.core.benchmark.benchmark import Benchmark, needs_browser
from webbench.core.guards.guard import configured_guard
from webbench.core.observation import Viewport
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.run_request import ResumeRequest, RunRequest
from webbench.core.runner.player import Player
from webbench.core.runner.shared_store_player import SharingPlayer, recorded_elsewhere, recorded_here
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store
from webbench.tui.cli.output import say
from webbench.tui.cli.place import browser_options, open_engine, viewport

Wanted = RunRequest | ResumeRequest
Begin = Callable[[str], Awaitable[Player]]


@asynccontextmanager
async def place_to_play(
    store: Store, benchmark: Benchmark, request: Wanted, *, workers: int, size: Viewport | None = None
) -> AsyncIterator[Begin]:
    """Browser or cluster, ready before a run begins; what is yielded gives the player of a run.

    Raises `UsageError` for an address of no shared store and without Ray, `EnvironmentDown` where there is no
    browser, no cluster, or the shared store can't be reached.
    """
    shared = SharedStore(request.share) if request.share else None
    if shared is not None:
        await asyncio.to_thread(shared.reach)
    async with AsyncExitStack() as stack:
        begin = await _begin(stack, store, benchmark, request, workers, size)

        async def begun(run: str) -> Player:
            if shared is None:
                return await begin(run)
            sharing = await _sharing(begin, run, store, shared, request)
            stack.push_async_callback(sharing.close, say)
            return sharing

        yield begun


async def _begin(
    stack: AsyncExitStack,
    store: Store,
    benchmark: Benchmark,
    request: Wanted,
    workers: int,
    size: Viewport | None,
) -> Begin:
    if request.engine == "local":
        engine = await stack.enter_async_context(open_engine(store, size=size))
        if needs_browser(benchmark):
            await engine.browser()

        async def here(_run: str) -> Player:
            return LocalPlayer(engine, benchmark)

        return here
    from webbench.core.runner.ray.cluster_messages import WorkerSetup
    from webbench.core.runner.ray.ray_player import on_cluster

    cluster = await stack.enter_async_context(on_cluster(request.address, workers))

    async def there(run: str) -> Player:
        return cluster.player(
            WorkerSetup(
                version=version("webbench-tui"),
                run=run,
                benchmark=benchmark.name,
                data=str(request.data.absolute()) if request.data is not None else "",
                store=str(store.root.absolute()),
                share=request.share,
                launch=browser_options(),
                viewport=size or viewport(),
                guard=configured_guard(load_settings().guard),
            )
        )

    return there


async def _sharing(
    begin: Begin, run: str, store: Store, shared: SharedStore, request: Wanted
) -> SharingPlayer:
    player = await begin(run)
    elsewhere = request.engine == "ray"
    make = recorded_elsewhere if elsewhere else recorded_here
    sharing = make(player, store, shared)
    await sharing.begin(run)
    return sharing
