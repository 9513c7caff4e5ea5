"""Finding, starting and ending Chromium."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from webbench.core.action.action import AnswerDialog, Click, ElementRef
from webbench.core.browser import launch as launch_module
from webbench.core.browser.launch import Browser, LaunchOptions, find_chromium, launch
from webbench.core.browser.selenium.webdriver_session import CHROMEDRIVER_VARIABLE
from webbench.core.browser.starting import find_chromium as finding
from webbench.core.browser.starting import folder as folder_module
from webbench.core.browser.starting.browser_options import DriverName
from webbench.core.browser.starting.folder import PrivateFolder, sweep_abandoned
from webbench.core.browser.starting.reaper import alive
from webbench.core.browser.starting.start_failure import PAUSES
from webbench.core.browser.starting.switches import OFF, OFF_IN_PLAYWRIGHT
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
    monkeypatch.setattr(finding, "PLACES", ())
    monkeypatch.setattr(finding, "SHELL_PLACES", ())
    with pytest.raises(EnvironmentDown, match="make setup"):
        find_chromium()
    edge = program(tmp_path / "bin" / "microsoft-edge")
    assert find_chromium() == edge
    program(builds / "chromium-999" / "chrome-linux" / "chrome")
    newest = program(builds / "chromium-1200" / "chrome-linux64" / "chrome")
    assert find_chromium() == newest


def test_a_headless_shell_comes_last_and_shows_no_window(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("WEBBENCH_CHROMIUM", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(finding, "PLACES", ())
    monkeypatch.setattr(finding, "SHELL_PLACES", ())
    debians = program(tmp_path / "bin" / "chromium-headless-shell")
    assert find_chromium() == debians
    program(tmp_path / "chromium_headless_shell-999" / "chrome-linux" / "headless_shell")
    build = tmp_path / "chromium_headless_shell-1200" / "chrome-headless-shell-linux64"
    newest = program(build / "chrome-headless-shell")
    assert find_chromium() == newest
    with pytest.raises(EnvironmentDown, match="chrome-headless-shell is Chromium's headless shell, which"):
        finding.chosen_chromium(None, windowed=True)
    whole = program(tmp_path / "bin" / "chromium")
    assert finding.chosen_chromium(None, windowed=True) == find_chromium() == whole
    monkeypatch.setenv("WEBBENCH_CHROMIUM", "headless-shell")
    assert find_chromium() == newest
    monkeypatch.setenv("WEBBENCH_CHROMIUM", "chromium-headless-shell")
    assert find_chromium() == debians


@pytest.mark.parametrize("driver", ["playwright", "selenium"])
async def test_a_window_is_refused_by_a_headless_shell(driver: DriverName, tmp_path: Path) -> None:
    shell = program(tmp_path / "headless_shell", "#!/bin/sh\nexec sleep 30\n")
    with pytest.raises(EnvironmentDown, match=r"shows no window \(.*browser\.headless = true"):
        async with launch(LaunchOptions(driver=driver, executable=shell, headless=False)):
            raise AssertionError("it started")


# A package apart, which nothing else needs; the refusal of what has its usual names is tested without it.
@pytest.mark.skipif(not shutil.which("chromium-headless-shell"), reason="there is no headless shell")
async def test_a_headless_shell_by_another_name_is_refused_as_well(tmp_path: Path) -> None:
    shell = program(tmp_path / "chrome", '#!/bin/sh\nexec chromium-headless-shell "$@"\n')
    with pytest.raises(EnvironmentDown, match=f"{shell} is Chromium's headless shell"):
        async with launch(LaunchOptions(executable=shell, headless=False)):
            raise AssertionError("it started")


def check(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """What `python -m webbench.core.browser.launch` says of this environment."""
    return subprocess.run(
        [sys.executable, "-m", "webbench.core.browser.launch"],
        env={key: value for key, value in os.environ.items() if key != "WEBBENCH_CHROMIUM"} | environment,
        capture_output=True,
        text=True,
    )


def test_the_check_prints_path_and_version(tmp_path: Path) -> None:
    path = find_chromium()
    answer = check({"WEBBENCH_CHROMIUM": str(path)})
    assert (answer.returncode, answer.stderr) == (0, "")
    assert re.fullmatch(rf"{re.escape(str(path))}: \D+ \d+\.\d+.*\n", answer.stdout)


def test_the_check_fails_where_the_variable_names_nothing() -> None:
    answer = check({"WEBBENCH_CHROMIUM": "/nonexistent"})
    assert (answer.returncode, answer.stdout) == (3, "")
    assert "WEBBENCH_CHROMIUM names /nonexistent, which can't be run" in answer.stderr
    assert "make setup" in answer.stderr


def test_the_check_fails_where_nothing_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WEBBENCH_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(finding, "PLACES", ())
    monkeypatch.setattr(finding, "SHELL_PLACES", ())
    assert finding.main() == 3
    assert "no Chromium, Chrome or Edge was found (install one with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            "echo 'Command requires the chromium snap to be installed.' >&2; exit 1",
            "requires the chromium snap",
        ),
        ("exit 127", "it tells no version"),
        ("echo ready", "ready"),
    ],
)
def test_the_check_fails_for_a_program_that_only_looks_like_one(
    tmp_path: Path, script: str, reason: str
) -> None:
    stub = program(tmp_path / "chromium-browser", f"#!/bin/sh\n{script}\n")
    answer = check({"WEBBENCH_CHROMIUM": str(stub)})
    assert answer.returncode == 3
    assert f"{stub} does not run: " in answer.stderr
    assert reason in answer.stderr


async def test_a_browser_that_never_answers(tmp_path: Path) -> None:
    slow = program(tmp_path / "chromium", "#!/bin/sh\nexec sleep 30\n")
    with pytest.raises(EnvironmentDown, match=r"did not start within 2 s \(.*doctor"):
        async with launch(LaunchOptions(executable=slow, timeout=2.0)):
            raise AssertionError("it started")


async def test_an_endpoint_that_never_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(EnvironmentDown, match=f"no browser answers at {address} within 2 s"):
            async with launch(LaunchOptions(endpoint=address, timeout=2.0)):
                raise AssertionError("it connected")


async def test_a_broken_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/nonexistent/node")
    with pytest.raises(EnvironmentDown, match=r"Playwright's driver did not start: .*make setup"):
        async with launch():
            raise AssertionError("it started")


async def test_a_temporary_folder_that_cannot_be_written_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(folder_module, "_parent", lambda: tmp_path / "gone")
    with pytest.raises(EnvironmentDown, match=r"could not be prepared: .*gone") as caught:
        async with launch():
            raise AssertionError("it started")
    assert "TMPDIR" in caught.value.hint


async def test_a_program_that_is_no_browser_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(launch_module, "PAUSES", ())
    fake = program(tmp_path / "chromium")
    with pytest.raises(EnvironmentDown, match=str(fake)):
        async with launch(LaunchOptions(executable=fake)):
            raise AssertionError("it started")


def mortal(path: Path, real: str, deaths: int, how: str = "kill -9 $$") -> Path:
    """A program that dies as it starts the first times, and then is the real one; it counts in a file."""
    count = path.with_suffix(".starts")
    dies = f"echo >> {count}; [ $(wc -l < {count}) -le {deaths} ] && {{ {how}; }}"
    return program(
        path, f'#!/bin/sh\ncase "$*" in *--version*) exec {real} "$@";; esac\n{dies}\nexec {real} "$@"\n'
    )


async def opens_a_page(options: LaunchOptions) -> None:
    async with launch(options) as browser:
        environment = browser.environment()
        await environment.reset(EnvironmentSetup(start_urls=("data:text/html,<title>here</title>",)))
        assert (await environment.observe()).title == "here"


def starts(path: Path) -> int:
    return len(path.with_suffix(".starts").read_bytes())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("driver", "how"),
    [
        ("playwright", "kill -9 $$"),
        ("playwright", "exit 1"),
        ("selenium", "kill -9 $$"),
        ("selenium", "exit 1"),
    ],
)
async def test_a_browser_that_dies_as_it_starts_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: DriverName, how: str
) -> None:
    """Three times, with waits that grow."""
    assert list(PAUSES) == sorted(set(PAUSES))
    monkeypatch.setattr(launch_module, "PAUSES", tuple(pause / 100 for pause in PAUSES))
    chromium = mortal(tmp_path / "chromium", str(find_chromium()), 3, how)
    await opens_a_page(LaunchOptions(driver=driver, executable=chromium))
    assert starts(chromium) == 4
    chromium = mortal(tmp_path / "again" / "chromium", str(find_chromium()), 9, how)
    with pytest.raises(EnvironmentDown, match=r"so it was 4 times \(see that the machine has memory") as told:
        await opens_a_page(LaunchOptions(driver=driver, executable=chromium))
    assert ("make setup" in str(told.value)) is not (driver == "playwright" and "kill" in how)
    assert starts(chromium) == 4


@pytest.mark.thorough
async def test_a_chromedriver_that_dies_as_it_starts_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And after it the Chromium that it starts."""
    real = shutil.which("chromedriver")
    assert real is not None
    monkeypatch.setattr(launch_module, "PAUSES", (0.01, 0.01))
    driver = mortal(tmp_path / "chromedriver", real, 1)
    chromium = mortal(tmp_path / "chromium", str(find_chromium()), 1)
    monkeypatch.setenv(CHROMEDRIVER_VARIABLE, str(driver))
    await opens_a_page(LaunchOptions(driver="selenium", executable=chromium))
    assert (starts(driver), starts(chromium)) == (3, 2)


