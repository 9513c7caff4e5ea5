"""`serve mcp`: one episode at a time for a client of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core.episode_limits import Budget
from webbench.core.episode_options import EpisodeOptions
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.mcp.desk import Desk, Terms, find_task
from webbench.core.task import Benchmark
from webbench.tui.headless.batch import ready_benchmark
from webbench.tui.headless.output import say
from webbench.tui.headless.place import (
    chosen_dialect,
    episode_options,
    open_engine,
    open_store,
    report_settings,
    resets_first,
    watch,
)

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

INTERRUPTED = 130
HOST = "127.0.0.1"


class ServeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `serve mcp`; `port` is None for standard input and output."""

    benchmark: str = ""
    task: str = ""
    dialect: str = ""
    rules: str = ""
    hide_score: bool = False
    idle: float = 1800.0
    budget: Budget = Budget()
    guard: str = ""
    hosts: tuple[str, ...] = ()
    port: int | None = None
    reset: bool | None = None
    data: Path | None = None
    store: Path | None = None


def serve_mcp(request: ServeRequest) -> int:
    """Serve until the client goes away, or a signal comes; then end what is open, and the browser.

    Raises:
        UsageError: the package `mcp` is missing, or an unknown benchmark, task or rule set.
        EnvironmentDown: the settings name a Chromium that can't be run, or the port is taken.
    """
    _require_mcp()
    report_settings()
    watch(request.guard, request.hosts)
    if request.task and not request.benchmark:
        raise UsageError("Which benchmark is the task of?", "webbench-tui serve mcp --benchmark B --task T")
    if request.benchmark:
        ready_benchmark(request.benchmark, request.data)
    if request.task:
        find_task(request.benchmark, request.task, str(request.data or ""))
    return asyncio.run(_serve(request))


async def _serve(request: ServeRequest) -> int:
    from webbench.core.mcp.tools import server

    terms = Terms(
        benchmark=request.benchmark,
        task=request.task,
        dialect=chosen_dialect(request.dialect),
        idle=request.idle,
        reset=resets_first(request.reset),
        data=str(request.data or ""),
    )

    def options(benchmark: Benchmark) -> EpisodeOptions:
        live = not request.hide_score
        return episode_options(benchmark, rules=request.rules, live_score=live, budget=request.budget)

    stopped = asyncio.Event()
    async with open_engine(open_store(request.store), drain=False) as engine:
        desk = Desk(engine, terms, options)
        serving = asyncio.create_task(_transport(server(desk), request.port))
        if request.port is None:
            for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(ending, stopped.set)
        stopping = asyncio.create_task(stopped.wait())
        try:
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            await desk.close()
    if not serving.done():
        os._exit(INTERRUPTED)  # a thread of the transport waits for standard input and can't be called back
    serving.result()
    return 0


async def _transport(made: MCPServer, port: int | None) -> None:
    if port is None:
        await made.run_stdio_async()
        return
    say(f"MCP at http://{HOST}:{port}/mcp, for programs of this machine; until Ctrl+C")
    try:
        await made.run_streamable_http_async(host=HOST, port=port)
    except SystemExit as error:
        raise EnvironmentDown(f"Port {port} can't be served", "choose another one with --port") from error


def _require_mcp() -> None:
    import importlib.util

    if importlib.util.find_spec("mcp") is None:
        raise UsageError("The package mcp isn't installed", "pip install 'webbench-tui[mcp]'")
