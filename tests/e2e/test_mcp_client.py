"""A program of somebody else's works on a task over real pipes; when it goes away nothing stays behind."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import pytest

from tests.core.engine.processes import descendants, gone
from tests.tui.cli.program import PROGRAM, environment
from webbench.core.mcp.outside_actor import GONE, REACH
from webbench.core.store.store import Store

if TYPE_CHECKING:
    from mcp import Client

GOLD = b'"expected"'


def command(home: Path, *words: str) -> list[str]:
    return [*PROGRAM, "serve", "mcp", "--store", str(home / "store"), *words]


def client_of(home: Path, *words: str, errors: TextIO = sys.stderr) -> Client:
    """Over the pipes of a server of its own."""
    from mcp import Client, StdioServerParameters, stdio_client

    program, *arguments = command(home, *words)
    parameters = StdioServerParameters(command=program, args=arguments, env=environment(home), cwd=home)
    return Client(stdio_client(parameters, errors))


async def test_a_client_that_goes_away_leaves_no_browser_and_a_record(tmp_path: Path) -> None:
    before = descendants(os.getpid())
    with (tmp_path / "stderr").open("w") as errors:
        async with client_of(tmp_path, "--benchmark", "demo", errors=errors) as client:
            assert client.instructions
            begun = await client.call_tool("start", {"task": "camp-mugs"})
            assert begun.content[0].type == "text"
            assert "Put three Ember Camp Mugs in cream into the cart." in begun.content[0].text
            await client.call_tool("act", {"action": "scroll [down]"})
            started = of_the_server(before)
    assert len(started) > 2
    assert await gone(started)
    (episode,) = Store(tmp_path / "store").episodes()
    recorded = Store(tmp_path / "store").load(Store(tmp_path / "store").find(episode.episode))
    assert (recorded.header.actor, recorded.header.end_reason) == ("mcp", GONE)
    assert [step.text for step in recorded.steps if step.text] == ["scroll [down]"]
    assert (tmp_path / "stderr").read_text() == ""


async def test_hidden_scores_are_told_to_nobody_and_a_task_is_started_once(tmp_path: Path) -> None:
    """Nor do replies, or the record while the client works, hold what was wanted."""
    async with client_of(tmp_path, "--hide-score") as client:
        await client.call_tool("start", {"benchmark": "demo", "task": "price-of-lantern"})
        assert not [path for path in (tmp_path / "store").rglob("*") if GOLD in content(path)]
        ended = await client.call_tool("finish", {"answer": "67"})
        told = str(ended.content) + str(ended.structured_content)
        assert not ended.is_error
        assert "its score is recorded, and hidden here" in told
        assert not {"value", "status", "score"} & set(ended.structured_content or {})
        assert not re.search(r"\b68\b|expected|\b0\.000", told), "names of episodes are random"
        for tool, arguments, why in (
            ("score", {}, "Scores are hidden here"),
            ("start", {"benchmark": "demo", "task": "price-of-lantern"}, "was started before"),
        ):
            refused = await client.call_tool(tool, arguments)
            assert refused.is_error
            assert why in str(refused.content)
        again = await client.call_tool("start", {"benchmark": "demo", "task": "camp-mugs"})
        assert not again.is_error
    store = Store(tmp_path / "store")
    first = next(one for one in store.episodes() if one.task == "price-of-lantern")
    assert (first.value, first.agent_reach) == (0.0, REACH)
    assert GOLD in content(store.find(first.episode) / "episode.json")


def content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


@pytest.mark.thorough
async def test_a_killed_server_leaves_no_browser(tmp_path: Path) -> None:
    before = descendants(os.getpid())
    async with client_of(tmp_path) as client:
        await client.call_tool("start", {"benchmark": "demo", "task": "camp-mugs"})
        started = of_the_server(before)
        os.kill(served(started), signal.SIGKILL)
        assert await gone(started)


@pytest.mark.thorough
async def test_over_http_clients_may_come_and_go(tmp_path: Path) -> None:
    from mcp import Client

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        command(tmp_path, "--port", str(port)),
        env=environment(tmp_path),
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    try:
        assert server.stderr
        address = server.stderr.readline().split()[2].rstrip(",")
        await listening(port)
        async with Client(address) as client:
            await client.call_tool("start", {"benchmark": "demo", "task": "price-of-lantern"})
        async with Client(address) as client:
            ended = await client.call_tool("finish", {"answer": "68"})
            assert isinstance(ended.structured_content, dict)
            assert ended.structured_content["value"] == 1.0
            await client.call_tool("start", {"benchmark": "demo", "task": "camp-mugs"})
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 130
    finally:
        server.kill()
        server.wait()
    store = Store(tmp_path / "store")
    reasons = {store.load(store.find(one.episode)).header.end_reason for one in store.episodes()}
    assert reasons == {"the actor stopped", GONE}


def of_the_server(before: set[int]) -> set[int]:
    """The server that was started since, and all below it; the tests' own browser has new processes, too."""
    server = served(descendants(os.getpid()) - before)
    return {server, *descendants(server)}


def served(started: set[int]) -> int:
    (server,) = [pid for pid in started if b"serve" in content(Path(f"/proc/{pid}/cmdline")).split(b"\0")]
    return server


async def listening(port: int) -> None:
    """Wait until somebody answers there."""
    async with asyncio.timeout(60):
        while True:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return
            await asyncio.sleep(0.1)
