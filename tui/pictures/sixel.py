"""DEC sixel: six pixels high bands of palette colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS = 128


def sixel(image: Image, colours: int = COLOURS) -> str:
    """The image as one sixel sequence, its size declared, its palette of at most `colours`."""
    from PIL.Image import Dither, Quantize

    small = image.quantize(colours, method=Quantize.FASTOCTREE, dither=Dither.NONE)
    width, height = small.size
    palette = small.getpalette() or []
    parts = [f'\x1bP0;1;0q"1;1;{width};{height}']
    pixels = small.tobytes()
    for index in sorted(set(pixels)):
        red, green, blue = (round(level * 100 / 255) for level in palette[index * 3 : index * 3 + 3])
        parts.append(f"#{index};2;{red};{green};{blue}")
    parts.extend(_band(pixels, width, top, min(6, height - top)) for top in range(0, height, 6))
    parts.append("\x1b\\")
    return "".join(parts)


def _band(pixels: bytes, width: int, top: int, height: int) -> str:
    """One band: every colour in it as a pass over the width, then a new line."""
    rows = [pixels[(top + line) * width : (top + line + 1) * width] for line in range(height)]
    passes = []
    for colour in sorted(set().union(*rows)):
        column_bits = bytearray(width)
        for line, row in enumerate(rows):
            at = row.find(colour)
            while at >= 0:
                column_bits[at] |= 1 << line
                at = row.find(colour, at + 1)
        passes.append(f"#{colour}{_run_length(column_bits)}")
    return "$".join(passes) + "-"


def _run_length(bits: bytearray) -> str:
    out = []
    at, end = 0, len(bits.rstrip(b"\0"))
    while at < end:
        value, start = bits[at], at
        while at < end and bits[at] == value:
            at += 1
        length, sign = at - start, chr(63 + value)
        out.append(f"!{length}{sign}" if length > 3 else sign * length)
    return "".join(out)
