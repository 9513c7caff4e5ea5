"""Printing: JSON on stdout, tables in plain characters, foreign text made harmless."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

import msgspec

from webbench.core.json_types import Json
from webbench.core.plain_text import clip, display_width, plain_text


def print_json(value: Json) -> None:
    """One JSON document, ASCII only, so that no byte of a page's text reaches the terminal as it is."""
    import json

    print(json.dumps(msgspec.to_builtins(value), ensure_ascii=True, indent=2))


def print_json_line(value: Json) -> None:
    """One JSON document on one line, flushed."""
    import json

    print(json.dumps(msgspec.to_builtins(value), ensure_ascii=True), flush=True)


def print_text(text: str) -> None:
    """Foreign text of several lines."""
    for line in text.split("\n"):
        print(plain_text(line, limit=100_000))


def say(text: str) -> None:
    """A line of diagnostics on stderr."""
    print(plain_text(text), file=sys.stderr, flush=True)


def table(headers: Sequence[str], rows: Sequence[Sequence[object]], *, numbers: Sequence[int] = ()) -> str:
    """Columns aligned by display width; the widest column gives way on a narrow terminal.

    Args:
        numbers: indices of columns that are set flush right.
    """
    cells = [[plain_text("" if cell is None else str(cell)) for cell in row] for row in rows]
    widths = [
        max([display_width(header), *(display_width(row[index]) for row in cells)])
        for index, header in enumerate(headers)
    ]
    room = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 160
    while sum(widths) + 2 * (len(widths) - 1) > room and max(widths) > 12:
        widths[widths.index(max(widths))] -= 1

    def line(row: Sequence[str]) -> str:
        parts = []
        for index, cell in enumerate(row):
            shown = clip(cell, widths[index])
            blank = " " * (widths[index] - display_width(shown))
            parts.append(blank + shown if index in numbers else shown + blank)
        return "  ".join(parts).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([line(list(headers)), rule, *(line(row) for row in cells)])
