"""A task's `batch.csv`: one row per worker's answer, several rows per instance.

An *instance* is a distinct tuple of the input columns, all those whose name doesn't start with
"Answer."; instances are numbered in order of first appearance. All rows of an instance are gold.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from webbench.benchmarks.turkingbench.columns import Cell, Column, read_column
from webbench.core.errors import BadData

ANSWER_PREFIX = "Answer."
BYTE_ORDER_MARK = "\ufeff"
_END = "\x1fend of the table\x1f"
_LARGEST_CELL = 16 * 1024 * 1024


class UnusedParts(msgspec.Struct, frozen=True):
    """What reading left out or filled up.

    Attributes:
        blank_lines: skipped.
        short_rows: filled up with blanks.
        leading_columns: without a name in the header, taken for row labels and dropped.
        renamed: columns whose name stood in the header already.
    """

    blank_lines: int = 0
    short_rows: int = 0
    leading_columns: int = 0
    renamed: tuple[str, ...] = ()


class Batch:
    """A parsed table with typed columns.

    Args:
        header: unique column names.
        rows: cell texts, each row as long as the header.
        where: what messages call it.
        unused: what the file held beside the table.
    """

    def __init__(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        where: str,
        unused: UnusedParts,
    ) -> None:
        self.header = tuple(header)
        self.rows = rows
        self.where = where
        self.unused = unused
        self._columns: dict[str, Column] = {}
        self._positions = {name: position for position, name in enumerate(self.header)}

    @cached_property
    def input_columns(self) -> tuple[str, ...]:
        return tuple(name for name in self.header if not name.startswith(ANSWER_PREFIX))

    @cached_property
    def answer_names(self) -> tuple[str, ...]:
        """Form field names: the answer columns without their prefix, in file order."""
        return tuple(
            name.removeprefix(ANSWER_PREFIX) for name in self.header if name.startswith(ANSWER_PREFIX)
        )

    def column(self, name: str) -> Column:
        """The typed column; raises `KeyError` for an unknown name."""
        if name not in self._columns:
            position = self._positions[name]
            self._columns[name] = read_column([row[position] for row in self.rows])
        return self._columns[name]

    def texts(self, row: int) -> dict[str, str]:
        """The input cells of a row as they stand in the file."""
        return {name: self.rows[row][self._positions[name]] for name in self.input_columns}

    @cached_property
    def instances(self) -> tuple[tuple[int, ...], ...]:
        """Row numbers of each instance, both in order of first appearance."""
        if not self.input_columns:
            return tuple((row,) for row in range(len(self.rows)))
        groups: dict[tuple[Cell, ...], list[int]] = {}
        keys = zip(*(self.column(name).cells for name in self.input_columns), strict=True)
        for row, key in enumerate(keys):
            groups.setdefault(key, []).append(row)
        return tuple(tuple(rows) for rows in groups.values())

    def blank_input(self, instance: int) -> str:
        """The first input column that is blank in this instance, or "".

        Upstream finds an instance's rows by equality, and a blank never equals itself.
        """
        row = self.instances[instance][0]
        return next((name for name in self.input_columns if self.column(name).cells[row] is None), "")

    def answer_rows(self, instance: int) -> tuple[int, ...]:
        """The rows that hold this instance's gold answers; negative numbers count from the end, as upstream.

        Raises `BadData` where upstream fails: no such instance, or a blank input cell.
        """
        count = len(self.instances)
        if not -count <= instance < count:
            raise BadData(f"{self.where} has {count} instances, so none has the number {instance}")
        blank = self.blank_input(instance)
        if blank:
            raise BadData(f'{self.where}: input column "{blank}" is blank in instance {instance}')
        return self.instances[instance] if self.input_columns else tuple(range(len(self.rows)))


def read_batch(path: Path) -> Batch:
    """Read a `batch.csv`. Raises `BadData` naming the file, and the line where there is one."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise BadData(f"{path}: {error.strerror or error}", "the task can't be used") from error
    except UnicodeDecodeError as error:
        raise BadData(f"{path} is not UTF-8 at byte {error.start}", "save it as UTF-8") from error
    return parse_batch(text, where=str(path))


def parse_batch(text: str, where: str = "batch.csv") -> Batch:
    """Parse a table from its text. Raises `BadData` for an empty, ragged or unclosed one."""
    lines = list(_split(text.removeprefix(BYTE_ORDER_MARK), where))
    rows = [(number, row) for number, row in lines if not _blank(row)]
    if not rows:
        raise BadData(f"{where} is empty: it has no header line")
    header, body = rows[0][1], rows[1:]
    leading = max(0, len(body[0][1]) - len(header)) if body else 0
    width = len(header) + leading
    short = 0
    for number, row in body:
        if len(row) > width:
            raise BadData(f"{where}: the row ending in line {number} has {len(row)} cells instead of {width}")
        short += len(row) < width
        row.extend([""] * (width - len(row)))
    names = _unique(header)
    unused = UnusedParts(
        blank_lines=len(lines) - len(rows),
        short_rows=short,
        leading_columns=leading,
        renamed=tuple(
            name for name, original in zip(names, header, strict=True) if original not in ("", name)
        ),
    )
    return Batch(names, [row[leading:] for _, row in body], where, unused)


def _blank(row: Sequence[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip(" \t"))


def _split(text: str, where: str) -> Iterator[tuple[int, list[str]]]:
    """Rows of cell texts with the number of their last line; line breaks inside quotes stay as they are."""
    csv.field_size_limit(_LARGEST_CELL)
    closing = "" if text.endswith(("\n", "\r")) else "\n"
    reader = csv.reader(io.StringIO(text + closing + _END, newline=""))
    row: list[str] = []
    try:
        for row in reader:
            if row != [_END]:
                yield reader.line_num, row
    except csv.Error as error:
        raise BadData(f"{where}, line {reader.line_num}: no readable CSV: {error}") from error
    if row != [_END]:
        raise BadData(f"{where}: the last quoted cell is never closed", "look for a lone quotation mark")


def _unique(header: Sequence[str]) -> list[str]:
    """Column names as pandas makes them unique: "q", "q.1", …; nameless ones become "Unnamed: 3"."""
    nameless = [position for position, name in enumerate(header) if not name]
    names = [name or f"Unnamed: {position}" for position, name in enumerate(header)]
    seen: dict[str, int] = {}
    named = [position for position, name in enumerate(header) if name]
    for position in [*named, *nameless]:
        original = name = names[position]
        count = seen.get(name, 0)
        while count > 0:
            seen[original] = count + 1
            name = f"{original}.{count}"
            count = count + 1 if name in names else seen.get(name, 0)
        names[position] = name
        seen[name] = count + 1
    return names
