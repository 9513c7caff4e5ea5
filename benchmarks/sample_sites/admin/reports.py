"""Reports: sales by period, bestsellers, coupons, search terms. Cancelled orders count nowhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.admin.desk import show
from webbench.benchmarks.sample_sites.admin.grid import Column, Filter, Grid, number
from webbench.benchmarks.sample_sites.shop.data.dates import is_day
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Visit, page

PERIODS = {"Day": 10, "Month": 7, "Year": 4}
"""Name → how much of an ISO date says which one it is."""

BETWEEN = "status <> 'Cancelled' AND (:first = '' OR placed >= :first) AND (:last = '' OR placed <= :last)"
TERMS = Grid(
    title="Search terms",
    query="SELECT rowid AS id, query, results, uses FROM search_term",
    columns=(
        Column("query", "Search term"),
        Column("results", "Results", "number"),
        Column("uses", "Uses", "number"),
    ),
    filters=(
        Filter("query", "Search term", "query LIKE ?"),
        Filter("results", "Results at most", "results <= ?", number),
        Filter("uses", "Uses at least", "uses >= ?", number),
    ),
    order="uses DESC, query",
)


def _asked(visit: Visit) -> tuple[str, str, str]:
    """First day, last day ("" = open), period."""
    first, last, period = visit.query("from"), visit.query("to"), visit.query("period")
    return (
        first if is_day(first) else "",
        last if is_day(last) else "",
        period if period in PERIODS else "Month",
    )


def _span(first: str, last: str) -> dict[str, str]:
    return {"first": first, "last": f"{last} 23:59:59" if last else ""}


@for_members
def sales(visit: Visit) -> Response:
    first, last, period = _asked(visit)
    rows = visit.database.execute(
        f"SELECT substr(placed, 1, {PERIODS[period]}) AS period, COUNT(*) AS orders,"  # noqa: S608 - only words of ours
        " SUM((SELECT SUM(quantity) FROM purchase_line WHERE purchase = purchase.id)) AS items,"
        f" SUM(discount) AS discount, SUM(total) AS total FROM purchase WHERE {BETWEEN}"
        " GROUP BY 1 ORDER BY 1 DESC",
        _span(first, last),
    ).fetchall()
    return show(visit, "sales.html", first=first, last=last, rows=rows, period=period, periods=tuple(PERIODS))


def bestsellers_between(database: sqlite3.Connection, first: str, last: str) -> list[sqlite3.Row]:
    """Products by pieces sold between two days ("" = open), the most sold first."""
    return database.execute(
        "SELECT product.position, product.name, sku, product.cents, SUM(quantity) AS pieces,"  # noqa: S608 - only words of ours
        " SUM(quantity * purchase_line.cents) AS revenue FROM purchase_line"
        " JOIN purchase ON purchase.id = purchase JOIN product ON product.slug = purchase_line.slug"
        f" WHERE {BETWEEN} GROUP BY product.slug ORDER BY pieces DESC, revenue DESC, product.name",
        _span(first, last),
    ).fetchall()


@for_members
def bestsellers(visit: Visit) -> Response:
    first, last, _ = _asked(visit)
    rows = bestsellers_between(visit.database, first, last)[:20]
    return show(visit, "bestsellers.html", first=first, last=last, rows=rows)


@for_members
def coupons(visit: Visit) -> Response:
    first, last, _ = _asked(visit)
    rows = visit.database.execute(
        "SELECT promo, COUNT(*) AS uses, SUM(goods) AS goods, SUM(discount) AS discount,"  # noqa: S608 - only words of ours
        f" SUM(total) AS total FROM purchase WHERE promo <> '' AND {BETWEEN} GROUP BY promo ORDER BY promo",
        _span(first, last),
    ).fetchall()
    return show(visit, "coupons.html", first=first, last=last, rows=rows)


@for_members
def search_terms(visit: Visit) -> Response:
    return TERMS.page(visit)


def routes() -> Sequence[BaseRoute]:
    return [
        page("admin", "/reports/sales/", sales),
        page("admin", "/reports/bestsellers/", bestsellers),
        page("admin", "/reports/coupons/", coupons),
        page("admin", "/reports/search-terms/", search_terms),
    ]
