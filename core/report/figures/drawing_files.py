"""Drawings as files for papers and slides: SVG, and PNG where there is a browser to paint them."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from webbench.core.browser.driver import SCORED, ContextOptions, DriverPage
from webbench.core.browser.launch import launch
from webbench.core.exchange.atomic_output import appearing
from webbench.core.observation import Viewport

SCALE = 2.0
"""Pixels of a PNG per pixel of its drawing."""

_BOX = """(() => {
  const { x, y, width, height } = document.querySelector("svg").getBoundingClientRect();
  return { x: x + scrollX, y: y + scrollY, width, height };
})()"""


def write_drawings(
    folder: Path, drawn: Mapping[str, Markup], painted: Mapping[str, bytes], *, force: bool = False
) -> list[Path]:
    """A folder of `<name>.svg` and `<name>.png`; the files in it. Raises as `appearing`."""
    with appearing(folder, force=force) as made:
        made.mkdir()
        for name, picture in drawn.items():
            (made / f"{name}.svg").write_text(str(picture), "utf-8")
        for name, data in painted.items():
            (made / f"{name}.png").write_bytes(data)
    return sorted(folder.expanduser().iterdir())


async def paint(drawn: Mapping[str, Markup]) -> dict[str, bytes]:
    """Every drawing as a PNG. Raises `EnvironmentDown` where no browser can be started."""
    async with launch() as browser:
        connected = await browser.connected()
        context = await connected.context(ContextOptions(viewport=Viewport(1400, 900)))
        page = await context.new_page()
        await page.attach(SCORED)
        await page.session.send("Emulation.setScriptExecutionDisabled", {"value": True})
        return {name: await _painted(page, picture) for name, picture in drawn.items()}


async def _painted(page: DriverPage, picture: Markup) -> bytes:
    content = {"frameId": page.frame_id, "html": str(picture)}
    await page.session.send("Page.setDocumentContent", content)
    box = await page.session.send("Runtime.evaluate", {"expression": _BOX, "returnByValue": True})
    clip = {**box["result"]["value"], "scale": SCALE}
    shot = {"format": "png", "clip": clip, "captureBeyondViewport": True}
    answer = await page.session.send("Page.captureScreenshot", shot)
    return base64.b64decode(answer["data"])
