"""What an episode's setup asks for is what the page gets."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Literal

import pytest

from tests.conftest import Site
from tests.core.browser.acts import id_of
from webbench.core.action.action import Click, ElementRef, Noop
from webbench.core.browser.acting.settle import Patience
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.driver import ContextOptions
from webbench.core.browser.launch import Browser
from webbench.core.browser.network.request_filter import Gate
from webbench.core.browser.playwright.browser import PlaywrightBrowser
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import ActionFailed, BadData, EnvironmentDown
from webbench.core.observation import ObservationOptions, ScreenshotOptions, Viewport
from webbench.core.renderings.observation_json import as_json
from webbench.core.renderings.webarena import webarena_text


async def test_script_login_language_and_size(
    environment: BrowserEnvironment, serve: Site, tmp_path: Path
) -> None:
    state = tmp_path / "state.json"
    cookie = {"name": "who", "value": "ada", "domain": "127.0.0.1", "path": "/", "expires": -1}
    rest = {"httpOnly": False, "secure": False, "sameSite": "Lax"}
    state.write_text(json.dumps({"cookies": [{**cookie, **rest}], "origins": []}))
    setup = EnvironmentSetup(
        start_urls=(serve("<p>x"),),
        viewport=Viewport(width=800, height=500),
        init_script="window.early = document.readyState",
        storage_state=state,
        locale="de-DE",
        timezone="Asia/Tokyo",
    )
    await environment.reset(setup)
    script = (
        "() => [document.cookie, navigator.language, innerWidth, innerHeight, new Date().getTimezoneOffset()]"
    )
    assert await environment.probe(script) == ["who=ada", "de-DE", 800, 500, -540]
    with pytest.raises(BadData, match="is not there"):
        await environment.reset(EnvironmentSetup(storage_state=tmp_path / "absent.json"))


async def test_a_context_that_cannot_be_prepared_is_not_left_open(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_: Gate, __: object) -> None:
        raise ActionFailed("no route")

    monkeypatch.setattr(Gate, "guard", fails)
    connected = await chromium.connected()
    assert isinstance(connected, PlaywrightBrowser)
    before = len(connected.browser.contexts)
    with pytest.raises(EnvironmentDown, match="no fresh browser context: no route"):
        await chromium.environment().reset(EnvironmentSetup())
    assert len(connected.browser.contexts) == before


async def test_a_context_closes_even_where_nobody_waits_for_it(chromium: Browser, serve: Site) -> None:
    """A page that holds its closing up would else stay in the browser that all episodes share, at work."""
    url = serve("<title>held up</title>" + "<iframe src='/plain'></iframe>" * 40)
    context = await (await chromium.connected()).context(ContextOptions())
    page = await context.new_page()
    await page.attach()
    await page.session.send("Page.navigate", {"url": url})
    closing = asyncio.create_task(context.close())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    closing.cancel()
    async with asyncio.timeout(30):
        while page.frame_id in [
            target["targetId"] for target in (await context.session.send("Target.getTargets"))["targetInfos"]
        ]:
            await asyncio.sleep(0.05)


async def test_environments_of_one_browser_share_nothing(chromium: Browser, serve: Site) -> None:
    url = serve("<script>document.title = localStorage.x || 'empty'; localStorage.x = 'used'</script>")
    worlds = [chromium.environment() for _ in range(3)]
    try:
        await asyncio.gather(*(world.reset(EnvironmentSetup(start_urls=(url,))) for world in worlds))
        assert [(await world.observe()).title for world in worlds] == ["empty"] * 3
        await worlds[0].reset(EnvironmentSetup(start_urls=(url,)))
        assert (await worlds[0].observe()).title == "empty"
    finally:
        await asyncio.gather(*(world.close() for world in worlds))


@pytest.mark.parametrize("format", ["png", "jpeg", "webp"])
async def test_screenshots(environment: BrowserEnvironment, serve: Site, format: str) -> None:
    from io import BytesIO

    from PIL import Image

    html = "<body style='margin:0;background:#ff0000'><p style='height:2000px'>x"
    await environment.reset(EnvironmentSetup(start_urls=(serve(html),), viewport=Viewport(600, 400)))
    for full_page in (False, True):
        shot = await environment.screenshot(ScreenshotOptions(format=format, full_page=full_page))  # type: ignore[arg-type]
        assert shot is not None
        image = Image.open(BytesIO(shot.data))
        assert (image.format or "").lower() == format
        assert (shot.width, shot.height, shot.scale) == (*image.size, 1.0)
        assert shot.width == 600
        assert shot.height == 400 if not full_page else shot.height > 2000
        red, green, blue = image.convert("RGB").getpixel((300, 300))  # type: ignore[misc]
        assert red > 240
        assert green < 20
        assert blue < 20


async def test_probe_runs_beside_the_page(environment: BrowserEnvironment, serve: Site) -> None:
    html = "<title>t</title><script>window.secret = 1; document.querySelector = null</script><p id=p>text"
    await environment.reset(EnvironmentSetup(start_urls=(serve(html),)))
    script = "(n) => [document.querySelector('p').textContent, typeof window.secret, n.deep]"
    assert await environment.probe(script, {"deep": ["ü", None, 1.5]}) == [
        "text",
        "undefined",
        ["ü", None, 1.5],
    ]
    assert await environment.probe("async () => (await Promise.resolve(3))") == 3
    with pytest.raises(EnvironmentDown, match="boom"):
        await environment.probe("() => { throw new Error('boom') }")


async def test_settling_waits_for_what_the_action_started(
    environment: BrowserEnvironment, serve: Site
) -> None:
    def late(_: str) -> tuple[int, dict[str, str], bytes]:
        import time

        time.sleep(0.4)
        return 200, {"content-type": "text/plain"}, b"answer"

    serve(late, "/late")
    html = """<button id=a
        onclick="fetch('/late').then((r) => r.text()).then((t) => { document.title = t })">a</button>
      <button id=b onclick="setTimeout(() => { location.href = '/next' }, 0)">b</button>
      <button id=c onclick="let n = 0; const i = setInterval(() => { document.title = ++n;
        if (n === 20) clearInterval(i) }, 10)">c</button>"""
    serve("<title>next</title>", "/next")
    environment.patience = Patience(quiet=0.2)  # on a busy machine a page's 10 ms may be 50
    for selector, title in (("#a", "answer"), ("#c", "20"), ("#b", "next")):
        await environment.reset(EnvironmentSetup(start_urls=(serve(html),)))
        assert (await environment.act(Click(target=ElementRef(selector=selector)))).ok
        assert (await environment.observe()).title == title


