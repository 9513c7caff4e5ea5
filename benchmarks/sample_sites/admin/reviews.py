"""Reviews: the list, approving, deleting."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.admin.desk import missing, row_asked_for, show, tell
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


@for_members
def listed(visit: Visit) -> Response:
    return GRID.page(visit)


@for_members
def edit(visit: Visit) -> Response:
    row = row_asked_for(visit, REVIEW)
    return missing(visit) if row is None else show(visit, "review.html", review=row, states=STATES)


@for_members
def save(visit: Visit) -> Response:
    row = row_asked_for(visit, REVIEW)
    if row is None:
        return missing(visit)
    if visit.field("status") in STATES:
        visit.database.execute(
            "UPDATE review SET status = ? WHERE id = ?", (visit.field("status"), row["id"])
        )
        tell(visit, f"The review “{row['title']}” is saved.")
    return visit.redirect("/review/")


@for_members
def delete(visit: Visit) -> Response:
    row = row_asked_for(visit, REVIEW)
    if row is None:
        return missing(visit)
    visit.database.execute("DELETE FROM review WHERE id = ?", (row["id"],))
    tell(visit, f"The review “{row['title']}” is deleted.")
    return visit.redirect("/review/")


def routes() -> Sequence[BaseRoute]:
    return [
        page("admin", "/review/", listed),
        page("admin", "/review/edit/id/{number}/", edit),
        page("admin", "/review/save/id/{number}/", save, "POST"),
        page("admin", "/review/delete/id/{number}/", delete, "POST"),
    ]
