"""CSV tables of any size, read row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from webbench.core.errors import BadData
from webbench.core.exchange.place import Place

Row = dict[str, str]


def has_columns(place: Place, *names: str) -> bool:
    """Whether the first line names all of these."""
    first = place.head.partition(b"\n")[0]
    return all(name.encode() in first for name in names)


def rows_of(place: Place) -> Iterator[tuple[int, Row]]:
    """Numbered rows by the names of the first line.

    A cell that a row lacks is "", one too many is dropped; both are told.

    Raises `BadData` where the table can't be read any further.
    """
    reader = csv.reader(_lines(place))
    try:
        names = next(reader, [])
        for number, cells in enumerate(reader, start=1):
            padded = cells + [""] * (len(names) - len(cells))
            if any(cells) and len(cells) != len(names):
                place.tell(
                    f"{place}, row {number}, has {len(cells)} cells, the table has {len(names)} columns"
                )
            if any(cells):
                yield number, dict(zip(names, padded, strict=False))
    except csv.Error as error:
        raise BadData(f"{place}, line {reader.line_num}, is no readable CSV: {error}") from error


def _lines(place: Place) -> Iterator[str]:
    for number, line in place.lines():
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        yield place.decoded(text) + "\n"
