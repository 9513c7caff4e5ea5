"""Long tables of the back office: filtered, sorted, a page at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

from starlette.responses import Response

from webbench.benchmarks.sample_sites.admin.desk import cents_of, show
from webbench.benchmarks.sample_sites.paging import Pages, pages_of
from webbench.benchmarks.sample_sites.shop.data.dates import is_day
from webbench.benchmarks.sample_sites.shop.layout import whole_number
from webbench.benchmarks.sample_sites.web import Visit

PER_PAGE = 20

Kind = Literal["text", "number", "money", "day", "status", "order"]
Value = str | int | None


def contains(text: str) -> Value:
    return f"%{text}%"


def exactly(text: str) -> Value:
    return text


def number(text: str) -> Value:
    return whole_number(text.removeprefix("HP-"), 0, 999_999)


def day_begins(text: str) -> Value:
    return text if is_day(text) else None


def day_ends(text: str) -> Value:
    return f"{text} 23:59:59" if is_day(text) else None


amount: Callable[[str], Value] = cents_of


@dataclass(frozen=True)
class Column:
    key: str
    label: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Filter:
    """A field above the table.

    Attributes:
        name: of the field, and in the address.
        condition: SQL on a row, with one place for the value.
        read: text of the field → value; None leaves the filter out.
        options: what can be chosen; empty for a text field.
    """

    name: str
    label: str
    condition: str
    read: Callable[[str], Value] = contains
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grid:
    """A table.

    Attributes:
        query: SQL that gives the rows, with an `id`.
        order: SQL, how they stand when nobody asks for another order.
        link: path of a row's page with "{}" for its id, "" where there is none.
        new: path and label of the page for a new one.
    """

    title: str
    query: str
    columns: tuple[Column, ...]
    filters: tuple[Filter, ...]
    order: str
    link: str = ""
    new: tuple[str, str] | None = None

    def page(self, visit: Visit) -> Response:
        return show(
            visit,
            "grid.html",
            grid=self,
            pages=self.rows(visit),
            given={each.name: visit.query(each.name) for each in self.filters},
            sort=visit.query("sort"),
            falling=visit.query("dir") == "desc",
        )

    def rows(self, visit: Visit) -> Pages[sqlite3.Row]:
        where, values = ["1"], []
        for each in self.filters:
            given = visit.query(each.name)
            value = each.read(given) if given and (not each.options or given in each.options) else None
            if value is not None:
                where.append(each.condition)
                values.append(value)
        query = f"SELECT * FROM ({self.query}) WHERE {' AND '.join(where)} ORDER BY {self._order(visit)}"  # noqa: S608 - only words of ours
        return pages_of(visit.database.execute(query, values).fetchall(), visit, PER_PAGE)

    def _order(self, visit: Visit) -> str:
        asked = visit.query("sort")
        if asked not in [column.key for column in self.columns]:
            return self.order
        return f"{asked} {'DESC' if visit.query('dir') == 'desc' else 'ASC'}, id"

    def sorted_by(self, visit: Visit, key: str) -> str:
        """The query that sorts by a column, the other way round where it is sorted by it already."""
        rest = {each.name: visit.query(each.name) for each in self.filters if visit.query(each.name)}
        falling = visit.query("sort") == key and visit.query("dir") != "desc"
        return "?" + urlencode({**rest, "sort": key, "dir": "desc" if falling else "asc"})
