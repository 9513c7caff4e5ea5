"""An environment with real mouse and keyboard: windows, pixel ratios, its display's end, and its owner's."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.conftest import Site
from tests.core.browser.acts import css, done, value
from tests.displays import need_xvfb
from webbench.core.action.action import Click, ClickAt, FocusTab, Maximize, Scroll, Type
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser, LaunchOptions, launch
from webbench.core.browser.starting.reaper import alive
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown
from webbench.core.observation import Viewport

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("xvfb"),
]

OWNER = """
import asyncio
from webbench.core.browser.launch import LaunchOptions, launch

async def main():
    async with launch(LaunchOptions(input="desktop")) as browser:
        print(browser.pid, *browser.desktop.pids, flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""
HITS = """<body style="margin:0;height:3000px"><input id=text style="position:absolute;left:20px;top:20px">
<button id=pop style="position:absolute;left:20px;top:60px"
  onclick="window.open('/popup', 'p', 'width=640,height=480,left=420,top=310')">Window</button>
<p id=hit></p><script>addEventListener('pointerdown', (event) => {
  document.getElementById('hit').textContent = `${event.clientX} ${event.clientY} ${event.isTrusted}`; })
</script>"""


@pytest.fixture(scope="module")
def xvfb() -> None:
    need_xvfb()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(xvfb: None) -> AsyncIterator[Browser]:
    async with launch(LaunchOptions(input="desktop")) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="module")
async def world(browser: Browser) -> AsyncIterator[BrowserEnvironment]:
    """Closed whatever becomes of its test: its windows would lie over those of the next."""
    one = browser.environment()
    yield one
    await one.close()


async def hit(world: BrowserEnvironment, x: float, y: float) -> None:
    """Click there, and have the page tell that it was there."""
    await done(world, ClickAt(x=x, y=y))
    told = (await value(world, "#hit", "textContent")).split()
    assert told[2] == "true"
    assert abs(float(told[0]) - x) < 1
    assert abs(float(told[1]) - y) < 1


async def test_a_second_window_at_its_own_place_and_the_first_again(
    world: BrowserEnvironment, serve: Site
) -> None:
    serve(HITS, "/popup")
    await world.reset(EnvironmentSetup(start_urls=(serve(HITS),)))
    await done(world, Click(target=css("#pop")))
    assert (await world.observe()).url.endswith("/popup")
    await hit(world, 333.3, 222.2)
    result = await done(world, Type(target=css("#text"), text="Grüße"))
    assert result.output == "inserted as text, not typed: no key types 'üß'"
    await done(world, FocusTab(index=0))
    await hit(world, 1201.5, 650)
    assert await value(world, "#text") == ""


async def test_pixel_ratio_and_another_viewport_are_shown_as_asked(
    world: BrowserEnvironment, serve: Site
) -> None:
    viewport = Viewport(width=900, height=600, device_pixel_ratio=2)
    await world.reset(EnvironmentSetup(start_urls=(serve(HITS),), viewport=viewport))
    assert await world.probe("() => [innerWidth, innerHeight, devicePixelRatio]") == [900, 600, 2]
    await hit(world, 700.4, 411.7)
    error = (await world.act(ClickAt(x=901, y=5))).error
    assert "outside the viewport of 900 x 600" in error
    await done(world, Maximize())
    await hit(world, 1500, 900)
    await done(world, Scroll(dy=310))
    assert await world.probe("() => scrollY") == 310


@pytest.mark.thorough
async def test_a_page_larger_than_the_display_is_refused_in_words(world: BrowserEnvironment) -> None:
    huge = EnvironmentSetup(viewport=Viewport(width=300, height=400))
    with pytest.raises(EnvironmentDown, match="the window can't show a page of 300 x 400, only"):
        await world.reset(huge)


@pytest.mark.thorough
@pytest.mark.parametrize("factor", [1.25, 2])
async def test_a_display_of_another_scale(serve: Site, factor: float) -> None:
    switch = f"--force-device-scale-factor={factor}"
    options = LaunchOptions(input="desktop", extra_args=(switch,), screen=(2800, 2000))
    async with launch(options) as browser:
        world = browser.environment()
        await world.reset(EnvironmentSetup(start_urls=(serve(HITS),)))
        assert await world.probe("() => [innerWidth, innerHeight]") == [1280, 720]
        for x, y in ((1279, 719), (640.3, 333.4), (700, 200)):
            await hit(world, x, y)
        await done(world, Scroll(dy=250))
        assert await world.probe("() => Math.round(scrollY)") == 250


@pytest.mark.thorough
@pytest.mark.parametrize("which", [0, -1], ids=["hand", "display"])
async def test_what_dies_is_had_anew(serve: Site, which: int) -> None:
    async with launch(LaunchOptions(input="desktop")) as browser:
        world = browser.environment()
        await world.reset(EnvironmentSetup(start_urls=(serve(HITS),)))
        assert browser.desktop is not None
        os.kill(browser.desktop.pids[which], signal.SIGKILL)
        for _ in range(200):
            if not browser.alive or not browser.desktop.alive:
                break
            await asyncio.sleep(0.05)
        assert not (await world.act(ClickAt(x=5, y=5))).ok
        await world.reset(EnvironmentSetup(start_urls=(serve(HITS),)))
        await hit(world, 700, 400)


async def test_browser_display_and_hand_die_with_their_owner() -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pids = [int(pid) for pid in owner.stdout.readline().split()]
    assert len(pids) == 3
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    deadline = time.monotonic() + 30
    while any(map(alive, pids)) and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    assert not [pid for pid in pids if alive(pid)]


@pytest.mark.thorough
async def test_an_existing_display_serves_one_at_a_time(browser: Browser, tmp_path: Path) -> None:
    assert browser.desktop is not None
    name = browser.desktop.display.name
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XAUTHORITY", str(browser.desktop.display.authority))
        async with launch(LaunchOptions(input="desktop", display=name)) as first:
            assert first.desktop is not None
            assert not first.desktop.display.private
            with pytest.raises(EnvironmentDown, match=f"another episode has .* the display {name}"):
                async with launch(LaunchOptions(input="desktop", display=name)):
                    pass