async def test_a_page_whose_parts_are_under_way_says_that_it_changes(
    environment: BrowserEnvironment, serve: Site
) -> None:
    asked_for = threading.Event()

    def late(_: str) -> tuple[int, dict[str, str], bytes]:
        asked_for.wait(30)
        return 200, {"content-type": "text/javascript"}, b"document.title = 'drawn'"

    serve(late, "/late.js")
    html = """<title>t</title><button onclick="const part = document.createElement('script');
      part.src = '/late.js'; document.head.append(part)">draw</button>"""
    await environment.reset(EnvironmentSetup(start_urls=(serve(html),)))
    assert not (await environment.observe()).changing
    environment.patience = Patience(requests=0.05)
    assert (await environment.act(Click(target=ElementRef(selector="button")))).ok
    seen = await environment.observe()
    assert (seen.title, seen.changing) == ("t", True)
    assert (await environment.act(Noop())).ok
    assert (await environment.observe()).changing
    asked_for.set()
    async with asyncio.timeout(30):
        while (await environment.observe()).title != "drawn":
            await asyncio.sleep(0.01)
    assert not (await environment.observe()).changing


@pytest.mark.parametrize("prefer", ["script", "cdp"])
async def test_a_page_that_is_too_large_is_cut_and_says_so(
    environment: BrowserEnvironment,
    serve: Site,
    monkeypatch: pytest.MonkeyPatch,
    prefer: Literal["script", "cdp"],
) -> None:
    monkeypatch.setattr("webbench.core.browser.seeing.world_reader.MOST_NODES", 40)
    links = "".join(f"<p style='height:50px'><a href=/{number}>link {number}</a>" for number in range(100))
    await environment.reset(EnvironmentSetup(start_urls=(serve(links),)))
    options = ObservationOptions(prefer=prefer)
    whole = await environment.observe(ObservationOptions(prefer=prefer, whole=True))
    cut = await environment.observe(options)
    assert (whole.left_out, cut.left_out) == (0, len(whole.nodes) - len(cut.nodes))
    assert [node.id for node in cut.nodes[:40]] == [node.id for node in whole.nodes[:40]]
    assert f"Too large: {cut.left_out} more nodes were left out" in webarena_text(cut)
    assert json.loads(as_json(cut))["left_out"] == cut.left_out
    await environment.probe("() => scrollTo(0, 1e6)")
    there = await environment.observe(options)
    assert any(node.name == "link 99" for node in there.nodes), "what the viewport shows is never left out"
    assert not any(node.name == "link 60" for node in there.nodes)
    assert (await environment.act(Click(target=id_of(there, "link", "link 99")))).ok
