"""Reviews: the list, approving, deleting."""

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
    day_begins,
    day_ends,
    exactly,
    number,
)
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Visit, page

STATES = ("Approved", "Pending", "Not approved")
REVIEW = (
    "SELECT review.*, product.name AS product, product.position FROM review JOIN product USING (slug)"
    " WHERE review.id = ?"
)
GRID = Grid(
    title="Reviews",
    query="SELECT review.id, written, product.name AS product, author, stars, title, body, status"
    " FROM review JOIN product USING (slug)",
    columns=(
        Column("id", "ID", "number"),
        Column("written", "Written", "day"),
        Column("status", "Status", "status"),
        Column("product", "Product"),
        Column("stars", "Stars", "number"),
        Column("author", "Nickname"),
        Column("title", "Title"),
    ),
    filters=(
        Filter("product", "Product", "product LIKE ?"),
        Filter("author", "Nickname", "author LIKE ?"),
        Filter("text", "Title or text", "title || ' ' || body LIKE ?"),
        Filter("stars", "Stars", "stars = ?", number, ("1", "2", "3", "4", "5")),
        Filter("status", "Status", "status = ?", exactly, STATES),
        Filter("from", "Written from", "written >= ?", day_begins),
        Filter("to", "Written to", "written <= ?", day_ends),
    ),
    order="written DESC, id DESC",
    link="/review/edit/id/{}/",
)


@of_row(REVIEW)
def edit(visit: Visit, row: sqlite3.Row) -> Response:
    return show(visit, "review.html", review=row, states=STATES)


@of_row(REVIEW)
def save(visit: Visit, row: sqlite3.Row) -> Response:
    if visit.field("status") in STATES:
        visit.database.execute(
            "UPDATE review SET status = ? WHERE id = ?", (visit.field("status"), row["id"])
        )
        tell(visit, f"The review “{row['title']}” is saved.")
    return visit.redirect("/review/")


@of_row(REVIEW)
def delete(visit: Visit, row: sqlite3.Row) -> Response:
    visit.database.execute("DELETE FROM review WHERE id = ?", (row["id"],))
    tell(visit, f"The review “{row['title']}” is deleted.")
    return visit.redirect("/review/")


def routes() -> Sequence[BaseRoute]:
    return [
        page("admin", "/review/", for_members(GRID.page)),
        page("admin", "/review/edit/id/{number}/", edit),
        page("admin", "/review/save/id/{number}/", save, "POST"),
        page("admin", "/review/delete/id/{number}/", delete, "POST"),
    ]
