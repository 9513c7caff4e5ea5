"""Orders: the list, one order, and what staff do with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.admin.desk import of_row, show, tell
from webbench.benchmarks.sample_sites.admin.grid import (
    Column,
    Filter,
    Grid,
    amount,
    day_begins,
    day_ends,
    exactly,
    number,
)
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.shop import till
from webbench.benchmarks.sample_sites.shop.history import STATUSES
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Visit, page

GRID = Grid(
    title="Orders",
    query="SELECT id, placed, name, email, country, delivery, status, promo, total FROM purchase",
    columns=(
        Column("id", "Order", "order"),
        Column("placed", "Placed", "day"),
        Column("name", "Customer"),
        Column("country", "Country"),
        Column("status", "Status", "status"),
        Column("promo", "Coupon"),
        Column("total", "Total", "money"),
    ),
    filters=(
        Filter("number", "Order number", "id = ?", number),
        Filter("status", "Status", "status = ?", exactly, STATUSES),
        Filter("customer", "Customer", "name || ' ' || email LIKE ?"),
        Filter("country", "Country", "country LIKE ?"),
        Filter("from", "Placed from", "placed >= ?", day_begins),
        Filter("to", "Placed to", "placed <= ?", day_ends),
        Filter("least", "Total from", "total >= ?", amount),
        Filter("most", "Total to", "total <= ?", amount),
    ),
    order="id DESC",
    link="/sales/order/view/order_id/{}/",
)
ORDER = "SELECT * FROM purchase WHERE id = ?"
SHIPPABLE = ("Pending", "Being packed")


@of_row(ORDER)
def view(visit: Visit, order: sqlite3.Row) -> Response:
    return show(
        visit,
        "order.html",
        order=order,
        lines=till.lines_of(visit.database, order["id"]),
        delivery=till.DELIVERY,
        shippable=order["status"] in SHIPPABLE,
        events=visit.database.execute(
            "SELECT * FROM purchase_event WHERE purchase = ? ORDER BY id DESC", (order["id"],)
        ).fetchall(),
    )


@of_row(ORDER)
def ship(visit: Visit, order: sqlite3.Row) -> Response:
    tracking = visit.field("tracking")[:60]
    if order["status"] not in SHIPPABLE:
        tell(visit, f"Order HP-{order['id']} can't be shipped: it is {order['status'].casefold()}.")
    elif not tracking:
        tell(visit, "A shipment needs a tracking number.")
    else:
        visit.database.execute("UPDATE purchase SET tracking = ? WHERE id = ?", (tracking, order["id"]))
        comment = f"Shipped with tracking number {tracking}."
        till.set_status(visit.database, order["id"], "On its way", comment, signed_in(visit))
        tell(visit, f"Order HP-{order['id']} is on its way.")
    return _back(visit, order["id"])


@of_row(ORDER)
def deliver(visit: Visit, order: sqlite3.Row) -> Response:
    return _changed(visit, order, {"On its way"}, "Delivered", "", "is delivered", "is not on its way")


@of_row(ORDER)
def cancel(visit: Visit, order: sqlite3.Row) -> Response:
    told = "Cancelled by staff."
    return _changed(visit, order, SHIPPABLE, "Cancelled", told, "is cancelled", "can't be cancelled any more")


def _changed(
    visit: Visit,
    order: sqlite3.Row,
    before: Collection[str],
    after: str,
    comment: str,
    done: str,
    refused: str,
) -> Response:
    """Give the order another status where it is in one of those `before`; tell what became of it."""
    allowed = order["status"] in before
    if allowed:
        till.set_status(visit.database, order["id"], after, comment, signed_in(visit))
    tell(visit, f"Order HP-{order['id']} {done if allowed else refused}.")
    return _back(visit, order["id"])


@of_row(ORDER)
def comment(visit: Visit, order: sqlite3.Row) -> Response:
    text = visit.field("comment")[:500]
    if text:
        till.record(visit.database, order["id"], order["status"], text, signed_in(visit))
        tell(visit, "The comment is saved.")
    else:
        tell(visit, "A comment needs a text.")
    return _back(visit, order["id"])


def _back(visit: Visit, order: int) -> Response:
    return visit.redirect(f"/sales/order/view/order_id/{order}/")


def routes() -> Sequence[BaseRoute]:
    one = "/sales/order/view/order_id/{number}"
    return [
        page("admin", "/sales/order/", for_members(GRID.page)),
        page("admin", f"{one}/", view),
        page("admin", f"{one}/ship", ship, "POST"),
        page("admin", f"{one}/deliver", deliver, "POST"),
        page("admin", f"{one}/cancel", cancel, "POST"),
        page("admin", f"{one}/comment", comment, "POST"),
    ]
