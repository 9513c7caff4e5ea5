"""Lists in pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from webbench.benchmarks.demo.sites.visits import whole_number
from webbench.benchmarks.demo.sites.web import Visit

PER_PAGE = 20


@dataclass(frozen=True)
class Page:
    """Some of the rows; `query` is the address's query without the page number, ready to go on with."""

    rows: list[sqlite3.Row]
    number: int
    last: int
    total: int
    query: str


def paged(visit: Visit, columns: str, source: str, order: str, values: Mapping[str, str | int]) -> Page:
    """The page of rows that the address asks for.

    Args:
        columns, source, order: fixed SQL texts; `source` begins with FROM.
        values: of the named places in `source`.
    """
    total = visit.database.execute(f"SELECT COUNT(*) AS n {source}", values).fetchone()["n"]
    last = max(1, -(-total // PER_PAGE))
    number = min(max(1, whole_number(visit.query("page"))), last)
    rows = visit.database.execute(
        f"SELECT {columns} {source} ORDER BY {order} LIMIT :limit OFFSET :offset",
        {**values, "limit": PER_PAGE, "offset": (number - 1) * PER_PAGE},
    ).fetchall()
    kept = [item for item in visit.request.query_params.multi_items() if item[0] != "page"]
    query = urlencode(kept)
    return Page(rows, number, last, total, f"?{query}&" if query else "?")


def like(text: str) -> str:
    """A LIKE pattern for texts that contain this one; its escape character is the backslash."""
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
