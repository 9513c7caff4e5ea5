"""Drawings as files for papers and slides: SVG, and PNG where there is a browser to paint them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from webbench.core.browser.launch import launch
from webbench.core.exports.writing import appearing

SCALE = 2.0
"""Pixels of a PNG per pixel of its drawing."""


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
    painted: dict[str, bytes] = {}
    async with launch() as browser:
        connected = await browser.connected()
        context = await connected.new_context(
            java_script_enabled=False, offline=True, device_scale_factor=SCALE
        )
        page = await context.new_page()
        for name, picture in drawn.items():
            await page.set_viewport_size({"width": 1400, "height": 900})
            await page.set_content(str(picture))
            painted[name] = await page.locator("svg").screenshot(type="png")
        await context.close()
    return painted
