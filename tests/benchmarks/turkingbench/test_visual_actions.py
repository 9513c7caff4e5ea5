"""The visual actions of the paper's Table 3, through real mouse and keyboard of a display."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image

from tests.conftest import Site
from tests.displays import need_xvfb
from webbench.benchmarks.turkingbench.dialect import create
from webbench.core.action.action import CaptureScreen
from webbench.core.browser.desktop.display import Display
from webbench.core.browser.launch import LaunchOptions, launch
from webbench.core.dialects.dialect import ParseError
from webbench.core.environment import EnvironmentSetup, StepResult
from webbench.core.observation import Screenshot, ScreenshotOptions

FORM = """<!doctype html><title>Task</title><body style="margin:0;height:4000px">
<textarea name=summary style="position:absolute;left:100px;top:60px;width:400px;height:80px"></textarea>
<select name=country style="position:absolute;left:100px;top:200px;width:200px">
  <option>Norway<option>Sweden<option>Denmark</select>
<script>for (const kind of ['mousedown', 'keydown', 'wheel'])
  addEventListener(kind, (event) => { document.body.dataset[kind] = event.isTrusted; }, true);</script>"""

RED = (255, 0, 0)
WINDOW = """
import sys
from Xlib import Xatom
from Xlib.display import Display
display = Display()
screen = display.screen()
place = (int(sys.argv[1]), int(sys.argv[2]), 60, 60, 0, screen.root_depth)
window = screen.root.create_window(*place, override_redirect=1, background_pixel=0xff0000)
kind, menu = map(display.intern_atom, ("_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_MENU"))
window.change_property(kind, Xatom.ATOM, 32, [menu])
window.map()
display.sync()
print("shown", flush=True)
sys.stdin.read()
"""


def picture(shot: Screenshot | None) -> Image.Image:
    assert shot is not None
    return Image.open(io.BytesIO(shot.data)).convert("RGB")


@contextmanager
def red_window(display: Display, left: int, top: int) -> Iterator[None]:
    """A menu that no page draws, before the browser on the same display."""
    process = subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(left), str(top)],
        env=display.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline()
        yield
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


async def test_an_episode_by_sight_alone(serve: Site) -> None:
    need_xvfb()
    dialect = create()
    async with launch(LaunchOptions(input="desktop")) as browser:
        world = browser.environment()
        await world.reset(EnvironmentSetup(start_urls=(serve(FORM),)))

        async def act(text: str) -> StepResult:
            action = dialect.parse(text)
            assert not isinstance(action, ParseError)
            result = await world.act(action)
            assert result.ok, result.error
            return result

        assert (await act("maximize()")).output.startswith("the viewport is 19")
        await act("click(150, 80)")
        said = await act('type("It is 5 > 3 – naïve")')
        assert said.output == "inserted as text, not typed: no key types '–ï'"
        assert await world.probe("() => document.querySelector('textarea').value") == "It is 5 > 3 – naïve"

        await act("click(150, 210)")
        await act("wait(0.5)")
        assert (await act("capture_screen()")).action == CaptureScreen()
        assert len(picture(await world.screenshot()).crop((105, 225, 295, 265)).getcolors(9999) or ()) > 1
        await act('press("ArrowDown")')
        await act('press("Enter")')
        assert await world.probe("() => document.querySelector('select').value") == "Sweden"

        assert browser.desktop is not None
        with red_window(browser.desktop.display, 600, 600):
            await act("capture_screen()")
            assert picture(await world.screenshot()).getpixel((620, 540)) == RED
            await act("wait(0)")
            assert (
                picture(await world.screenshot(ScreenshotOptions(format="png"))).getpixel((620, 540)) != RED
            )

        await act("scroll(0, 250)")
        assert await world.probe("() => scrollY") == 250
        await act("scroll_down()")
        assert await world.probe("() => scrollY > 1000")
        told = await world.probe("() => ({...document.body.dataset})")
        assert told == {"mousedown": "true", "keydown": "true", "wheel": "true"}
