"""Screenshots by the protocol's own call, which is several times faster than a driver's."""

from __future__ import annotations

import base64
import io
import math
import struct

from webbench.core.browser.driver import CdpSession
from webbench.core.json_types import JsonObject
from webbench.core.observation import Box, Screenshot, ScreenshotOptions

TALLEST = 16384
"""Chromium draws no more pixels than this in one direction."""

MARGIN = 48.0
"""CSS px that a picture of an element shows around it: a field's own words usually stand that near."""


async def picture(session: CdpSession, options: ScreenshotOptions) -> Screenshot:
    """Picture of the viewport, or of the whole page as far as it can be drawn."""
    metrics = await session.send("Page.getLayoutMetrics")
    view = metrics["cssVisualViewport"]
    width, height = view["clientWidth"], view["clientHeight"]
    command: JsonObject = {"format": options.format, "optimizeForSpeed": True}
    if options.format != "png":
        command["quality"] = options.quality
    if options.full_page:
        page = metrics["cssContentSize"]
        width, height = page["width"], min(page["height"], TALLEST)
        command["captureBeyondViewport"] = True
        command["clip"] = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    answer = await session.send("Page.captureScreenshot", command)
    data = base64.b64decode(answer["data"])
    across, down = size_of(data, options.format) or (round(width), round(height))
    scale = across / width if width else 1.0
    return Screenshot(data, options.format, across, down, scale, options.full_page)


def around(whole: Screenshot, box: Box) -> Screenshot | None:
    """The part of a viewport's picture with a box (CSS px) and `MARGIN` around it; None where none shows it.

    A PNG: nothing of the pixels is lost. Its origin is that of whole pixels. Slow: call it off the loop.
    """
    from PIL import Image

    with Image.open(io.BytesIO(whole.data)) as opened:
        scale, (x, y) = whole.scale or 1.0, whole.origin
        left = max(0, math.floor((box.x - MARGIN - x) * scale))
        top = max(0, math.floor((box.y - MARGIN - y) * scale))
        right = min(opened.width, math.ceil((box.x + box.width + MARGIN - x) * scale))
        bottom = min(opened.height, math.ceil((box.y + box.height + MARGIN - y) * scale))
        if not box.intersects(x + opened.width / scale, y + opened.height / scale):
            return None
        part, encoded = opened.crop((left, top, right, bottom)), io.BytesIO()
    part.save(encoded, "PNG", compress_level=1)
    origin = (x + left / scale, y + top / scale)
    return Screenshot(encoded.getvalue(), "png", part.width, part.height, scale, origin=origin)


def part_words(part: Screenshot) -> str:
    """Which part of the viewport a picture shows; points of actions stay those of the viewport."""
    (left, top), scale = part.origin, part.scale or 1.0
    right, bottom = left + part.width / scale, top + part.height / scale
    return f"the picture shows the viewport from ({left:g}, {top:g}) to ({right:g}, {bottom:g})"


def size_of(data: bytes, format: str) -> tuple[int, int] | None:
    """Width and height from the picture's own header, None where it is not understood."""
    if format == "png" and data[12:16] == b"IHDR":
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if format == "webp":
        return _webp_size(data)
    return _jpeg_size(data) if format == "jpeg" else None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None
