"""Draws the rooms of the house from the code: `python docs/site/rooms.py` writes docs/rooms.svg.

A room is a package of a storey; its words are the first line of its docstring. Within `core` a room stands
above those that it imports (imports for types alone are left out); rooms that import each other share a row.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
STOREYS = {
    "tui": "renders, sends intents",
    "benchmarks": "one folder each; what they share stands beside them",
    "core": "the domain; knows no user interface and no benchmark by name",
}
NOUNS = "nouns"
"""The modules at core's root, as one room."""
WIDTH, HEIGHT, GAP, COLUMNS = 184, 62, 8, 6
INK, PAPER = "#1c2733", "#ffffff"
COLOURS = {"tui": "#dbe9f6", "benchmarks": "#e6f3dd", "core": "#fdf1d6"}


def rooms(storey: str) -> dict[str, str]:
    """The rooms of a storey, by name, each with the first line of its docstring."""
    found = {
        init.parent.name: _first_line(init)
        for init in sorted((REPOSITORY / storey).glob("*/__init__.py"))
        if any(init.parent.rglob("*.py"))
    }
    if storey != "core":
        return found
    names = sorted(file.stem for file in (REPOSITORY / "core").glob("[!_]*.py"))
    return {**found, NOUNS: " · ".join(names)}


def rows(storey: str) -> list[list[str]]:
    """The rooms of a storey from top to bottom: a room above all that it imports."""
    every = rooms(storey)
    if storey != "core":
        return [list(every)]
    reached = {room: _reached(room) for room in every}
    level: dict[str, int] = {}

    def height(room: str) -> int:
        if room not in level:
            below = [other for other in reached[room] if room not in reached[other]]
            level[room] = 0
            level[room] = 1 + max(map(height, below), default=-1)
        return level[room]

    for room in every:
        height(room)
    for room in every:  # those that import each other
        level[room] = max(
            level[other]
            for other in every
            if other == room or (other in reached[room] and room in reached[other])
        )
    return [[room for room in every if level[room] == at] for at in sorted(set(level.values()), reverse=True)]


def drawing() -> str:
    """All rooms as an SVG."""
    shapes: list[str] = []
    y = GAP
    wide = COLUMNS * (WIDTH + GAP) + 3 * GAP
    for storey, words in STOREYS.items():
        lines = [row[at : at + COLUMNS] for row in rows(storey) for at in range(0, len(row), COLUMNS)]
        tall = 30 + len(lines) * (HEIGHT + GAP) + GAP
        shapes.append(_rectangle(GAP, y, wide - 2 * GAP, tall, COLOURS[storey]))
        shapes.append(_text(2 * GAP, y + 21, f"{storey}: {words}", 15, bold=True))
        told = rooms(storey)
        for number, line in enumerate(lines):
            top = y + 30 + number * (HEIGHT + GAP)
            for column, room in enumerate(line):
                shapes += _box(2 * GAP + column * (WIDTH + GAP), top, room, told[room])
        y += tall + 26
        shapes.append(_text(wide / 2 - 40, y - 8, "▼ imports", 13) if storey != "core" else "")
    size = f'width="{wide}" height="{y - 18}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" fill="{INK}">'
    return "\n".join([head, f'<rect {size} fill="{PAPER}"/>', *filter(None, shapes), "</svg>", ""])


@cache
def _imports(room: str) -> frozenset[str]:
    """Rooms of core that a room's modules import."""
    folder = REPOSITORY / "core"
    files = folder.glob("*.py") if room == NOUNS else (folder / room).rglob("*.py")
    found = {name for file in files for name in _imported(ast.parse(file.read_text("utf-8")))}
    return frozenset(found - {room})


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("webbench.core"):
            parts = node.module.split(".")[2:] or [alias.name for alias in node.names]
            yield parts[0] if (REPOSITORY / "core" / parts[0]).is_dir() else NOUNS
        yield from _imported(node)


@cache
def _reached(room: str) -> frozenset[str]:
    found: set[str] = set()
    waiting = [room]
    while waiting:
        for other in _imports(waiting.pop()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return frozenset(found - {room})


def _first_line(file: Path) -> str:
    told = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return told.partition("\n")[0].rstrip(".")


def _box(x: float, y: float, name: str, words: str) -> list[str]:
    lines = textwrap.wrap(words, 31)
    if len(lines) > 3:
        lines = [*lines[:2], lines[2][:29] + "…"]
    return [
        f"<g><title>{escape(words)}</title>",
        _rectangle(x, y, WIDTH, HEIGHT, PAPER, edge=0.5),
        _text(x + 6, y + 15, name, 13, bold=True),
        *(_text(x + 6, y + 29 + 12 * number, line, 10.5) for number, line in enumerate(lines)),
        "</g>",
    ]


def _rectangle(x: float, y: float, width: float, height: float, colour: str, *, edge: float = 0) -> str:
    line = f' stroke="{INK}" stroke-width="{edge}"' if edge else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{colour}"{line}/>'


def _text(x: float, y: float, words: str, size: float, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{weight}>{escape(words)}</text>'


if __name__ == "__main__":
    (REPOSITORY / "docs" / "rooms.svg").write_text(drawing(), "utf-8")
