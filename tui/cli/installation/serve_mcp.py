"""`serve mcp`: one episode at a time for a client of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.core.api.available import ready_benchmark
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.benchmark.subsets import with_subsets
from webbench.core.episode.limits import Budget
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.mcp.outside_actor import Desk, Terms, find_task
from webbench.core.runner.plan import run_request
from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.options import (
    DialectName,
    OnlyTasks,
    Reset,
    Rules,
    StorePath,
    asking,
)
from webbench.tui.cli.output import say
from webbench.tui.cli.place import (
    chosen_dialect,
    episode_options,
    guarded,
    open_engine,
    open_store,
    report_settings,
    resets_first,
)

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

INTERRUPTED = 130
HOST = "127.0.0.1"


class ServeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `serve mcp` asks for; `port` is None for standard input and output."""

    benchmark: Annotated[str, Option(flag="--benchmark", help="Offer this benchmark only.")] = ""
    tasks: OnlyTasks = ()
    hide_score: Annotated[bool, Option(help="Tell the client no score, and start each task once.")] = False
    idle: Annotated[
        float, Option(least=1, help="Seconds without a call after which an episode is ended.")
    ] = 1800.0
    port: Annotated[
        int | None,
        Option(least=1, most=65535, help="Serve HTTP on this port of loopback, not stdin and stdout."),
    ] = None
    limit_steps: Annotated[int, run_request.LIMIT_STEPS] = 0
    limit_seconds: Annotated[float, run_request.LIMIT_SECONDS] = 0.0
    guard: Annotated[str, run_request.GUARD] = ""
    hosts: Annotated[tuple[str, ...], run_request.ALLOW_HOST] = ()
    dialect: DialectName = ""
    rules: Rules = ""
    reset: Reset = None
    data: Annotated[Path | None, Option(help="Data of the benchmark given.")] = None
    store: StorePath = None

    @property
    def budget(self) -> Budget:
        return Budget(steps=self.limit_steps, seconds=self.limit_seconds)


@asking(ServeRequest)
def serve_mcp_command(request: ServeRequest) -> None:
    """Offer tasks to a client of the Model Context Protocol: list, start, observe, act, score, finish.

    One episode at a time, recorded as every other, with the actor "mcp"; limits and guard hold, and what a
    person would have to confirm is refused. When the client goes away the open episode is ended as not
    scored, and the browser with it. Needs the extra webbench-tui[mcp].
    """
    with guarded(request.guard, request.hosts):
        raise typer.Exit(serve_mcp(request))


def serve_mcp(request: ServeRequest) -> int:
    """Serve until the client goes away, or a signal comes; then end what is open, and the browser.

    Raises:
        UsageError: the package `mcp` is missing, or an unknown benchmark, task or rule set.
        EnvironmentDown: the settings name a Chromium that can't be run, or the port is taken.
    """
    _require_mcp()
    report_settings()
    if request.tasks and not request.benchmark:
        raise UsageError("Which benchmark is the task of?", "webbench-tui serve mcp --benchmark B --task T")
    if request.benchmark:
        ready_benchmark(request.benchmark, request.data)
    tasks = with_subsets(request.benchmark, request.tasks)
    for task in tasks:
        find_task(request.benchmark, task, str(request.data or ""))
    return asyncio.run(_serve(request, tasks))


async def _serve(request: ServeRequest, tasks: tuple[str, ...]) -> int:
    from webbench.core.mcp.tools import server

    terms = Terms(
        benchmark=request.benchmark,
        tasks=tasks,
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
