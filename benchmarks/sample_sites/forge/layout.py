"""What every page of the forge shows around its content."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.responses import Response

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forge.data import schema
from webbench.benchmarks.sample_sites.forge.markdown import blocks_of, spans_of
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.visits import frame
from webbench.benchmarks.sample_sites.web import Visit

AVATAR_COLOURS = 8


def show(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template inside the forge's frame; a pending notice is shown once."""
    names = {
        row["username"].lower(): row["name"]
        for row in visit.database.execute("SELECT username, name FROM person")
    }
    return visit.render(
        template,
        status,
        day=clock.day,
        written_date=clock.written_date,
        blocks_of=blocks_of,
        spans_of=spans_of,
        roles=schema.ROLES,
        name_of=lambda username: names.get(username.lower(), username),
        colour_of=lambda name: sum(map(ord, name)) % AVATAR_COLOURS,
        **frame(visit),
        **context,
    )


def show_project(
    visit: Visit, place: Place, template: str, tab: str, status: int = 200, **context: Any
) -> Response:
    """A page of a project: with its menu, in which `tab` is the current entry."""
    open_issues, open_requests = _open_counts(visit.database, place.id)
    return show(
        visit,
        template,
        status,
        place=place,
        project=place.project,
        home=visit.base + place.path,
        tab=tab,
        open_issues=open_issues,
        open_requests=open_requests,
        **context,
    )


def _open_counts(database: sqlite3.Connection, project: int) -> tuple[int, int]:
    row = database.execute(
        "SELECT (SELECT COUNT(*) FROM issue WHERE project = :id AND state = 'opened') AS issues,"
        " (SELECT COUNT(*) FROM merge_request WHERE project = :id AND state = 'opened') AS requests",
        {"id": project},
    ).fetchone()
    return row["issues"], row["requests"]


def missing(visit: Visit) -> Response:
    return show(visit, "missing.html", status=404)


def forbidden(visit: Visit, why: str) -> Response:
    return show(visit, "forbidden.html", status=403, why=why)
