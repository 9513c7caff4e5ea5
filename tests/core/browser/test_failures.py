"""What can go wrong with pages, network and browser: it is said, and the episode can go on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from threading import Event

import pytest

from tests.conftest import Site
from webbench.core.action.action import Back, Click, ElementRef, Goto, Hover, NewTab, Noop, Submit, Type
from webbench.core.browser.acting.element_verbs import Acting
from webbench.core.browser.acting.navigation import Navigation
from webbench.core.browser.acting.settle import Patience
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.elements.elements import Elements
from webbench.core.browser.launch import kill, launch
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.browser.starting.find_chromium import find_chromium, is_headless_shell
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.observation import ObservationOptions

HASTE = Patience(action=4.0, navigation=1.5, images=0.5, requests=1.0, script=0.5)
MORE_HASTE = Patience(action=4.0, navigation=0.7, images=0.5, requests=1.0, probe=0.7)


async def started(environment: BrowserEnvironment, url: str) -> None:
    await environment.reset(EnvironmentSetup(start_urls=(url,)))


async def becomes(environment: BrowserEnvironment, title: str) -> None:
    """The page bears this title soon."""
    async with asyncio.timeout(60):
        while (await environment.observe()).title != title:
            await environment.act(Noop(seconds=0.1))


async def goes_on(environment: BrowserEnvironment, serve: Site) -> None:
    """Another page can be opened and acted on."""
    url = serve("<title>fine</title><input name=q>", "/fine")
    assert (await environment.act(Goto(url=url))).ok
    result = await environment.act(Type(target=ElementRef(field="q"), text="ok"))
    assert result.ok, result.error
    observation = await environment.observe()
    assert (observation.condition, observation.title) == ("ok", "fine")


async def crash(environment: BrowserEnvironment) -> None:
    tabs = environment._tabs
    assert tabs is not None
    assert tabs.active is not None
    tab = tabs.active
    doomed = asyncio.create_task(tab.page.session.send("Page.crash"))
    while not tab.crashed:
        await asyncio.sleep(0.01)
    doomed.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await doomed


async def test_crashed_page(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, serve("<button>B</button>"))
    await crash(environment)
    observation = await environment.observe()
    assert observation.condition == "crashed"
    assert serve.url in observation.problem
    assert "crash" in [message.kind for message in observation.messages]
    assert await environment.screenshot() is None
    result = await environment.act(Click(target=ElementRef(selector="button")))
    assert not result.ok
    assert "crashed" in result.error
    await goes_on(environment, serve)


async def test_killed_browser_is_started_anew(serve: Site) -> None:
    async with launch() as browser:
        environment = browser.environment()
        await started(environment, serve("<button>B</button>"))
        first = browser.pid
        assert first is not None
        kill(first)
        while browser.alive:
            await asyncio.sleep(0.01)
        observation = await environment.observe()
        assert observation.condition == "crashed"
        assert "browser ended" in observation.problem
        assert not (await environment.act(Click(target=ElementRef(selector="button")))).ok
        await goes_on(environment, serve)
        assert browser.pid != first
        kill(browser.pid or 0)
        await started(environment, serve("<title>again</title>"))
        assert (await environment.observe()).title == "again"


async def test_endless_script_is_stopped(environment: BrowserEnvironment, serve: Site) -> None:
    environment.patience = HASTE
    html = "<button onclick='for (;;);'>Hang</button>"
    html += "<button id=b onclick='document.title = \"alive\"'>B</button>"
    await started(environment, serve(html))
    result = await environment.act(Click(target=ElementRef(selector="button:first-of-type")))
    assert not result.ok
    assert "did not answer within 0.5 s (its script was stopped" in result.error
    assert result.seconds < HASTE.action
    assert (await environment.observe()).condition == "ok"
    assert (await environment.act(Click(target=ElementRef(selector="#b")))).ok
    assert (await environment.observe()).title == "alive"


async def test_a_script_that_waits_for_its_server_is_not_stopped(
    environment: BrowserEnvironment, serve: Site
) -> None:
    environment.patience = HASTE
    released = Event()
    serve(held_back(released, "text/plain", b"there"), "/late")
    html = """<button>B</button><script>document.querySelector('button').onclick = () => {
      const late = new XMLHttpRequest(); late.open('GET', '/late', false); late.send();
      document.title = late.responseText; }</script>"""
    await started(environment, serve(html))
    asyncio.get_running_loop().call_later(2.0, released.set)
    result = await environment.act(Click(target=ElementRef(selector="button")))
    assert (result.ok, result.error) == (True, "")
    assert (await environment.observe()).title == "there"


async def test_script_that_hangs_later_is_noticed_when_looking(
    environment: BrowserEnvironment, serve: Site
) -> None:
    environment.patience = HASTE
    await started(environment, serve("<title>t</title>"))
    await environment.probe("() => { setTimeout(() => { for (;;); }) }")
    observation = await environment.observe(ObservationOptions(timeout=0.5))
    assert observation.condition == "timeout"
    assert "stopped" in observation.problem
    assert (await environment.observe()).condition == "ok"
    await goes_on(environment, serve)


@pytest.mark.parametrize("action", [Goto(url="/other"), Back()], ids=["goto", "back"])
async def test_an_endless_script_does_not_hold_up_what_comes_after_its_page(
    environment: BrowserEnvironment, serve: Site, action: Goto | Back
) -> None:
    environment.patience = MORE_HASTE
    there = serve("<title>there</title>", "/other")
    await started(environment, there)
    await environment.act(Goto(url=serve("<title>there</title>")))
    await environment.probe("() => { setTimeout(() => { for (;;); }) }")
    result = await environment.act(Goto(url=there) if isinstance(action, Goto) else action)
    assert (result.ok, result.error) == (True, "")
    observation = await environment.observe()
    assert (observation.condition, observation.title) == ("ok", "there")
    assert any("did not end was stopped" in message.text for message in observation.messages)


async def test_endless_script_is_stopped_while_its_page_loads(
    environment: BrowserEnvironment, serve: Site
) -> None:
    environment.patience = MORE_HASTE
    await started(environment, serve("<title>t</title><p>before<script>for (;;);</script><button>B</button>"))
    observation = await environment.observe(ObservationOptions(timeout=0.5))
    assert observation.condition == "timeout"
    assert "stopped" in observation.problem
    assert "did not end was stopped" in observation.messages[-1].text
    assert (await environment.act(Click(target=ElementRef(selector="button")))).ok
    assert (await environment.observe()).condition == "ok"


async def test_a_dialog_of_a_busy_page_is_told_at_once(environment: BrowserEnvironment, serve: Site) -> None:
    environment.patience = MORE_HASTE
    busy = "const end = performance.now() + 1500; while (performance.now() < end); alert('ready')"
    await started(environment, serve(f"<title>t</title><p>before<script>{busy}</script>"))
    async with asyncio.timeout(60):
        observation = await environment.observe(ObservationOptions(timeout=120))
    assert observation.dialog is not None


def held_back(released: Event, kind: str, body: bytes) -> Callable[[str], tuple[int, dict[str, str], bytes]]:
    """An answer that the server gives only when it is let."""

    def answer(_: str) -> tuple[int, dict[str, str], bytes]:
        released.wait(60)
        return 200, {"content-type": kind}, body

    return answer


async def test_a_page_that_waits_for_its_script_is_loading(
    environment: BrowserEnvironment, serve: Site
) -> None:
    released = Event()
    environment.patience = MORE_HASTE
    serve(held_back(released, "text/javascript", b"document.title = 'late'"), "/held.js")
    await started(environment, serve("<title>t</title><script src=/held.js></script><p>after", "/waits"))
    observation = await environment.observe()
    assert (observation.condition, observation.title) == ("loading", "t")
    assert not [message for message in observation.messages if "stopped" in message.text]
    released.set()
    await becomes(environment, "late")


async def test_slow_page(environment: BrowserEnvironment, serve: Site) -> None:
    released = Event()
    environment.patience = HASTE
    await started(environment, serve("<title>start</title><a href=/slow>go</a>"))
    serve(held_back(released, "text/html", b"<title>late</title>"), "/slow")
    assert (await environment.observe()).title == "start"
    result = await environment.act(Click(target=ElementRef(selector="a")))
    assert result.ok, result.error
    observation = await environment.observe()
    assert (observation.condition, observation.title) == ("loading", "start")
    released.set()
    await becomes(environment, "late")
    released.clear()
    result = await environment.act(Goto(url=f"{serve.url}slow"))
    assert "did not answer within 1.5 s" in result.error
    await goes_on(environment, serve)
    released.set()


async def test_site_that_is_not_there(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, serve("<a href='http://127.0.0.1:9/'>dead</a>"))
    await environment.act(Click(target=ElementRef(selector="a")))
    observation = await environment.observe()
    assert observation.condition == "offline"
    assert "127.0.0.1:9" in observation.problem
    assert "net::ERR" in observation.problem
    result = await environment.act(Goto(url="http://127.0.0.1:9/"))
    assert "net::ERR" in result.error
    await goes_on(environment, serve)


async def test_unreachable_start_page(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, "http://127.0.0.1:9/")
    observation = await environment.observe()
    assert observation.condition == "offline"
    assert observation.last_error
    await goes_on(environment, serve)


async def test_pdf_and_blank(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, "about:blank")
    assert (await environment.observe()).condition == "ok"
    pdf = b"%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]>>endobj"
    url = serve((200, {"content-type": "application/pdf"}, pdf), "/file")
    result = await environment.act(Goto(url=url))
    observation = await environment.observe()
    if is_headless_shell(find_chromium()):
        assert "it is a file to download" in result.error
    else:
        assert observation.condition == "unreadable"
        assert "PDF" in observation.problem
    await goes_on(environment, serve)


async def test_a_download_does_not_stand_for_the_page(environment: BrowserEnvironment, serve: Site) -> None:
    head = {"content-type": "application/pdf", "content-disposition": "attachment; filename=a.pdf"}
    file = serve((200, head, b"%PDF-1.1"), "/file")
    await started(environment, serve("<h1>Page</h1>"))
    assert "it is a file to download" in (await environment.act(Goto(url=file))).error
    observation = await environment.observe()
    assert (observation.condition, observation.problem) == ("ok", "")
    assert any(node.name == "Page" for node in observation.nodes)


async def test_page_messages_are_collected_and_capped(environment: BrowserEnvironment, serve: Site) -> None:
    html = """<script>console.warn('careful', 7); setTimeout(() => { throw new Error('bad') });
      fetch('/missing');</script><button onclick="for (let i = 0; i < 500; i++) console.log(i)">B</button>"""
    await started(environment, serve(html))
    messages = (await environment.observe()).messages
    assert ("console", "warning", "careful 7") in [(m.kind, m.level, m.text) for m in messages]
    assert any(m.kind == "error" and "bad" in m.text for m in messages)
    assert any(m.kind == "network" and m.url.endswith("/missing") and "404" in m.text for m in messages)
    await environment.act(Click(target=ElementRef(selector="button")))
    messages = (await environment.observe()).messages
    assert [m.text for m in messages[:2]] == ["0", "1"]
    assert messages[150].text == "300 more of these were left out"
    assert [m.text for m in messages[151:]] == [str(number) for number in range(450, 500)]
    assert (await environment.observe()).messages == ()


async def test_closed_environment(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, serve("<p>x"))
    await environment.close()
    await environment.close()
    assert (await environment.observe()).condition == "closed"
    assert await environment.screenshot() is None
    assert not (await environment.act(NewTab())).ok
    with pytest.raises(EnvironmentDown, match="no page"):
        await environment.probe("() => 1")


@pytest.mark.parametrize("fault", [KeyError("editable"), ValueError("no JSON"), BadData("not a record")])
async def test_a_fault_of_ours_is_a_failed_action(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    await started(environment, serve("<form><input name=q></form>"))
    with monkeypatch.context() as broken:

        async def breaks(*_: object) -> None:
            raise fault

        broken.setattr(Elements, "prepare", breaks)
        broken.setattr(Acting, "_submit", breaks)
        broken.setattr(Navigation, "perform", breaks)
        field = ElementRef(field="q")
        for action in (
            Click(target=field),
            Type(target=field, text="x"),
            Hover(target=field),
            Submit(),
            Back(),
        ):
            result = await environment.act(action)
            assert not result.ok
            assert str(fault) in result.error
            assert ("internal fault at test_failures.py" in result.error) == (type(fault) is not BadData)
            assert (await environment.observe()).last_error == result.error
        broken.setattr(Elements, "prepare", cancels)
        with pytest.raises(asyncio.CancelledError):
            await environment.act(Click(target=field))
    await goes_on(environment, serve)


async def cancels(*_: object) -> None:
    raise asyncio.CancelledError


async def test_a_page_that_a_fault_of_ours_keeps_from_being_read(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(environment, serve("<button>B</button>"))
    with monkeypatch.context() as broken:
        broken.setattr(Snapshotter, "read", lambda *_, **__: {}["nodes"])
        observation = await environment.observe()
    assert observation.condition == "unreadable"
    assert "internal fault" in observation.problem
    await goes_on(environment, serve)
