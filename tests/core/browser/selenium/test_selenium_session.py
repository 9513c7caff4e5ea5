"""WebDriver sessions of the Selenium driver: finding a chromedriver, starting one, and leaving nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from webbench.core.browser.launch import LaunchOptions, launch
from webbench.core.browser.selenium.browser import SeleniumBrowser
from webbench.core.browser.selenium.webdriver_session import find_chromedriver, reason_of
from webbench.core.browser.starting.reaper import alive
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown

SELENIUM = LaunchOptions(driver="selenium")
OWNER = """
import asyncio, os, sys
from webbench.core.browser.launch import LaunchOptions, launch
from webbench.core.environment import EnvironmentSetup

async def main():
    async with launch(LaunchOptions(driver="selenium")) as browser:
        environment = browser.environment()
        await environment.reset(EnvironmentSetup(start_urls=("data:text/html,<title>owned</title>",)))
        print(browser.pid, os.getpgid(browser.pid), flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def ended(pid: int) -> bool:
    """Whether a process is no more, soon; an orphan's last trace is wiped by another process."""
    deadline = time.monotonic() + 30
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not alive(pid)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Sockets can't live in the long paths that pytest gives."""
    with tempfile.TemporaryDirectory(prefix="wb-", dir="/tmp", ignore_cleanup_errors=True) as name:
        yield Path(name)


def test_the_variable_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chosen = program(tmp_path / "mine", "#!/bin/sh\n")
    monkeypatch.setenv("WEBBENCH_CHROMEDRIVER", str(chosen))
    assert find_chromedriver() == chosen
    monkeypatch.setenv("WEBBENCH_CHROMEDRIVER", str(tmp_path / "absent"))
    with pytest.raises(EnvironmentDown, match="WEBBENCH_CHROMEDRIVER names"):
        find_chromedriver()
    monkeypatch.delenv("WEBBENCH_CHROMEDRIVER")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromedriver() is None
    program(tmp_path / "chromedriver", "#!/bin/sh\n")
    assert find_chromedriver() == tmp_path / "chromedriver"


def test_errors_are_told_without_stack_traces() -> None:
    told = "Message: session not created: it is too old; For documentation on this error, see\n  (Session"
    told += " info: x)\nStacktrace:\n#0 0x55"
    assert reason_of(RuntimeError(told)) == "it is too old"
    assert reason_of(RuntimeError()) == "RuntimeError"


async def test_a_chromedriver_that_does_not_run_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WEBBENCH_CHROMEDRIVER", str(program(tmp_path / "stub", "#!/bin/sh\nexit 3\n")))
    with pytest.raises(EnvironmentDown, match=r"chromedriver did not start: .*\(install chromedriver"):
        async with launch(SELENIUM):
            raise AssertionError("it started")


@pytest.mark.thorough
async def test_what_a_chromium_said_before_it_ended_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbench.core.browser.launch.PAUSES", (0.01,))
    said = "echo '[1:2:ERROR:ozone_platform_x11.cc] Missing X server or $DISPLAY' >&2"
    fake = program(tmp_path / "chromium", f"#!/bin/sh\n{said}\nexit 1\n")
    with pytest.raises(EnvironmentDown, match=rf"{fake} did not start: .*Missing X server .*a window needs"):
        async with launch(LaunchOptions(driver="selenium", executable=fake)):
            raise AssertionError("it started")
    silent = program(tmp_path / "silent", "#!/bin/sh\nexit 1\n")
    with pytest.raises(EnvironmentDown, match=rf"{silent} did not start: Chrome instance exited.*make setup"):
        async with launch(LaunchOptions(driver="selenium", executable=silent)):
            raise AssertionError("it started")


async def test_a_chromium_that_never_answers_is_ended_with_its_chromedriver(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    told = tmp_path / "pid"
    slow = program(tmp_path / "chromium", f"#!/bin/sh\necho $$ > {told}\nexec sleep 600\n")
    with pytest.raises(EnvironmentDown, match=r"did not start within 2 s"):
        async with launch(LaunchOptions(driver="selenium", executable=slow, timeout=2.0)):
            raise AssertionError("it started")
    assert not alive(int(told.read_text()))
    assert list(folder.iterdir()) == []


async def test_closing_leaves_no_process_and_no_folder(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    async with launch(SELENIUM) as browser:
        assert set(browser.versions) == {"selenium", "chromedriver"}
        assert browser.pid is not None
        pids = (browser.pid, os.getpgid(browser.pid))
        assert pids[0] != pids[1]
        assert list(folder.iterdir())
    assert not any(map(alive, pids))
    assert list(folder.iterdir()) == []


@pytest.mark.thorough
async def test_a_chromedriver_that_dies_holds_nothing_up_and_leaves_no_chromium() -> None:
    async with launch(SELENIUM) as browser:
        assert browser.pid is not None
        os.kill(os.getpgid(browser.pid), signal.SIGKILL)
        environment = browser.environment()
        await environment.reset(EnvironmentSetup(start_urls=("data:text/html,<title>alone</title>",)))
        assert (await environment.observe()).title == "alone"
        pid = browser.pid
    assert ended(pid)


def test_chromedriver_and_chromium_die_with_their_owner(folder: Path) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder)},
        text=True,
    )
    assert owner.stdout is not None
    pids = [int(word) for word in owner.stdout.readline().split()]
    assert len(pids) == 2
    assert all(map(alive, pids))
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    assert all(map(ended, pids))
    deadline = time.monotonic() + 30
    while list(folder.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(folder.iterdir()) == []


@pytest.mark.thorough
async def test_contexts_of_one_browser_share_nothing() -> None:
    async with launch(SELENIUM) as browser:
        running = await browser.connected()
        assert isinstance(running, SeleniumBrowser)
        login = {"name": "who", "value": "me", "domain": "127.0.0.1", "path": "/"}
        item = {"name": "cart", "value": "full"}
        state = {"cookies": [login], "origins": [{"origin": "http://127.0.0.1:9", "localStorage": [item]}]}
        environments = [browser.environment(), browser.environment()]
        await environments[0].reset(EnvironmentSetup(storage_state=state))
        await environments[1].reset(EnvironmentSetup())
        cookies = [
            await _cookies(environment._tabs.context) for environment in environments if environment._tabs
        ]
    assert cookies == [[("who", "me")], []]


async def _cookies(context: object) -> list[tuple[str, str]]:
    from webbench.core.browser.selenium.context import SeleniumContext

    assert isinstance(context, SeleniumContext)
    state = await context.storage_state()
    return [(cookie["name"], cookie["value"]) for cookie in state["cookies"]]
