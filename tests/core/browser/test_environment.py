"""What an episode's setup asks for is what the page gets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.conftest import Site
from webbench.core.action import Click, ElementRef
from webbench.core.browser.environment import BrowserEnvironment
from webbench.core.browser.gate import Gate
from webbench.core.browser.launch import Browser
from webbench.core.browser.playwright_browser import PlaywrightBrowser
from webbench.core.browser.settle import Patience
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import ActionFailed, BadData, EnvironmentDown
from webbench.core.observation import ScreenshotOptions, Viewport


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


async def test_environments_of_one_browser_share_nothing(chromium: Browser, serve: Site) -> None:
    url = serve("<script>document.title = localStorage.x || 'empty'; localStorage.x = 'used'</script>")
    worlds = [chromium.environment() for _ in range(3)]
    await asyncio.gather(*(world.reset(EnvironmentSetup(start_urls=(url,))) for world in worlds))
    assert [(await world.observe()).title for world in worlds] == ["empty"] * 3
    await worlds[0].reset(EnvironmentSetup(start_urls=(url,)))
    assert (await worlds[0].observe()).title == "empty"
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
