"""The Selenium driver at a remote end: a session for each environment, files there and back."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.conftest import Site
from tests.core.browser.acts import css, done, value
from tests.core.browser.remote_ends import RemoteEnd, chromedriver
from webbench.core.action.action import AnswerDialog, Click, CloseTab, Goto, Noop, Upload
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser, LaunchOptions, launch
from webbench.core.browser.selenium import browser as selenium_browser
from webbench.core.browser.selenium.context import SeleniumContext
from webbench.core.environment import EnvironmentSetup, refuse_all
from webbench.core.errors import EnvironmentDown
from webbench.core.observation import Observation

READER = """<title>empty</title><input type=file multiple><script>
  document.querySelector('input').onchange = async (event) => {
    const texts = await Promise.all([...event.target.files].map((file) => file.text()));
    document.title = [...event.target.files].map((file) => file.name) + '=' + texts;
  };
</script>"""


@pytest_asyncio.fixture
async def far(tmp_path: Path) -> AsyncIterator[tuple[RemoteEnd, Browser]]:
    with chromedriver(tmp_path) as end:
        options = LaunchOptions(driver="selenium", endpoint=end.url, sandbox=False)
        async with launch(options) as browser:
            yield end, browser


def pid_of(environment: BrowserEnvironment) -> int:
    """The Chromium that an environment lives in."""
    assert environment._tabs is not None
    context = environment._tabs.context
    assert isinstance(context, SeleniumContext)
    assert context.webdriver is not None
    return int(context.webdriver.capabilities["goog:processID"])


async def downloaded(environment: BrowserEnvironment) -> list[str]:
    told: list[str] = []
    for _ in range(100):
        observation: Observation = await environment.observe()
        told += [message.text for message in observation.messages if message.kind == "download"]
        if told:
            break
        await environment.act(Noop(seconds=0.05))
    return told


async def test_each_environment_is_a_session_and_one_that_dies_takes_no_other_with_it(
    far: tuple[RemoteEnd, Browser], serve: Site
) -> None:
    _, browser = far
    page = serve("<title>there</title><button onclick=\"document.cookie='who=first'\">set</button>")
    first, second = browser.environment(), browser.environment()
    await second.reset(EnvironmentSetup(start_urls=(page, page)))
    await first.reset(EnvironmentSetup(start_urls=(page,)))
    assert pid_of(first) != pid_of(second)
    await done(first, Click(target=css("button")))
    assert await first.probe("() => document.cookie", None) == "who=first"
    assert await second.probe("() => document.cookie", None) == ""
    os.kill(pid_of(first), signal.SIGKILL)
    assert (await first.act(Click(target=css("button")))).ok is False
    assert (await first.observe()).condition == "crashed"
    assert first.lost
    assert not second.lost
    assert [tab.title for tab in (await second.observe()).tabs] == ["there", "there"]
    await done(first, Goto(url=page))
    assert (await first.observe()).title == "there"
    await first.close()
    await second.close()


async def test_files_go_there_and_come_back(
    far: tuple[RemoteEnd, Browser], serve: Site, tmp_path: Path
) -> None:
    _, browser = far
    uploads, downloads = tmp_path / "uploads", tmp_path / "downloads"
    uploads.mkdir()
    (uploads / "a.txt").write_text("first")
    (uploads / "b.txt").write_text("second")
    headers = {
        "content-type": "application/octet-stream",
        "content-disposition": "attachment; filename=c.bin",
    }
    data = bytes(range(256)) * 5000
    serve((200, headers, data), "/file")
    environment = browser.environment()
    page = serve(READER + "<a href=/file>get</a>")
    await environment.reset(EnvironmentSetup(start_urls=(page,), uploads=uploads, downloads=downloads))
    await done(environment, Upload(target=css("input"), files=("a.txt", "b.txt")))
    assert (await environment.observe()).title == "a.txt,b.txt=first,second"
    await done(environment, Click(target=css("a")))
    assert await downloaded(environment) == ["c.bin was saved as c.bin"]
    assert (downloads / "c.bin").read_bytes() == data
    await environment.close()


async def test_a_grid_that_fails_to_grant_a_session_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selenium_browser, "FIRST_PAUSE", 0.001)
    asked = []

    async def granted() -> str:
        asked.append(1)
        if len(asked) < 4:
            raise EnvironmentDown("could not start a new session")
        return "granted"

    assert await selenium_browser.patiently(granted) == "granted"
    asked.clear()
    monkeypatch.setattr(selenium_browser, "GRID_SECONDS", 0.002)
    with pytest.raises(EnvironmentDown, match="could not start"):
        await selenium_browser.patiently(granted)
    assert len(asked) == 2


@pytest.mark.thorough
async def test_nothing_is_left_at_the_remote_end(tmp_path: Path) -> None:
    with chromedriver(tmp_path) as end:
        options = LaunchOptions(driver="selenium", endpoint=end.url, sandbox=False)
        async with launch(options) as browser:
            environment = browser.environment()
            await environment.reset(EnvironmentSetup())
            pid = pid_of(environment)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_no_remote_end_is_named() -> None:
    with pytest.raises(
        EnvironmentDown, match=r"no WebDriver session at http://127.0.0.1:9: .*\(check that the"
    ):
        async with launch(LaunchOptions(driver="selenium", endpoint="http://127.0.0.1:9")):
            raise AssertionError("it connected")


async def test_a_remote_end_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(EnvironmentDown, match=f"no browser answers at {address} within 1 s"):
            async with launch(LaunchOptions(driver="selenium", endpoint=address, timeout=1.0)):
                raise AssertionError("it connected")


FRAMES = """<title>nodes</title><button onclick="console.log('said'); value = confirm('sure?')">ask</button>
<a href=/other target=_blank>open</a><select><option>one<option selected>two</select>
<iframe srcdoc="<input aria-label=inner>"></iframe><a download href=/file>get</a>"""


async def test_a_node_without_devtools_gives_the_same_by_commands_alone(
    serve: Site, tmp_path: Path, environment: BrowserEnvironment
) -> None:
    """Another address than loopback's first hides the debugging port, as another machine would."""
    serve("<title>other</title>", "/other")
    headers = {
        "content-type": "application/octet-stream",
        "content-disposition": "attachment; filename=c.bin",
    }
    serve((200, headers, b"data"), "/file")
    setup = EnvironmentSetup(start_urls=(serve(FRAMES),), downloads=tmp_path / "downloads")
    await environment.reset(setup)
    expected = (await environment.observe()).nodes
    with chromedriver(tmp_path, "--allowed-ips=") as end:
        address = end.url.replace("127.0.0.1", "127.0.0.2")
        async with launch(LaunchOptions(driver="selenium", endpoint=address, sandbox=False)) as browser:
            assert browser.versions["devtools"] == "by commands"
            slow = browser.environment()
            await slow.reset(setup)
            assert (await slow.observe()).nodes == expected
            await done(slow, Click(target=css("button")))
            dialog = (await slow.observe()).dialog
            assert dialog is not None
            assert (dialog.kind, dialog.message) == ("confirm", "sure?")
            await done(slow, AnswerDialog(accept=True))
            assert await value(slow, "button") == "true"
            said = [message.text for message in (await slow.observe()).messages if message.kind == "console"]
            assert said == ['"said"']
            await done(slow, Click(target=css("a[target]")))
            assert [tab.title for tab in (await slow.observe()).tabs] == ["nodes", "other"]
            await done(slow, CloseTab())
            await done(slow, Click(target=css("a[download]")))
            assert await downloaded(slow) == ["c.bin was saved as c.bin"]
            assert (tmp_path / "downloads" / "c.bin").read_bytes() == b"data"
            with pytest.raises(EnvironmentDown, match="no request can be held for the task's filter"):
                await slow.reset(EnvironmentSetup(request_filter=refuse_all))
