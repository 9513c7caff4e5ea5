"""What every page of the back office shows around its content."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.data.dates import day
from webbench.benchmarks.sample_sites.shop.layout import money, whole_number
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Handler, Visit

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


def of_row(query: str) -> Callable[[Callable[[Visit, sqlite3.Row], Response]], Handler]:
    """Make a handler for staff of one that takes the row which the path's {number} names.

    Args:
        query: gives the row; it has one place for the number.
    """

    def handler_of(handler: Callable[[Visit, sqlite3.Row], Response]) -> Handler:
        def with_row(visit: Visit) -> Response:
            number = whole_number(visit.parameter("number"), 1, 999_999)
            row: sqlite3.Row | None = visit.database.execute(query, (number,)).fetchone()
            return show(visit, "missing.html", 404) if row is None else handler(visit, row)

        return for_members(with_row)

    return handler_of


def cents_of(text: str) -> int | None:
    """ "12.50", "$12.5" or "1,200" in cents, None where it is no amount."""
    plain = text.replace("$", "").replace(",", "").strip()
    whole, dot, rest = plain.partition(".")
    if not (whole + rest).isdigit() or not plain.isascii() or len(plain) > 9 or len(rest) > 2:
        return None
    return int(whole or 0) * 100 + int((rest + "00")[:2] if dot else 0)
