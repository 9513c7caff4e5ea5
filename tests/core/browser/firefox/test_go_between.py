"""The go-between before a Firefox: it serves programs alone, and nothing that Firefox says ends it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from webbench.core.browser.firefox.browser import GO_BETWEEN, start
from webbench.core.browser.launch import LaunchOptions
from webbench.core.errors import EnvironmentDown
from webbench.core.own_python import child_environment, module_command

LONG = 300_000
FIREFOX = f"""
import sys
from websockets.sync.server import serve

def echo(connection):
    for text in connection:
        connection.send(text)

with serve(echo, "127.0.0.1", 0) as server:
    port = server.socket.getsockname()[1]
    print(f"WebDriver BiDi listening on ws://127.0.0.1:{{port}}", file=sys.stderr, flush=True)
    print("x" * {LONG}, file=sys.stderr, flush=True)
    server.serve_forever()
"""


async def test_no_page_gets_through_and_a_long_line_does_not_end_it(tmp_path: Path) -> None:
    script = tmp_path / "firefox.py"
    script.write_text(FIREFOX)
    process = await asyncio.create_subprocess_exec(
        *module_command(GO_BETWEEN, sys.executable, str(script)),
        env=child_environment(),
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stderr is not None
        address = (await process.stderr.readline()).decode().rpartition(" ")[2].strip()
        said = 0
        while said < LONG:
            chunk = await process.stderr.read(65536)
            assert chunk, "it ended"
            said += len(chunk)
        async with connect(address, proxy=None) as program:
            await program.send('{"method": "session.status"}')
            assert await program.recv() == '{"method": "session.status"}'
        with pytest.raises(InvalidStatus):
            await connect(address, proxy=None, origin=Origin("http://page.test"))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def test_it_takes_no_module_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    firefox, loaded = tmp_path / "firefox", tmp_path / "loaded"
    firefox.write_text("#!/bin/sh\nexit 1\n")
    firefox.chmod(0o700)
    (tmp_path / "websockets.py").write_text(f"open({str(loaded)!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", os.environ.get("PYTHONPATH", "")]))
    with pytest.raises(EnvironmentDown):
        await start(LaunchOptions(driver="firefox", executable=firefox))
    assert not loaded.exists()
