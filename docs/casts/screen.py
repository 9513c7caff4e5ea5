"""A terminal's screen after all that a program has written: as cells, as changes, as a drawing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import groupby
from typing import NamedTuple, TypeVar

from tests.terminal.emulator import Emulator

WIDTH, HEIGHT = 8, 17
FOREGROUND, BACKGROUND = "e0e0e0", "121212"
NAMED = {
    "black": "000000",
    "red": "d04040",
    "green": "40b040",
    "brown": "c0a030",
    "blue": "4070d0",
    "magenta": "b050b0",
    "cyan": "40a0b0",
    "white": "d0d0d0",
}
"""The emulator's names; a terminal has its own shades of them."""
CUBE = (0, 95, 135, 175, 215, 255)
"""What a red, green or blue may be."""
UPPER, LOWER = "▀", "▄"
Value = TypeVar("Value")


class Cell(NamedTuple):
    """A character with its colours, as hexadecimal digits."""

    character: str
    ink: str
    paper: str
    bold: bool

    @property
    def shade(self) -> tuple[str, int, int, bool]:
        """The same in 256 colours; half a cell of the other half's colour is a blank."""
        ink, paper = _of_256(self.ink or self.paper), _of_256(self.paper)
        character = " " if ink == paper and self.character in (UPPER, LOWER) else self.character
        return character, ink, paper, self.bold and character != " "


def screen_of(emulator: Emulator) -> list[list[Cell]]:
    """What a terminal shows."""
    return [[_cell(one) for one in row] for row in emulator.cells]


def changes(before: list[list[Cell]], screen: list[list[Cell]]) -> str:
    """What turns the screen `before` ([]: an empty one) into `screen`, for a terminal of 256 colours.

    A wide character brings the cell behind it along, which holds no character.
    """
    written = [] if before else ["\x1b[?25l\x1b[0m\x1b[2J"]
    pen = Pen()
    for row, cells in enumerate(screen):
        place = -1
        for column, cell in enumerate(cells):
            if not cell.character or (before and before[row][column].shade == cell.shade):
                continue
            if place < 0:
                written.append(f"\x1b[{row + 1};{column + 1}H")
            elif place < column:
                written.append(f"\x1b[{column - place}C")
            written.append(pen.turned_to(cell) + cell.shade[0])
            place = column + 1 + sum(not behind.character for behind in cells[column + 1 : column + 2])
    return "".join(written)


class Pen:
    """A terminal's colours as they stand, told only where they change: they are most of a recording."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}

    def turned_to(self, cell: Cell) -> str:
        """What makes the terminal write in the cell's colours; a blank shows neither ink nor weight."""
        character, ink, paper, bold = cell.shade
        wanted = {"paper": f"48;5;{paper}"}
        if character != " ":
            wanted |= {"ink": f"38;5;{ink}", "weight": "1" if bold else "22"}
        told = [code for part, code in wanted.items() if self._codes.get(part) != code]
        self._codes |= wanted
        return f"\x1b[{';'.join(told)}m" if told else ""


def drawing(screen: list[list[Cell]]) -> str:
    """A screen as an SVG without fonts or scripts of its own."""
    size = f'width="{len(screen[0]) * WIDTH}" height="{len(screen) * HEIGHT}"'
    shapes = [shape for row, cells in enumerate(screen) for shape in _row(row, cells)]
    attributes = f'xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="13"'
    return "\n".join([f"<svg {attributes}>", f'<rect {size} fill="#{BACKGROUND}"/>', *shapes, "</svg>", ""])


def _cell(char: object) -> Cell:
    """Of the emulator's character: blanks have no ink, so that runs are long."""
    ink, paper = (
        _colour(getattr(char, name), other) for name, other in (("fg", FOREGROUND), ("bg", BACKGROUND))
    )
    if getattr(char, "reverse", False):
        ink, paper = paper, ink
    character = getattr(char, "data", " ")
    return Cell(character, "" if character == " " else ink, paper, bool(getattr(char, "bold", False)))


def _colour(name: str, default: str) -> str:
    if name == "default":
        return default
    return NAMED.get(name.removeprefix("bright"), name if len(name) == 6 else default)


@cache
def _of_256(colour: str) -> int:
    """The nearest of the colours that terminals of 256 have: a cube of 6 x 6 x 6, and 24 greys."""
    parts = [int(colour[at : at + 2], 16) for at in (0, 2, 4)]
    red, green, blue = (min(range(6), key=lambda level: abs(CUBE[level] - part)) for part in parts)
    grey = min(23, max(0, round((sum(parts) / 3 - 8) / 10)))
    known = {
        16 + 36 * red + 6 * green + blue: (CUBE[red], CUBE[green], CUBE[blue]),
        232 + grey: (8 + 10 * grey,) * 3,
    }
    return min(known, key=lambda one: sum((a - b) ** 2 for a, b in zip(known[one], parts, strict=True)))


def _row(row: int, cells: list[Cell]) -> Iterator[str]:
    """Papers first, then halves of cells, then texts; equal neighbours are one shape."""
    top = row * HEIGHT
    for paper, first, count in _runs([cell.paper for cell in cells]):
        if paper != BACKGROUND:
            yield _rectangle(first, count, top, HEIGHT, paper)
    for half, y, height in ((UPPER, top, HEIGHT / 2), (LOWER, top + HEIGHT / 2, HEIGHT / 2)):
        for ink, first, count in _runs([cell.ink if cell.character == half else "" for cell in cells]):
            if ink:
                yield _rectangle(first, count, y, height, ink)
    texts = [(cell.ink, cell.bold) if cell.character not in (UPPER, LOWER) else ("", False) for cell in cells]
    for (ink, bold), first, count in _runs(texts):
        if ink:
            text = "".join(cell.character for cell in cells[first : first + count])
            weight = ' font-weight="bold"' if bold else ""
            place = f'x="{first * WIDTH}" y="{top + 13}" textLength="{count * WIDTH}"'
            yield f'<text {place} fill="#{ink}"{weight} xml:space="preserve">{escape(text)}</text>'


def _runs(values: list[Value]) -> Iterator[tuple[Value, int, int]]:
    """Each stretch of equal values with its start and length."""
    at = 0
    for value, group in groupby(values):
        count = len(list(group))
        yield value, at, count
        at += count


def _rectangle(first: int, count: int, y: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{first * WIDTH}" y="{y:g}" width="{count * WIDTH}" height="{height:g}" fill="#{colour}"/>'
    )
