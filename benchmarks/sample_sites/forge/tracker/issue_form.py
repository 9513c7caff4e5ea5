"""The form in which an issue is opened or changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forge.access import in_project
from webbench.benchmarks.sample_sites.forge.data.schema import REPORTER
from webbench.benchmarks.sample_sites.forge.layout import forbidden, missing, show_project
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.forge.tracker.issues import choices, find_issue, labels_of, may_change
from webbench.benchmarks.sample_sites.forge.tracker.notes import add_note, add_todo
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.web import Visit, page
from webbench.core.json_types import JsonObject

LONGEST_TITLE = 255
LONGEST_DESCRIPTION = 50_000
TEXTS = ("title", "description")
TRIAGE = ("assignee", "milestone", "due")
_TOLD = {
    "assignee": ("assigned to @", "removed the assignee"),
    "milestone": ("set the milestone to ", "removed the milestone"),
    "due": ("set the due date to ", "removed the due date"),
}


def new_page(visit: Visit, place: Place) -> Response:
    return _form(visit, place, {**dict.fromkeys((*TEXTS, *TRIAGE), ""), "labels": []}, {}, new=True)


def create(visit: Visit, place: Place) -> Response:
    """Members choose assignee, labels, milestone and due date too; others give the texts."""
    values = _values(visit, place)
    errors = problems(values)
    if errors:
        return _form(visit, place, values, errors, new=True)
    me, at = signed_in(visit), clock.tick(visit.database)
    iid = visit.database.execute(
        "SELECT COALESCE(MAX(iid), 0) + 1 AS iid FROM issue WHERE project = ?", (place.id,)
    ).fetchone()["iid"]
    added = visit.database.execute(
        "INSERT INTO issue (project, iid, title, description, author, assignee, milestone, due, created,"
        " updated) VALUES (:project,:iid,:title,:description,:author,:assignee,:milestone,:due,:at,:at)",
        {**values, "labels": None, "project": place.id, "iid": iid, "author": me, "at": at},
    )
    _set_labels(visit.database, added.lastrowid or 0, values["labels"])
    add_todo(visit.database, values["assignee"], me, "assigned you", "issue", added.lastrowid or 0)
    return visit.redirect(f"{place.path}/-/issues/{iid}")


def edit_page(visit: Visit, place: Place) -> Response:
    issue = find_issue(visit, place)
    if issue is None:
        return missing(visit)
    if not may_change(visit, place, issue):
        return forbidden(visit, "Only its author and members can change an issue.")
    return _form(visit, place, _stored(visit.database, issue), {}, new=False)


def edit(visit: Visit, place: Place) -> Response:
    issue = find_issue(visit, place)
    if issue is None:
        return missing(visit)
    if not may_change(visit, place, issue):
        return forbidden(visit, "Only its author and members can change an issue.")
    before = _stored(visit.database, issue)
    values = _values(visit, place)
    if not place.may(REPORTER):
        values = {**before, **{name: values[name] for name in TEXTS}}
    errors = problems(values)
    if errors:
        return _form(visit, place, values, errors, new=False)
    visit.database.execute(
        "UPDATE issue SET title=:title, description=:description, assignee=:assignee, milestone=:milestone,"
        " due=:due WHERE id=:id",
        {**values, "labels": None, "id": issue["id"]},
    )
    _set_labels(visit.database, issue["id"], values["labels"])
    for told in changes(before, values):
        add_note(visit.database, "issue", issue["id"], signed_in(visit), told, automatic=True)
    if values["assignee"] != before["assignee"]:
        add_todo(visit.database, values["assignee"], signed_in(visit), "assigned you", "issue", issue["id"])
    return visit.redirect(f"{place.path}/-/issues/{issue['iid']}")


def _form(visit: Visit, place: Place, values: JsonObject, errors: dict[str, str], *, new: bool) -> Response:
    return show_project(
        visit,
        place,
        "edit-issue.html",
        "Issues",
        status=422 if errors else 200,
        values=values,
        errors=errors,
        new=new,
        choices=choices(visit.database, place.id),
        may_triage=place.may(REPORTER),
    )


def _values(visit: Visit, place: Place) -> JsonObject:
    """The posted form; what isn't in the project's lists counts as not chosen."""
    known = choices(visit.database, place.id)
    triage = place.may(REPORTER)
    assignee, milestone, due = (visit.field(name) if triage else "" for name in TRIAGE)
    return {
        "title": visit.field("title"),
        "description": visit.field("description")[:LONGEST_DESCRIPTION],
        "assignee": assignee if assignee in known["people"] else "",
        "milestone": milestone if milestone in known["all_milestones"] else "",
        "due": due,
        "labels": [name for name in visit.form.get("label", ()) if triage and name in known["labels"]],
    }


def problems(values: JsonObject) -> dict[str, str]:
    """What is wrong, by field."""
    wrong = {}
    if not values["title"] or len(values["title"]) > LONGEST_TITLE:
        wrong["title"] = f"A title has between 1 and {LONGEST_TITLE} characters."
    if values["due"] and not clock.written_date(values["due"]):
        wrong["due"] = "A date is written like 2026-06-01."
    return wrong


def _stored(database: sqlite3.Connection, issue: sqlite3.Row) -> JsonObject:
    labels = [row["name"] for row in labels_of(database, [issue["id"]])[issue["id"]]]
    return {**{name: issue[name] for name in (*TEXTS, *TRIAGE)}, "labels": labels}


def _set_labels(database: sqlite3.Connection, issue: int, labels: Sequence[str]) -> None:
    database.execute("DELETE FROM issue_label WHERE issue = ?", (issue,))
    database.executemany(
        "INSERT INTO issue_label VALUES (?,?)", [(issue, label) for label in dict.fromkeys(labels)]
    )


def changes(before: JsonObject, after: JsonObject) -> list[str]:
    """What the conversation tells of a change."""
    told = []
    if after["title"] != before["title"]:
        told.append(f"changed the title to “{after['title']}”")
    if after["description"] != before["description"]:
        told.append("changed the description")
    for name, (words, gone) in _TOLD.items():
        if after[name] != before[name]:
            told.append(words + after[name] if after[name] else gone)
    added = [label for label in after["labels"] if label not in before["labels"]]
    removed = [label for label in before["labels"] if label not in after["labels"]]
    told += [f"added the label {label}" for label in added]
    return told + [f"removed the label {label}" for label in removed]


def routes() -> Sequence[BaseRoute]:
    start = "/{owner}/{project}/-/issues"
    return [
        page("forge", start + "/new", in_project(new_page, members=True)),
        page("forge", start + "/new", in_project(create, members=True), "POST"),
        page("forge", start + "/{iid}/edit", in_project(edit_page, members=True)),
        page("forge", start + "/{iid}/edit", in_project(edit, members=True), "POST"),
    ]
