"""Finding, starting and ending Chromium."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from webbench.core.browser import launch as launching
from webbench.core.browser.launch import LaunchOptions, find_chromium, launch
from webbench.core.browser.reaper import alive
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown

OWNER = """
import asyncio, sys
from webbench.core.browser.launch import launch
from webbench.core.environment import EnvironmentSetup

async def main():
    async with launch() as browser:
        environment = browser.environment()
        await environment.reset(EnvironmentSetup(start_urls=(sys.argv[1],)))
        print(browser.pid, flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""
HUNG = "data:text/html,<script>setTimeout(() => { for (;;); }, 500)</script>"


def program(path: Path, text: str = "#!/bin/sh\nexit 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_the_variable_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chosen = program(tmp_path / "mine")
    monkeypatch.setenv("WEBBENCH_CHROMIUM", str(chosen))
    assert find_chromium() == chosen
    monkeypatch.setenv("WEBBENCH_CHROMIUM", str(tmp_path / "absent"))
    with pytest.raises(EnvironmentDown, match="WEBBENCH_CHROMIUM names"):
        find_chromium()


def test_then_playwrights_newest_build_then_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WEBBENCH_CHROMIUM", raising=False)
    builds = tmp_path / "builds"
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(builds))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(launching, "PLACES", ())
    with pytest.raises(EnvironmentDown, match="make setup"):
        find_chromium()
    edge = program(tmp_path / "bin" / "microsoft-edge")
    assert find_chromium() == edge
    program(builds / "chromium-999" / "chrome-linux" / "chrome")
    newest = program(builds / "chromium-1200" / "chrome-linux64" / "chrome")
    assert find_chromium() == newest


async def test_a_program_that_is_no_browser_is_named(tmp_path: Path) -> None:
    fake = program(tmp_path / "chromium")
    with pytest.raises(EnvironmentDown, match=str(fake)):
        async with launch(LaunchOptions(executable=fake)):
            raise AssertionError("it started")


async def test_no_browser_at_the_endpoint() -> None:
    with pytest.raises(EnvironmentDown, match="no browser answers"):
        async with launch(LaunchOptions(endpoint="http://127.0.0.1:9")):
            raise AssertionError("it connected")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Sockets can't live in the long paths that pytest gives."""
    with tempfile.TemporaryDirectory(prefix="wb-", dir="/tmp", ignore_cleanup_errors=True) as name:
        yield Path(name)


async def test_closing_leaves_no_process_and_no_folder(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = os.environ.get("TMPDIR")
    async with launch() as browser:
        assert browser.version.startswith(("Chrome/", "HeadlessChrome/"))
        pid = browser.pid
        assert pid is not None
        assert list(folder.iterdir())
        assert os.environ.get("TMPDIR") == before
    assert not alive(pid)
    assert list(folder.iterdir()) == []
    await browser.close()
    with pytest.raises(EnvironmentDown, match="closed"):
        await browser.connected()


async def test_a_running_browser_is_reached_and_left_alone() -> None:
    async with launch(LaunchOptions(extra_args=("--remote-debugging-port=0",))) as first:
        assert first._folder is not None
        port = None
        while port is None:
            found = list(first._folder.glob("*/DevToolsActivePort"))
            port = int(found[0].read_text().split()[0]) if found and found[0].read_text() else None
            await asyncio.sleep(0.02)
        async with launch(LaunchOptions(endpoint=f"http://127.0.0.1:{port}")) as second:
            assert second.pid is None
            environment = second.environment()
            await environment.reset(EnvironmentSetup(start_urls=("data:text/html,<title>far</title>",)))
            assert (await environment.observe()).title == "far"
            await environment.close()
        assert first.alive


@pytest.mark.parametrize("url", ["about:blank", HUNG])
def test_browser_dies_with_its_owner(folder: Path, url: str) -> None:
    environment = {**os.environ, "TMPDIR": str(folder)}
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, url], stdout=subprocess.PIPE, env=environment, text=True
    )
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    assert alive(pid)
    time.sleep(1.0 if url == HUNG else 0.0)
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    deadline = time.monotonic() + 30
    while (alive(pid) or list(folder.iterdir())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(pid)
    assert list(folder.iterdir()) == []
