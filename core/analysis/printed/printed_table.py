"""A printed table: one table or figure of a benchmark's paper, its numbers typed in.

They stand in a `paper.json` beside the benchmark that they are of:

    {"paper": "Who (year). Title. Where", "tables": [
      {"name": "table 2", "title": "…", "where": "section 5.1", "labels": ["prompt", "model"],
       "measures": [{"title": "SR"}, {"title": "time", "unit": "seconds", "decimals": 0}],
       "rows": [[["CoT", "GPT-4"], [11.7, null]], [["–", "Human"], [78.24, 110], [170, 0]]],
       "n": [812, 0], "headline": ["CoT", "GPT-4"], "human": ["–", "Human"], "note": "…"}],
     "statistics": [{"name": "by split", "title": "…", "where": "not in the paper", …, "rows": []}]}

`statistics` are tables of the same form that no paper prints; like all that the data set alone fills they are
what `data stats` shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.analysis.printed.filled_table import Evidence, Filled
from webbench.core.errors import BadData, UsageError
from webbench.core.text.nearest import suggestion

Unit = Literal["percent", "share", "count", "number", "seconds", "dollars"]
Labels = tuple[str, ...]

SHORT = {"t": "table", "table": "table", "f": "figure", "fig": "figure", "figure": "figure"}


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A column of numbers; `decimals` as the paper prints them."""

    title: str
    unit: Unit = "percent"
    decimals: int = 2


class PrintedRow(msgspec.Struct, frozen=True, array_like=True):
    """One line; None where the paper has no number, or a dash.

    Attributes:
        n: what each value is over, 0 where the paper doesn't say; empty for what the table's `n` says.
    """

    labels: Labels
    values: tuple[float | None, ...]
    n: tuple[int, ...] = ()


class PrintedTable(msgspec.Struct, frozen=True, kw_only=True):
    """One table or figure as the paper prints it.

    Attributes:
        name: "table 2", "figure 6"; a number in running text is "section 3.2".
        where: section or appendix, and page where it is known.
        labels: titles of the columns before the numbers: what a row is.
        n: what each measure is over, unless its row says it.
        headline: labels of the row that others are held against where nothing else is asked for.
        human: the same for people's attempts.
        note: what is to be known of the printed numbers.
    """

    name: str
    title: str
    where: str
    labels: tuple[str, ...]
    measures: tuple[Measure, ...]
    rows: tuple[PrintedRow, ...]
    n: tuple[int, ...] = ()
    headline: Labels = ()
    human: Labels = ()
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.labels) != len(self.labels) or len(row.values) != len(self.measures):
                raise ValueError(f"{self.name}: the row {' '.join(row.labels)} has another number of cells")
        known = {row.labels for row in self.rows}
        if len(known) < len(self.rows):
            raise ValueError(f"{self.name}: several rows have the same labels")
        for one in (self.headline, self.human):
            if one and one not in known:
                raise ValueError(f"{self.name}: there is no row {' '.join(one)}")

    def row(self, labels: Sequence[str]) -> PrintedRow | None:
        return next((one for one in self.rows if one.labels == tuple(labels)), None)

    def row_called(self, words: str) -> PrintedRow:
        """The row that all of the words are in, "gpt-4 cot". Raises `UsageError` unless it is one."""
        asked = words.casefold().split()
        found = [one for one in self.rows if _has(one, asked)]
        exact = [one for one in found if " ".join(one.labels).casefold().split() == asked]
        if len(exact or found) == 1:
            return (exact or found)[0]
        names = [" ".join(one.labels) for one in (found or self.rows)]
        told = "several rows" if found else "no row"
        hint = f"name one of: {'; '.join(names)}" if found else suggestion(words, names)
        raise UsageError(f'{self.name} has {told} called "{words}"', hint)

    def n_of(self, row: PrintedRow, at: int) -> int:
        """What the value at this place of a row is over, 0 where that isn't printed."""
        of = row.n or self.n
        return of[at] if at < len(of) else 0


