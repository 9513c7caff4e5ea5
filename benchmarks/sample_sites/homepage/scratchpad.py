"""The scratchpad: notes that stay for as long as the episode."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.visits import whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

LONGEST_NOTE = 4000
MOST_NOTES = 200
PATH = "/scratchpad.html"


def notes(visit: Visit) -> Response:
    rows = visit.database.execute("SELECT id, text FROM note ORDER BY id DESC").fetchall()
    return visit.render("scratchpad.html", notes=rows, full=len(rows) >= MOST_NOTES)


def add(visit: Visit) -> Response:
    text = visit.field("note")[:LONGEST_NOTE]
    kept = visit.database.execute("SELECT COUNT(*) AS n FROM note").fetchone()["n"]
    if text and kept < MOST_NOTES:
        visit.database.execute("INSERT INTO note (text) VALUES (?)", (text,))
    return visit.redirect(PATH)


def delete(visit: Visit) -> Response:
    visit.database.execute("DELETE FROM note WHERE id = ?", (whole_number(visit.parameter("number")),))
    return visit.redirect(PATH)


def routes() -> Sequence[BaseRoute]:
    return [
        page("homepage", PATH, notes),
        page("homepage", PATH, add, "POST"),
        page("homepage", "/scratchpad/{number}/delete", delete, "POST"),
    ]
