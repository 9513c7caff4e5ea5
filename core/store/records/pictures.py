"""Screenshots as they are archived: PNG becomes lossless WebP, off the loop; anything else is kept."""

from __future__ import annotations

import io

from webbench.core.errors import BadData
from webbench.core.observation import Screenshot
from webbench.core.store.records.blobs import BlobStore, PictureFormat

TEXT = {"method": 1, "quality": 10}
"""How hard WebP tries: at 1280x720 about 20 ms and two fifths of the PNG's size for a page of text. Trying as
hard as by default takes three times as long, and gets to a quarter."""

PHOTOGRAPHS = {"method": 0, "quality": 0}
"""For pictures with few repeated pixels this is twelve times as fast as the default, and smaller."""

MANY_BYTES = 0.3
"""Bytes per pixel of a PNG that must be of photographs: pages of text have 0.07 to 0.17."""

LARGEST_SIDE = 16_383
"""Pixels; WebP has no room for more, so longer pages stay PNG."""


def archive(blobs: BlobStore, name: str) -> bool:
    """Re-encode the PNG called `name`; whether it is WebP afterwards.

    A picture that WebP can't hold without loss, or that would not get smaller, stays as it is.
    """
    data, encoding = blobs.get_picture(name)
    if encoding != "png":
        return encoding == "webp"
    webp = lossless_webp(data)
    if webp is None or len(webp) >= len(data):
        return False
    blobs.replace_picture(name, webp)
    return True


def lossless_webp(png: bytes) -> bytes | None:
    """The same pixels as WebP, or None where WebP can't hold them."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
            if picture.mode not in ("RGB", "RGBA") or max(picture.size) > LARGEST_SIDE:
                return None
            width, height = picture.size
            effort = PHOTOGRAPHS if len(png) > MANY_BYTES * width * height else TEXT
            encoded = io.BytesIO()
            picture.save(encoded, "WEBP", lossless=True, exact=True, **effort)
            return encoded.getvalue()
    except (OSError, ValueError, Image.DecompressionBombError):
        return None


def as_png(picture: bytes, name: str) -> bytes:
    """The same pixels as PNG. Raises `BadData` for what is no picture; `name` is for the message."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(picture), formats=("WEBP", "PNG", "JPEG")) as opened:
            encoded = io.BytesIO()
            opened.save(encoded, "PNG", compress_level=1)
            return encoded.getvalue()
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise BadData(f"The picture {name[:12]}… can't be read: {error}") from error


def screenshot(
    data: bytes,
    format: PictureFormat,
    scale: float,
    full_page: bool,
    origin: tuple[float, float] = (0.0, 0.0),
) -> Screenshot:
    """A stored picture with its size read from its own header; 0x0 where there is none."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as picture:
            width, height = picture.size
    except (OSError, ValueError, Image.DecompressionBombError):
        width, height = 0, 0
    return Screenshot(data, format, width, height, scale, full_page, origin)
