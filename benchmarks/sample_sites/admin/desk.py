"""What every page of the back office shows around its content."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.responses import Response

from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.data.dates import day
from webbench.benchmarks.sample_sites.shop.layout import money, whole_number
from webbench.benchmarks.sample_sites.web import Visit

MENU = (
    ("Dashboard", "/"),
    ("Orders", "/sales/order/"),
    ("Products", "/catalog/product/"),
    ("Customers", "/customer/"),
    ("Reviews", "/review/"),
    ("Price rules", "/promo/"),
    ("Sales report", "/reports/sales/"),
    ("Bestsellers", "/reports/bestsellers/"),
    ("Coupons report", "/reports/coupons/"),
    ("Search terms", "/reports/search-terms/"),
)
MESSAGE = "staff message"


def show(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template inside the frame; a pending message is shown once."""
    message = stock.setting(visit.database, MESSAGE)
    if message:
        tell(visit, "")
    return visit.render(
        template,
        status,
        menu=MENU,
        here=visit.request.url.path.removeprefix(visit.base),
        staff=signed_in(visit),
        message=message,
        money=money,
        day=day,
        **context,
    )


def tell(visit: Visit, message: str) -> None:
    """A message for the next page."""
    stock.set_setting(visit.database, MESSAGE, message)


def row_asked_for(visit: Visit, query: str) -> sqlite3.Row | None:
    """The row that the path's {number} names; `query` has one place for it."""
    number = whole_number(visit.parameter("number"), 1, 999_999)
    row: sqlite3.Row | None = visit.database.execute(query, (number,)).fetchone()
    return row


def missing(visit: Visit) -> Response:
    return show(visit, "missing.html", 404)


def cents_of(text: str) -> int | None:
    """ "12.50", "$12.5" or "1,200" in cents, None where it is no amount."""
    plain = text.replace("$", "").replace(",", "").strip()
    whole, dot, rest = plain.partition(".")
    if not (whole + rest).isdigit() or not plain.isascii() or len(plain) > 9 or len(rest) > 2:
        return None
    return int(whole or 0) * 100 + int((rest + "00")[:2] if dot else 0)
