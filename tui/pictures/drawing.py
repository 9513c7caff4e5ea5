"""A picture made ready for the terminal, in whichever way it can show one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.strip import Strip

from webbench.tui.pictures.detect import Graphics
from webbench.tui.pictures.half_block import HalfBlocks, half_blocks
from webbench.tui.pictures.kitty import NUMBERS, placeholders, removal, transmission
from webbench.tui.pictures.sixel import sixel
from webbench.tui.pictures.source import cut
from webbench.tui.pictures.viewfinder import Viewfinder

if TYPE_CHECKING:
    from PIL.Image import Image

_numbers = itertools.count()
KITTY_IMAGES = 4
"""Image numbers are used in turn, so a terminal never holds more than this many of ours."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Strips for the pane; `upload` goes to the terminal before them, `after` behind the last line."""

    strips: list[Strip]
    margin: tuple[int, int]
    half_blocks: HalfBlocks | None = None
    upload: str = ""
    after: str = ""


def draw(image: Image, view: Viewfinder, graphics: Graphics) -> Drawing:
    """Draw what the viewfinder shows of an image. Takes milliseconds: call it off the event loop."""
    columns, rows = view.cells
    if graphics.mode == "half-block":
        blocks = half_blocks(image, view.window, columns, rows)
        return Drawing(blocks.strips, view.margin, half_blocks=blocks)
    if graphics.mode == "text":
        return Drawing([], view.margin)
    cell_width, cell_height = graphics.cell
    part = cut(image, view.window, columns * cell_width, rows * cell_height)
    if graphics.mode == "sixel":
        return Drawing([Strip.blank(columns)] * rows, view.margin, after=sixel(part))
    columns, rows = min(columns, len(NUMBERS)), min(rows, len(NUMBERS))
    number = 7_340_000 + next(_numbers) % KITTY_IMAGES
    upload = removal(number, tmux=graphics.tmux)
    upload += transmission(part, number, columns, rows, tmux=graphics.tmux)
    return Drawing(placeholders(number, columns, rows), view.margin, upload=upload)
