"""Paging: long lists, a page at a time; of items that are there, and of rows that a query would give."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from webbench.benchmarks.sample_sites.visits import whole_number
from webbench.benchmarks.sample_sites.web import Visit

Item = TypeVar("Item")
PER_PAGE = 20
"""Rows of a query on one page."""


@dataclass(frozen=True)
class Pages(Generic[Item]):
    """One page of a list.

    Attributes:
        number, count: this page, from 1, and how many there are.
        total: how many items there are on all pages.
        query: the rest of the address's query, to which "page=n" is added.
    """

    items: Sequence[Item]
    number: int
    count: int
    total: int
    query: str

    def link(self, number: int) -> str:
        """The query of another page."""
        return "?" + "&".join(part for part in (self.query, f"page={number}") if part)

    @property
    def around(self) -> list[int]:
        """Numbers of pages to link to: the first, the last, and the neighbours; 0 stands for a gap."""
        near = sorted({1, self.count, *range(max(1, self.number - 2), min(self.count, self.number + 2) + 1)})
        shown: list[int] = []
        for number in near:
            if shown and number - shown[-1] > 1:
                shown.append(0)
            shown.append(number)
        return shown


def pages_of(items: Sequence[Item], visit: Visit, size: int) -> Pages[Item]:
    """The page that the address asks for as "page"; the nearest one where there is no such page."""
    number, count = _asked_for(visit, len(items), size)
    start = (number - 1) * size
    return Pages(items[start : start + size], number, count, len(items), _other_query(visit))


def _asked_for(visit: Visit, total: int, size: int) -> tuple[int, int]:
    """The number of the page, from 1, and how many there are; the nearest where there is no such page."""
    count = max(1, -(-total // size))
    return min(max(1, whole_number(visit.query("page"))), count), count


def _other_query(visit: Visit) -> str:
    """The address's query without the page number."""
    return urlencode([item for item in visit.request.query_params.multi_items() if item[0] != "page"])


@dataclass(frozen=True)
class Rows:
    """One page of a query's rows; `query` is the address's without the page number, ready to go on with."""

    rows: list[sqlite3.Row]
    number: int
    last: int
    total: int
    query: str


def paged(visit: Visit, columns: str, source: str, order: str, values: Mapping[str, str | int]) -> Rows:
    """The page of rows that the address asks for.

    Args:
        columns, source, order: fixed SQL texts; `source` begins with FROM.
        values: of the named places in `source`.
    """
    total = visit.database.execute(f"SELECT COUNT(*) AS n {source}", values).fetchone()["n"]
    number, last = _asked_for(visit, total, PER_PAGE)
    rows = visit.database.execute(
        f"SELECT {columns} {source} ORDER BY {order} LIMIT :limit OFFSET :offset",
        {**values, "limit": PER_PAGE, "offset": (number - 1) * PER_PAGE},
    ).fetchall()
    query = _other_query(visit)
    return Rows(rows, number, last, total, f"?{query}&" if query else "?")


def like(text: str) -> str:
    """A LIKE pattern for texts that contain this one; its escape character is the backslash."""
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
