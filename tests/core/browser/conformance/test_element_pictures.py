"""A picture around an element: the part of the viewport with it, and where that part begins."""

from __future__ import annotations

import asyncio
import io

import msgspec
from PIL import Image

from tests.conftest import Site
from tests.core.browser.acts import css, done, id_of, opened, refused
from webbench.core.action.action import CaptureScreen, ClickAt
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.seeing.screenshot import MARGIN
from webbench.core.observation import Observation, ScreenshotOptions

PNG = ScreenshotOptions(format="png")
BUTTON = """<button style="position: absolute; left: 90px; top: %(top)spx; width: 120px; height: 40px;
  border: 0;
  border-radius: 0; background: %(colour)s; color: %(colour)s"
  onclick="this.textContent = 'hit'">%(colour)s</button>
<div style="height: 3000px"></div>"""
FRAME = (
    "<iframe src=%s style='position: absolute; left: 300px; top: %spx; width: 400px; height: 300px'></iframe>"
)
COLOURS = {"red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255)}


async def with_all_frames(world: BrowserEnvironment) -> Observation:
    async with asyncio.timeout(20):
        while True:
            seen = await world.observe()
            if sum(node.role == "button" for node in seen.nodes) == len(COLOURS):
                return seen
            await asyncio.sleep(0.05)


async def test_what_is_around_an_element_is_pictured_in_any_frame(
    each_hand: BrowserEnvironment, serve: Site
) -> None:
    world = each_hand
    serve(BUTTON % {"colour": "lime", "top": 700}, "/near")
    serve(BUTTON % {"colour": "blue", "top": 900}, "/far")
    frames = FRAME % ("/near", 1500) + FRAME % (f"{serve.other_origin}far", 2400)
    url = serve("<body style='margin: 0'>" + BUTTON % {"colour": "red", "top": 1000} + frames)
    await opened(world, url)
    for name, colour in COLOURS.items():
        target = id_of(await with_all_frames(world), "button", name)
        result = await done(world, CaptureScreen(target=target))
        assert isinstance(result.action, CaptureScreen)
        assert result.action.target is not None
        assert result.action.target.selector
        seen, shot = await world.observe(), await world.screenshot(PNG)
        assert shot is not None
        node = seen.node(target.id or 0)
        assert node is not None
        assert node.box is not None
        left, top = shot.origin
        right, bottom = left + shot.width / shot.scale, top + shot.height / shot.scale
        assert abs(node.box.x - left - MARGIN) <= 2
        assert abs(right - node.box.x - node.box.width - MARGIN) <= 2
        assert top <= node.box.y <= top + MARGIN + 2
        assert f"({left:g}, {top:g})" in result.output
        now = await world.screenshot(msgspec.structs.replace(PNG, anew=True))
        assert now is not None
        assert (now.origin, now.width > shot.width) == ((0, 0), True)
        assert await world.screenshot(PNG) == shot
        picture = Image.open(io.BytesIO(shot.data)).convert("RGB")
        place = [(node.box.x + 5 - left) * shot.scale, (node.box.y + 5 - top) * shot.scale]
        assert picture.getpixel((round(place[0]), round(place[1]))) == colour
        assert colour in {found for _, found in picture.getcolors(100_000) or ()}
        x, y = node.box.centre
        await done(world, ClickAt(x=x, y=y))
        assert any(one.name == "hit" and one.id == node.id for one in (await world.observe()).nodes)
        whole = await world.screenshot(PNG)
        assert whole is not None
        assert whole.origin == (0, 0)
        assert whole.width > shot.width
        assert bottom <= seen.viewport.height + 1


async def test_what_draws_nothing_is_not_pictured(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve("<p hidden id=none>nothing</p><p>something</p>"))
    assert "is hidden" in await refused(environment, CaptureScreen(target=css("#none")))
    whole = await environment.screenshot(PNG)
    assert whole is not None
    assert whole.origin == (0, 0)
