"""Printing: JSON on stdout, tables in plain characters, foreign text made harmless."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NoReturn, TextIO

import msgspec

from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import Json
from webbench.core.text.plain_text import clip, display_width, plain_text

READER_GONE = 141
"""Exit code when whoever read our output closed it, as a shell reports a broken pipe."""

GONE = (errno.EPIPE, errno.EIO)
"""What writing comes to when a pipe's reader, or the terminal, is gone."""

PIPED_WIDTH = 160
"""Columns where no terminal and no COLUMNS says how many there are."""

NARROWEST_COLUMN = 6
READABLE_COLUMN = 24
GAP = 2


def prepare() -> None:
    """Make both streams print any character, whatever the locale's encoding."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def finish() -> None:
    """Flush what is still buffered; a reader that has gone is no failure to report."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            if error.errno not in GONE:
                raise
            _silence(stream)


def print_line(line: str = "") -> None:
    """A line that is already harmless, on stdout. Ends the program when nobody reads it any more."""
    try:
        print(line)
    except OSError as error:
        _leave(error)


def print_json(value: Json) -> None:
    """One JSON document, ASCII only, so that no byte of a page's text reaches the terminal as it is."""
    import json

    print_line(json.dumps(msgspec.to_builtins(value), ensure_ascii=True, indent=2))


def print_json_line(value: Json) -> None:
    """One JSON document on one line, flushed."""
    import json

    print_line(json.dumps(msgspec.to_builtins(value), ensure_ascii=True))
    flush()


def print_file(path: Path) -> None:
    """A file's bytes on stdout as they are. Ends the program when nobody reads it any more.

    Raises `EnvironmentDown` where what stdout leads to takes no more.
    """
    try:
        sys.stdout.flush()
        with path.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except OSError as error:
        if error.errno in GONE:
            _leave(error)
        _silence(sys.stdout)
        raise EnvironmentDown(f"stdout can't be written: {error.strerror or error}") from error


def print_text(text: str) -> None:
    """Foreign text of several lines. Indentation by tabs is kept where the output is no terminal."""
    tabs = not sys.stdout.isatty()
    for line in text.split("\n"):
        body = line.lstrip("\t") if tabs else line
        print_line(line[: len(line) - len(body)] + plain_text(body, limit=100_000))


def flush() -> None:
    """Hand over what was printed, for a reader that waits for it."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _leave(error)


def say(text: str) -> None:
    """A line of diagnostics on stderr."""
    write_over(f"{plain_text(text)}\n")


def write_over(text: str) -> None:
    """Onto stderr as it is. Where nobody can read it any more (the terminal is gone) work goes on without."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)


def width() -> int:
    """Columns that a line may take."""
    fallback = 80 if sys.stdout.isatty() else PIPED_WIDTH
    return max(40, shutil.get_terminal_size((fallback, 24)).columns)


def print_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    numbers: Sequence[int] = (),
    flexible: Sequence[int] = (),
    optional: Sequence[int] = (),
    whole: bool = False,
) -> None:
    """Print `table` at the width there is.

    Args:
        whole: nothing is cut off: on a terminal a text goes on in the next line, elsewhere (for `grep`, or
            `less -S`) every row is one line, however long.
    """
    room = sys.maxsize if whole and not sys.stdout.isatty() else width()
    print_line(
        table(headers, rows, numbers=numbers, flexible=flexible, optional=optional, room=room, fold=whole)
    )


def table(
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    numbers: Sequence[int] = (),
    flexible: Sequence[int] = (),
    optional: Sequence[int] = (),
    room: int = PIPED_WIDTH,
    fold: bool = False,
) -> str:
    """Columns aligned by display width, in at most `room` cells where that is possible.

    Args:
        numbers: indices of columns that are set flush right.
        flexible: indices of columns that give way; the others are kept whole, because people copy from
            them. A column that is empty throughout is left out.
        optional: indices of columns that are left out where there is little room, the first one first.
        fold: a text that is too long goes on in the next line instead of being cut off.
    """
    headers = [plain_text(header) for header in headers]
    cells = [[plain_text("" if cell is None else str(cell)) for cell in row] for row in rows]
    widths = {
        index: max([display_width(header), *(display_width(row[index]) for row in cells)])
        for index, header in enumerate(headers)
        if not cells or any(row[index] for row in cells)
    }
    _leave_out(widths, optional, flexible, room)
    _narrow(widths, [index for index in flexible if index in widths], room)

    def line(texts: Sequence[str]) -> str:
        parts = []
        for (index, wide), text in zip(widths.items(), texts, strict=True):
            blank = " " * (wide - display_width(text))
            parts.append(blank + text if index in numbers else text + blank)
        return (" " * GAP).join(parts).rstrip()

    def lines(row: Sequence[str]) -> list[str]:
        if not fold:
            return [line([clip(row[index], wide) for index, wide in widths.items()])]
        columns = [folded(row[index], wide) for index, wide in widths.items()]
        return [line(texts) for texts in zip_longest(*columns, fillvalue="")]

    rule = (" " * GAP).join("-" * cells_wide for cells_wide in widths.values())
    return "\n".join([*lines(headers), rule, *(one for row in cells for one in lines(row))])


def _leave_out(widths: dict[int, int], optional: Sequence[int], flexible: Sequence[int], room: int) -> None:
    """Drop optional columns until the flexible ones would have a readable width."""
    for index in optional:
        least = sum(min(wide, READABLE_COLUMN) if at in flexible else wide for at, wide in widths.items())
        if least + GAP * (len(widths) - 1) <= room:
            return
        widths.pop(index, None)


def _narrow(widths: dict[int, int], flexible: Sequence[int], room: int) -> None:
    """Take from the widest flexible column until the table fits."""
    while flexible and _total(widths) > room:
        widest = max(flexible, key=widths.__getitem__)
        if widths[widest] <= NARROWEST_COLUMN:
            return
        widths[widest] -= 1


def folded(text: str, room: int) -> list[str]:
    """Harmless text in lines of at most `room` cells (from 2), broken between words where there are some."""
    lines: list[str] = []
    while display_width(text) > room:
        whole = len(clip(text, room + 1)) - 1
        indent = len(text) - len(text.lstrip(" "))
        gap = text.rfind(" ", indent, whole + 1)
        cut = gap if gap > indent else max(whole, 1)
        lines.append(text[:cut].rstrip(" "))
        text = text[cut:].lstrip(" ")
    return [*lines, text]


def _total(widths: dict[int, int]) -> int:
    return sum(widths.values()) + GAP * (len(widths) - 1)


def wrapped(text: str, start: str = "") -> str:
    """Foreign text in lines of the width there is, after `start` and then below where the text began."""
    indent = " " * display_width(start)
    lines = textwrap.wrap(plain_text(text), max(20, width() - len(indent)), break_on_hyphens=False)
    return start + f"\n{indent}".join(lines)


def _leave(error: OSError) -> NoReturn:
    if error.errno not in GONE:
        raise error
    _silence(sys.stdout)
    raise SystemExit(READER_GONE)


def _silence(stream: TextIO) -> None:
    """Send what is left nowhere, so that the interpreter's last flush doesn't fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
