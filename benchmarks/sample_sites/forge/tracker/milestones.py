"""Milestones of a project."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forge.access import in_project
from webbench.benchmarks.sample_sites.forge.data.schema import REPORTER
from webbench.benchmarks.sample_sites.forge.layout import missing, show_project
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.visits import whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

PATH = "/-/milestones"
LONGEST_TITLE = 255
LONGEST_DESCRIPTION = 5000
_COUNTED = (
    "SELECT milestone.*, (SELECT COUNT(*) FROM issue WHERE issue.project = milestone.project"
    " AND issue.milestone = milestone.title) AS issues, (SELECT COUNT(*) FROM issue WHERE"
    " issue.project = milestone.project AND issue.milestone = milestone.title AND issue.state = 'closed')"
    " AS done FROM milestone WHERE project = ?"
)


def milestone_list(visit: Visit, place: Place) -> Response:
    rows = visit.database.execute(f"{_COUNTED} ORDER BY state, due, iid", (place.id,)).fetchall()
    return show_project(
        visit, place, "milestones.html", "Milestones", rows=rows, may_create=place.may(REPORTER)
    )


def milestone_page(visit: Visit, place: Place) -> Response:
    milestone = _find(visit, place)
    if milestone is None:
        return missing(visit)
    issues = visit.database.execute(
        "SELECT * FROM issue WHERE project = ? AND milestone = ? ORDER BY state DESC, iid DESC",
        (place.id, milestone["title"]),
    ).fetchall()
    return show_project(
        visit,
        place,
        "milestone.html",
        "Milestones",
        milestone=milestone,
        issues=issues,
        may_change=place.may(REPORTER),
    )


def new_page(visit: Visit, place: Place) -> Response:
    return _form(visit, place, dict.fromkeys(("title", "description", "start", "due"), ""), {})


def create(visit: Visit, place: Place) -> Response:
    values = {name: visit.field(name) for name in ("title", "start", "due")}
    values["description"] = visit.field("description")[:LONGEST_DESCRIPTION]
    errors = problems(visit.database, place.id, values)
    if errors:
        return _form(visit, place, values, errors)
    iid = visit.database.execute(
        "SELECT COALESCE(MAX(iid), 0) + 1 AS iid FROM milestone WHERE project = ?", (place.id,)
    ).fetchone()["iid"]
    visit.database.execute(
        "INSERT INTO milestone (project, iid, title, description, start, due)"
        " VALUES (:project, :iid, :title, :description, :start, :due)",
        {**values, "project": place.id, "iid": iid},
    )
    return visit.redirect(f"{place.path}{PATH}/{iid}")


def _form(visit: Visit, place: Place, values: dict[str, str], errors: dict[str, str]) -> Response:
    return show_project(
        visit,
        place,
        "edit-milestone.html",
        "Milestones",
        status=422 if errors else 200,
        values=values,
        errors=errors,
    )


def problems(database: sqlite3.Connection, project: int, values: dict[str, str]) -> dict[str, str]:
    """What is wrong with a new milestone, by field."""
    wrong = {
        name: "A date is written like 2026-06-01."
        for name in ("start", "due")
        if values[name] and not clock.written_date(values[name])
    }
    if values["start"] and values["due"] and not wrong and values["due"] < values["start"]:
        wrong["due"] = "It ends before it starts."
    if not values["title"] or len(values["title"]) > LONGEST_TITLE:
        wrong["title"] = f"A title has between 1 and {LONGEST_TITLE} characters."
    elif database.execute(
        "SELECT 1 FROM milestone WHERE project = ? AND title = ?", (project, values["title"])
    ).fetchone():
        wrong["title"] = "There is a milestone with this title."
    return wrong


def toggle(visit: Visit, place: Place) -> Response:
    """Closes a milestone, or opens it again."""
    milestone = _find(visit, place)
    if milestone is None:
        return missing(visit)
    state = "active" if milestone["state"] == "closed" else "closed"
    visit.database.execute("UPDATE milestone SET state = ? WHERE id = ?", (state, milestone["id"]))
    return visit.redirect(f"{place.path}{PATH}/{milestone['iid']}")


def _find(visit: Visit, place: Place) -> sqlite3.Row | None:
    found: sqlite3.Row | None = visit.database.execute(
        f"{_COUNTED} AND iid = ?", (place.id, whole_number(visit.parameter("iid")))
    ).fetchone()
    return found


def routes() -> Sequence[BaseRoute]:
    start = "/{owner}/{project}" + PATH
    return [
        page("forge", start, in_project(milestone_list)),
        page("forge", start + "/new", in_project(new_page, REPORTER)),
        page("forge", start + "/new", in_project(create, REPORTER), "POST"),
        page("forge", start + "/{iid}", in_project(milestone_page)),
        page("forge", start + "/{iid}", in_project(toggle, REPORTER), "POST"),
    ]