async def test_a_driver_that_dies_ends_what_is_open_and_costs_no_later_task() -> None:
    async with launch() as browser:
        world = browser.environment()
        setup = EnvironmentSetup(start_urls=("data:text/html,<title>later</title>",))
        await world.reset(setup)
        assert browser.pid is not None
        driver = int(subprocess.check_output(["ps", "-o", "ppid=", "-p", str(browser.pid)]))
        before = browser.pid
        os.kill(driver, signal.SIGKILL)
        gone = await world.observe()
        assert (gone.condition, gone.nodes, world.lost) == ("crashed", (), True)
        await world.reset(setup)
        assert (await world.observe()).title == "later"
        assert browser.pid != before
    assert not alive(before)


async def test_what_is_missing_is_not_tried_again(tmp_path: Path) -> None:
    broken = program(tmp_path / "chromium", f"#!/bin/sh\necho >> {tmp_path}/chromium.starts\nexit 127\n")
    with pytest.raises(EnvironmentDown, match="did not start"):
        await opens_a_page(LaunchOptions(executable=broken))
    assert starts(broken) == 1


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


def test_folders_of_the_dead_are_swept_and_no_others(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    dead = subprocess.run(
        [
            sys.executable,
            "-c",
            "import tempfile, sys; from webbench.core.browser.starting.folder import PrivateFolder;"
            "tempfile.tempdir = sys.argv[1]; print(PrivateFolder().path)",
            str(folder),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert Path(dead).is_dir()
    unfinished = folder / "webbench-browser-old"
    unfinished.mkdir()
    os.utime(unfinished, (0, 0))
    kept = [folder / "webbench-browser-new", folder / "webbench-downloads-x", folder / "elsewhere"]
    for place in kept:
        place.mkdir()
    link = folder / "webbench-browser-link"
    link.symlink_to(folder / "elsewhere")
    live = PrivateFolder()
    sweep_abandoned()
    assert sorted(folder.iterdir()) == sorted([*kept, link, live.path])
    live.release()
    sweep_abandoned()
    assert sorted(folder.iterdir()) == sorted([*kept, link])


async def test_a_running_browser_is_reached_and_left_alone(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    async with launch(LaunchOptions(extra_args=("--remote-debugging-port=0",))) as first:
        port = None
        while port is None:
            found = list(folder.glob("*/*/DevToolsActivePort"))
            port = int(found[0].read_text().split()[0]) if found and found[0].read_text() else None
            await asyncio.sleep(0.02)
        async with launch(LaunchOptions(endpoint=f"http://127.0.0.1:{port}")) as second:
            assert second.pid is None
            environment = second.environment()
            await environment.reset(EnvironmentSetup(start_urls=("data:text/html,<title>far</title>",)))
            assert (await environment.observe()).title == "far"
            await _asked_and_answered(first)
            await environment.close()
        assert first.alive


async def _asked_and_answered(browser: Browser) -> None:
    """A question of a page waits for whoever works on it, and for nobody else in the same browser."""
    environment = browser.environment()
    page = "data:text/html,<button onclick='document.title = confirm(`Sure?`)'>B</button>"
    await environment.reset(EnvironmentSetup(start_urls=(page,)))
    assert (await environment.act(Click(target=ElementRef(selector="button")))).ok
    await asyncio.sleep(0.2)
    assert (await environment.act(AnswerDialog())).ok
    assert (await environment.observe()).title == "true"
    await environment.close()


# What Playwright passed on is told by nobody but the kernel; macOS has no files for it.
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="command lines are read from /proc")
async def test_what_playwright_turns_off_stays_off_and_the_window_loads_no_page_of_its_own() -> None:
    if finding.is_headless_shell(find_chromium()):
        pytest.skip("a headless shell has no such page")
    async with launch() as browser:
        environment = browser.environment()
        await environment.reset(EnvironmentSetup())
        lines = [words(path) for path in Path("/proc").glob("[0-9]*/cmdline")]
        await environment.close()
        assert browser.pid is not None
        own = words(Path(f"/proc/{browser.pid}/cmdline"))
    folder = next(word for word in own if word.startswith("--user-data-dir="))
    renderers = [line for line in lines if folder in line and "--type=renderer" in line]
    assert renderers
    assert not [line for line in renderers if "--top-chrome-webui" in line]
    theirs, ours = (
        set(word.removeprefix("--disable-features=").split(","))
        for word in own
        if word.startswith("--disable-features=")
    )
    assert theirs == set(OFF_IN_PLAYWRIGHT)
    assert ours == theirs | set(OFF)


def words(path: Path) -> list[str]:
    """A process's command line, empty where it ended meanwhile; renderers write theirs with blanks."""
    try:
        return path.read_bytes().decode(errors="replace").replace("\0", " ").split()
    except OSError:
        return []


@pytest.mark.parametrize("url", [pytest.param("about:blank", marks=pytest.mark.thorough), HUNG])
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
