"""Decoded pictures, cut and scaled."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 80_000_000
"""A page may ask for any size; a picture beyond this is refused rather than filling the memory."""


def decode(data: bytes) -> Image:
    """An RGB image from JPEG, PNG or WebP bytes.

    Raises:
        ValueError: the bytes are no such picture, or it is too large.
    """
    import io

    from PIL import Image, UnidentifiedImageError

    try:
        image = Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "WEBP"))
        if image.width * image.height > MAX_PIXELS:
            raise ValueError(f"the picture has {image.width} x {image.height} pixels, too many to show")
        return image.convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"not a picture that can be read: {error}") from error


def cut(image: Image, window: tuple[float, float, float, float], width: int, height: int) -> Image:
    """The part of `image` inside `window` (left, top, right, bottom in px), scaled to a size."""
    from PIL.Image import Resampling

    left, top, right, bottom = window
    enlarged = width > right - left
    return image.resize(
        (width, height),
        Resampling.BILINEAR if enlarged else Resampling.BOX,
        box=(left, top, right, bottom),
        reducing_gap=None if enlarged else 2.0,
    )