class Filler(msgspec.Struct, frozen=True):
    """How a table is filled.

    Attributes:
        by: what fills it, in words: "runs; without one the leaderboard's results".
        fill: makes its rows; without runs in the evidence from data, or it says what is missing. Raises
            `BadData` for damaged data.
        describes_data: it describes the data set, and takes no run.
    """

    by: str
    fill: Callable[[Evidence], Filled]
    describes_data: bool = False


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark's paper.

    Attributes:
        benchmark: whose runs fill it.
        title: as it is cited.
        tables: all that it prints numbers in, in its order.
        fills: by the table's name how it is filled; one without is only shown, and `unfilled` says why.
        unfilled: the reason, by name; also of tables and figures without numbers, which aren't in `tables`.
        statistics: further tables that describe the data set, which no paper prints.
        also_of: other data sets whose runs fill some of its tables; each filler takes those that are its own.
    """

    benchmark: str
    title: str
    tables: tuple[PrintedTable, ...]
    fills: Mapping[str, Filler]
    unfilled: Mapping[str, str] = {}
    statistics: tuple[PrintedTable, ...] = ()
    also_of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = {one.name for one in (*self.tables, *self.statistics)}
        if lost := sorted(self.fills.keys() - names):
            raise ValueError(f"{self.benchmark} fills what isn't printed: {', '.join(lost)}")
        if silent := sorted(names - self.fills.keys() - self.unfilled.keys()):
            raise ValueError(f"{self.benchmark} doesn't say why it fills no {', '.join(silent)}")

    def of_data(self) -> tuple[PrintedTable, ...]:
        """The tables that describe the data set: the paper's own, then those of its `statistics`."""
        printed = (one for one in self.tables if one.name in self.fills)
        return (*(one for one in printed if self.fills[one.name].describes_data), *self.statistics)

    def table(self, name: str) -> PrintedTable:
        """By its name; "2" is table 2, "f6" figure 6. Raises `UsageError` for one that isn't there."""
        wanted = table_name(name)
        known = (*self.tables, *self.statistics)
        found = next((one for one in known if one.name.casefold() == wanted), None)
        if found is None:
            if wanted in self.unfilled:
                raise UsageError(f"{self.benchmark}'s {wanted}: {self.unfilled[wanted]}", "choose another")
            names = [one.name for one in self.tables]
            raise UsageError(
                f"{self.benchmark}'s paper has no {wanted} with numbers", suggestion(wanted, names)
            )
        return found


class _Typed(msgspec.Struct, frozen=True):
    paper: str
    tables: tuple[PrintedTable, ...]
    statistics: tuple[PrintedTable, ...] = ()


def read_paper(
    benchmark: str,
    file: Path,
    fills: Mapping[str, Filler],
    unfilled: Mapping[str, str] | None = None,
    also_of: tuple[str, ...] = (),
) -> Paper:
    """A paper of its typed numbers. Raises `BadData` where the file isn't of the form above."""
    try:
        typed = msgspec.json.decode(file.read_bytes(), type=_Typed)
        return Paper(
            benchmark=benchmark,
            title=typed.paper,
            tables=typed.tables,
            fills=fills,
            unfilled=unfilled or {},
            statistics=typed.statistics,
            also_of=also_of,
        )
    except (OSError, msgspec.DecodeError, ValueError) as error:
        raise BadData(f"The printed numbers of {benchmark} can't be read: {error}") from error


def table_name(text: str) -> str:
    """ "2" is "table 2", "fig. 6" is "figure 6"; anything else in lower case as it is."""
    words = text.strip().casefold()
    numbered = re.fullmatch(rf"(?:({'|'.join(SHORT)})\.?\s*)?([a-z]?\d+[a-z]?)", words)
    return f"{SHORT[numbered[1] or 't']} {numbered[2]}" if numbered else words


def _has(row: PrintedRow, words: Sequence[str]) -> bool:
    text = " ".join(row.labels).casefold()
    return all(word in text for word in words)
