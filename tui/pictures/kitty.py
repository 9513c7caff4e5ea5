"""The kitty graphics protocol with Unicode placeholders: the picture's cells are ordinary text.

Placeholders scroll, clip and go through tmux like any text, and marks simply replace some of them.
See the chapter "Unicode placeholders" of the protocol's specification.
"""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

if TYPE_CHECKING:
    from PIL.Image import Image

PLACEHOLDER = "\U0010eeee"
CHUNK = 4096

_TABLE = (
    "305 30D 30E 310 312 33D 33E 33F 346 34A 34B 34C 350 351 352 357 35B 363 364 365 366 367 368 369 "
    "36A 36B 36C 36D 36E 36F 483 484 485 486 487 592 593 594 595 597 598 599 59C 59D 59E 59F 5A0 5A1 "
    "5A8 5A9 5AB 5AC 5AF 5C4 610 611 612 613 614 615 616 617 657 658 659 65A 65B 65D 65E 6D6 6D7 6D8 "
    "6D9 6DA 6DB 6DC 6DF 6E0 6E1 6E2 6E4 6E7 6E8 6EB 6EC 730 732 733 735 736 73A 73D 73F 740 741 743 "
    "745 747 749 74A 7EB 7EC 7ED 7EE 7EF 7F0 7F1 7F3 816 817 818 819 81B 81C 81D 81E 81F 820 821 822 "
    "823 825 826 827 829 82A 82B 82C 82D"
)
NUMBERS = tuple(int(code, 16) for code in _TABLE.split())
"""Combining marks that stand for row and column numbers, from the protocol's table."""


def transmission(image: Image, number: int, columns: int, rows: int, *, tmux: bool = False) -> str:
    """Escape sequences that give the terminal an image and its size in cells, in chunks."""
    pixels = zlib.compress(image.tobytes(), 1)
    payload = base64.standard_b64encode(pixels).decode("ascii")
    head = f"a=T,U=1,q=2,i={number},c={columns},r={rows},f=24,o=z,s={image.width},v={image.height}"
    parts = [payload[start : start + CHUNK] for start in range(0, len(payload), CHUNK)]
    sequences = []
    for index, part in enumerate(parts):
        more = int(index + 1 < len(parts))
        control = f"{head},m={more}" if index == 0 else f"q=2,m={more}"
        sequences.append(f"\x1b_G{control};{part}\x1b\\")
    return "".join(through_tmux(sequence) if tmux else sequence for sequence in sequences)


def removal(number: int, *, tmux: bool = False) -> str:
    """Frees an image and everything placed of it."""
    sequence = f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\"
    return through_tmux(sequence) if tmux else sequence


def through_tmux(sequence: str) -> str:
    """Wrapped so that tmux (with `allow-passthrough on`) hands it to the terminal outside."""
    return f"\x1bPtmux;{sequence.replace(chr(27), chr(27) * 2)}\x1b\\"


def placeholders(number: int, columns: int, rows: int) -> list[Strip]:
    """The cells of an image; each names its row and column, so any part may be overwritten.

    `number` is carried by the foreground colour: 1 to 2**24 - 1.
    """
    triplet = ColorTriplet(number >> 16 & 255, number >> 8 & 255, number & 255)
    style = Style(color=Color.from_triplet(triplet))
    strips = []
    for row in range(min(rows, len(NUMBERS))):
        mark = PLACEHOLDER + chr(NUMBERS[row])
        text = "".join(mark + chr(NUMBERS[column]) for column in range(min(columns, len(NUMBERS))))
        strips.append(Strip([Segment(text, style)], min(columns, len(NUMBERS))))
    return strips
