"""Customers: the list, and what is known of one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

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
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Visit, page

SEGMENTS = ("General", "Members", "Wholesale")
GRID = Grid(
    title="Customers",
    query="SELECT customer.id, customer.name, customer.email, customer.country, segment, joined,"
    " COUNT(purchase.id) AS orders, COALESCE(SUM(total), 0) AS spent FROM customer"
    " LEFT JOIN purchase ON purchase.customer = customer.id AND status <> 'Cancelled' GROUP BY customer.id",
    columns=(
        Column("id", "ID", "number"),
        Column("name", "Name"),
        Column("email", "E-mail"),
        Column("country", "Country"),
        Column("segment", "Group"),
        Column("joined", "Since", "day"),
        Column("orders", "Orders", "number"),
        Column("spent", "Spent", "money"),
    ),
    filters=(
        Filter("name", "Name", "name LIKE ?"),
        Filter("email", "E-mail", "email LIKE ?"),
        Filter("country", "Country", "country LIKE ?"),
        Filter("segment", "Group", "segment = ?", exactly, SEGMENTS),
        Filter("from", "Since, from", "joined >= ?", day_begins),
        Filter("to", "Since, to", "joined <= ?", day_ends),
        Filter("orders", "Orders at least", "orders >= ?", number),
        Filter("spent", "Spent at least", "spent >= ?", amount),
    ),
    order="id",
    link="/customer/edit/id/{}/",
)


@of_row("SELECT * FROM customer WHERE id = ?")
def view(visit: Visit, row: sqlite3.Row) -> Response:
    orders = visit.database.execute(
        "SELECT * FROM purchase WHERE customer = ? ORDER BY id DESC", (row["id"],)
    ).fetchall()
    spent = sum(order["total"] for order in orders if order["status"] != "Cancelled")
    return show(visit, "customer.html", row=row, orders=orders, spent=spent, segments=SEGMENTS)


@of_row("SELECT * FROM customer WHERE id = ?")
def save(visit: Visit, row: sqlite3.Row) -> Response:
    if visit.field("segment") in SEGMENTS:
        visit.database.execute(
            "UPDATE customer SET segment = ? WHERE id = ?", (visit.field("segment"), row["id"])
        )
        tell(visit, f"{row['name']} is saved.")
    return visit.redirect(f"/customer/edit/id/{row['id']}/")


def routes() -> Sequence[BaseRoute]:
    return [
        page("admin", "/customer/", for_members(GRID.page)),
        page("admin", "/customer/edit/id/{number}/", view),
        page("admin", "/customer/save/id/{number}/", save, "POST"),
    ]
