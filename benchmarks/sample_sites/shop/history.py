"""Order history: list, one order, ordering again, cancelling."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.paging import pages_of
from webbench.benchmarks.sample_sites.shop import till
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.layout import flash, show, whole_number
from webbench.benchmarks.sample_sites.shop.visitor import customer_id, for_customers
from webbench.benchmarks.sample_sites.web import Visit, page

PER_PAGE = 10
STATUSES = ("Pending", "Being packed", "On its way", "Delivered", "Cancelled")


@for_customers
def orders(visit: Visit, customer: sqlite3.Row) -> Response:
    status = visit.query("status") if visit.query("status") in STATUSES else ""
    found = visit.database.execute(
        "SELECT * FROM purchase WHERE customer = ? AND ? IN ('', status) ORDER BY id DESC",
        (customer["id"], status),
    ).fetchall()
    shown = pages_of(found, visit, PER_PAGE)
    listed = [(row, till.lines_of(visit.database, row["id"])) for row in shown.items]
    return show(visit, "orders.html", orders=listed, pages=shown, statuses=STATUSES, chosen=status)


def order_page(visit: Visit) -> Response:
    """An order of the customer, or one that a guest placed."""
    row = _order(visit)
    if row is None:
        return show(visit, "missing.html", status=404)
    return show(
        visit,
        "order.html",
        order=row,
        lines=till.lines_of(visit.database, row["id"]),
        events=visit.database.execute(
            "SELECT * FROM purchase_event WHERE purchase = ? ORDER BY id DESC", (row["id"],)
        ).fetchall(),
        thanks=visit.query("thanks") == "1",
        delivery=till.DELIVERY,
        cancellable=row["status"] in till.CANCELLABLE,
    )


def _order(visit: Visit) -> sqlite3.Row | None:
    number = whole_number(visit.parameter("number").removeprefix("HP-"), 1, 999_999)
    row: sqlite3.Row | None = visit.database.execute(
        "SELECT * FROM purchase WHERE id = ? AND customer = ?", (number, customer_id(visit))
    ).fetchone()
    return row


def short_address(visit: Visit) -> Response:
    """`/order/HP-2579` leads to the order's page."""
    number = visit.parameter("number").removeprefix("HP-")
    return visit.redirect(f"/sales/order/view/order_id/{number}/")


def reorder(visit: Visit) -> Response:
    """Everything of the order that is still on sale goes into the cart."""
    row = _order(visit)
    if row is None:
        return show(visit, "missing.html", status=404)
    left_out = []
    for line in till.lines_of(visit.database, row["id"]):
        item = stock.product_on_sale(visit.database, line["slug"])
        if item is None or item.stock == 0:
            left_out.append(line["name"])
            continue
        till.add_to_cart(
            visit.database, row["customer"], line["slug"], line["size"], line["colour"], line["quantity"]
        )
    if left_out:
        flash(visit, f"No longer to be had: {', '.join(left_out)}.")
    return visit.redirect("/cart")


def cancel(visit: Visit) -> Response:
    row = _order(visit)
    if row is None:
        return show(visit, "missing.html", status=404)
    if row["status"] in till.CANCELLABLE:
        till.set_status(visit.database, row["id"], "Cancelled", "Cancelled by the customer.", "customer")
        flash(visit, f"Order HP-{row['id']} is cancelled.")
    else:
        flash(visit, f"Order HP-{row['id']} can't be cancelled any more.")
    return visit.redirect(f"/sales/order/view/order_id/{row['id']}/")


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/orders", orders),
        page("shop", "/order/{number}", short_address),
        page("shop", "/order/{number}/reorder", reorder, "POST"),
        page("shop", "/order/{number}/cancel", cancel, "POST"),
        page("shop", "/sales/order/view/order_id/{number}/", order_page),
        page("shop", "/sales/order/view/order_id/{number}", order_page),
    ]
