"""A browser that a Playwright server has, elsewhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from webbench.core.browser.launch import LaunchOptions, find_chromium, launch
from webbench.core.browser.starting.switches import CHROMIUM_ARGUMENTS
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Its address."""
    config = tmp_path / "server.json"
    switches = [*CHROMIUM_ARGUMENTS, "--no-sandbox"]
    config.write_text(json.dumps({"executablePath": str(find_chromium()), "args": switches}))
    command = [sys.executable, "-m", "playwright", "launch-server", "--browser=chromium"]
    with subprocess.Popen(
        [*command, f"--config={config}"], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        os.killpg(process.pid, signal.SIGTERM)


async def test_its_browser_is_worked_in_like_any_other(server: str) -> None:
    assert server.startswith("ws://")
    async with launch(LaunchOptions(endpoint=server)) as browser:
        assert browser.pid is None
        environment = browser.environment()
        await environment.reset(EnvironmentSetup(start_urls=("data:text/html,<title>far</title><a>x</a>",)))
        assert (await environment.observe()).title == "far"
        assert await environment.screenshot() is not None
        await environment.close()
    with pytest.raises(EnvironmentDown, match="no browser answers at"):
        async with launch(LaunchOptions(endpoint=f"{server}/nowhere")):
            raise AssertionError("it connected")
