"""What a task and its evaluator ask of a world comes out alike, whatever drives it."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tests.conftest import Answer, Site
from tests.core.browser.acts import css, done
from webbench.core.action.action import Click, Goto
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup, Exchange, ExchangeLog
from webbench.core.errors import EnvironmentDown
from webbench.core.observation import Viewport

SHOP = """<title>shop</title><button>buy</button><script>
  document.querySelector('button').onclick = async () => {
    const answer = await fetch('/cart', {method: 'POST', body: JSON.stringify({item: 'lamp ä'}),
      headers: {'content-type': 'application/json', 'x-csrf-token': 'secret'}});
    document.title = (await answer.json()).state;
  };
</script>"""
FACTS = """() => [innerWidth, innerHeight, devicePixelRatio, navigator.language,
  Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).toLocaleDateString(), globalThis.mark ?? "",
  document.hasFocus(), document.visibilityState, localStorage.getItem('cart'), document.cookie]"""


def cart(_: str) -> Answer:
    return 200, {"content-type": "application/json", "set-cookie": "cart=1; Path=/"}, b'{"state": "bought"}'


def moved(_: str) -> Answer:
    return 302, {"location": "/shop", "set-cookie": "hop=first; Path=/"}, b""


async def exchanged(world: BrowserEnvironment, serve: Site) -> list[Exchange]:
    """What a purchase exchanges, without what differs from one browser to the next."""
    log = ExchangeLog()
    await world.reset(EnvironmentSetup(start_urls=(serve(moved, "/old"),), exchanges=log))
    await done(world, Click(target=css("button")))
    async with asyncio.timeout(10):
        while (await world.observe()).title != "bought":
            await asyncio.sleep(0.02)
    kept = ("content-type", "referer", "origin")
    return [
        msgspec.structs.replace(
            one, headers={name: one.headers[name] for name in kept if name in one.headers}
        )
        for one in await log.read()
        if "favicon" not in one.url
    ]


async def test_the_network_is_told_alike(
    environment: BrowserEnvironment, other: BrowserEnvironment, serve: Site
) -> None:
    serve(SHOP, "/shop")
    serve.pages["/cart"] = cart
    expected = await exchanged(environment, serve)
    assert [(one.method, one.status) for one in expected] == [("GET", 302), ("GET", 200), ("POST", 200)]
    assert expected[0].cookies == {"hop": "first"}
    assert (expected[2].cookies, expected[2].sent.text) == ({"cart": "1"}, '{"item":"lamp ä"}')
    assert await exchanged(other, serve) == expected


async def test_size_place_and_logins_are_as_asked_for(world: BrowserEnvironment, serve: Site) -> None:
    page = serve("<title>facts</title>")
    origin = serve.url.rstrip("/")
    cookie = {"name": "who", "value": "me", "domain": "127.0.0.1", "path": "/", "expires": -1}
    cookie |= {"httpOnly": False, "secure": False, "sameSite": "Lax"}
    stored = {"origin": origin, "localStorage": [{"name": "cart", "value": "full"}]}
    setup = EnvironmentSetup(
        start_urls=(page,),
        viewport=Viewport(width=800, height=613, device_pixel_ratio=1.5),
        locale="de-DE",
        timezone="Asia/Tokyo",
        init_script="globalThis.mark = 'mine'; document.documentElement?.setAttribute('data-mark', mark)",
        storage_state={"cookies": [cookie], "origins": [stored]},
    )
    await world.reset(setup)
    state = await world.storage_state()
    facts = await world.probe(FACTS, None)
    size = [800, 613, 1.5]
    assert facts[3:6] == ["de-DE", "Asia/Tokyo", "1.1.1970"]
    assert facts[7:] == [True, "visible", "full", "who=me"]
    assert facts[:3] == size or "desktop" in world.browser.options.driving
    assert state["origins"] == [stored]
    assert [msgspec.json.encode(one, order="sorted") for one in state["cookies"]] == [
        msgspec.json.encode(cookie, order="sorted")
    ]


async def test_a_time_zone_that_there_is_not_is_refused(world: BrowserEnvironment) -> None:
    with pytest.raises(EnvironmentDown, match="Mars/Base"):
        await world.reset(EnvironmentSetup(timezone="Mars/Base"))
    await world.reset(EnvironmentSetup())
    await done(world, Goto(url="about:blank"))
