"""What pages are told of their visitor: language, time zone and place, in every part of a page."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, done
from webbench.core.action.action import Click
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.visiting import as_set, asked_visitor, seen_visitor
from webbench.core.environment import EnvironmentSetup
from webbench.core.observation import Visitor
from webbench.core.settings.settings import BrowserSettings

TOLD = "[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone].join(' ')"
PAGE = f"""<title>where</title><button>open</button>
<iframe srcdoc="<script>parent.tell('frame ' + {TOLD})</script>"></iframe><ul></ul>
<script>
  function tell(text) {{ document.querySelector('ul').innerHTML += '<li>' + text + '</li>'; }}
  tell('page ' + {TOLD} + ' ' + (1234.5).toLocaleString());
  const source = new Blob(["postMessage({TOLD})"]);
  new Worker(URL.createObjectURL(source)).onmessage = (said) => tell('worker ' + said.data);
  navigator.geolocation.getCurrentPosition(
    ({{coords}}) => tell(['at', coords.latitude, coords.longitude].join(' ')), () => tell('at nowhere'));
  document.querySelector('button').onclick = () => open('/popup');
</script>"""
POPUP = f"<title>popup</title><p></p><script>document.querySelector('p').textContent = {TOLD}</script>"


SAID = "() => [...document.querySelectorAll('li, p')].map((one) => one.innerText)"


async def told(world: BrowserEnvironment, count: int) -> list[str]:
    """What stands on the page once it says so much."""
    async with asyncio.timeout(10):
        while True:
            said = await world.probe(SAID)
            if isinstance(said, list) and len(said) >= count:
                return sorted(map(str, said))
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "driven", ["playwright", pytest.param("selenium", marks=pytest.mark.thorough)], indirect=True
)
async def test_all_of_a_page_is_told_the_same_and_nothing_of_it_stays(
    driven: BrowserEnvironment, serve: Site
) -> None:
    setup = EnvironmentSetup(
        start_urls=(serve(PAGE, "/where"),), locale="de-DE", timezone="Asia/Tokyo", region="Europe/Berlin"
    )
    serve(POPUP, "/popup")
    await driven.reset(setup)
    assert await told(driven, 4) == [
        "at 52.5 13.3667",
        "frame de-DE Asia/Tokyo",
        "page de-DE Asia/Tokyo 1.234,5",
        "worker de-DE Asia/Tokyo",
    ]
    seen = await driven.visitor()
    assert msgspec.structs.replace(seen, browser="") == Visitor(
        locale="de-DE",
        timezone="Asia/Tokyo",
        region="Europe/Berlin",
        position=(52.5, 13.3667),
        system="Linux",
    )
    assert "Chrome" in seen.browser
    await done(driven, Click(target=css("button")))
    assert await told(driven, 1) == ["de-DE Asia/Tokyo"]

    beside = driven.browser.environment()
    try:
        await beside.reset(EnvironmentSetup(start_urls=(serve(PAGE, "/where"),), locale="fr-FR"))
        others = await told(beside, 4)
        assert others[0] == "at nowhere"
        assert all("Tokyo" not in one for one in others)
        assert all("fr-FR" in one for one in others[1:])
    finally:
        await beside.close()


def test_what_a_user_sets_goes_before_what_a_benchmark_pins_and_that_is_told() -> None:
    pinned = EnvironmentSetup(timezone="UTC", region="US")
    assert as_set(pinned, BrowserSettings()) == (pinned, [])
    setup, gave_way = as_set(pinned, BrowserSettings(locale="de-DE", timezone="Asia/Tokyo", region="US"))
    assert (setup.locale, setup.timezone, setup.region) == ("de-DE", "Asia/Tokyo", "US")
    assert gave_way == [
        "pages are told the time zone Asia/Tokyo, by your settings; the benchmark's own is UTC"
    ]


def test_of_a_browser_that_is_joined_only_what_its_page_says_is_known() -> None:
    joined = EnvironmentSetup(joins=True)
    setup, told = as_set(joined, BrowserSettings(locale="de-DE", region="DE"))
    assert setup == joined
    assert told == [
        f"pages are not told the {what} of your settings: their browser is the task's own"
        for what in ("locale de-DE", "region DE")
    ]
    assert asked_visitor(setup) == Visitor()
    seen = seen_visitor(setup, ["en-GB", "UTC", "X11; Linux Firefox/1"])
    assert (seen.locale, seen.timezone, seen.region, seen.position) == ("en-GB", "UTC", "", None)
