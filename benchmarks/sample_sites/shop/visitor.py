"""Who visits the shop, and pages that only customers may see."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from urllib.parse import quote

from starlette.responses import Response

from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.web import Handler, Visit

GUEST = 0


def customer_id(visit: Visit) -> int:
    """The customer who is at home here, `GUEST` for a stranger."""
    account = signed_in(visit) or stock.setting(visit.database, "visitor")
    return int(account) if account.isdigit() else GUEST


def customer(visit: Visit) -> sqlite3.Row | None:
    """The row of the customer who is at home here."""
    row: sqlite3.Row | None = visit.database.execute(
        "SELECT * FROM customer WHERE id = ?", (customer_id(visit),)
    ).fetchone()
    return row


def for_customers(handler: Callable[[Visit, sqlite3.Row], Response]) -> Handler:
    """The handler, given the customer; strangers are sent to sign in first, and then back."""

    def guarded(visit: Visit) -> Response:
        found = customer(visit)
        if found is None:
            wanted = visit.request.url.path.removeprefix(visit.base)
            return visit.redirect(f"/login?next={quote(wanted if visit.request.method == 'GET' else '/')}")
        return handler(visit, found)

    return guarded
