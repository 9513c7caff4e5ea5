"""Issues of a project: list with filters, one issue, what changes it without a form of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.forge.access import in_project
from webbench.benchmarks.sample_sites.forge.data.schema import REPORTER
from webbench.benchmarks.sample_sites.forge.layout import missing, show_project
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.forge.tracker.notes import add_note, comment_on, notes_of
from webbench.benchmarks.sample_sites.paging import Rows, like, paged
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

STATES = {"opened": "Open", "closed": "Closed", "all": "All"}
SORTS = {
    "created_date": ("Newest", "created DESC, id DESC"),
    "created_asc": ("Oldest", "created, id"),
    "updated_desc": ("Last updated", "updated DESC, id DESC"),
    "title_asc": ("Title", "title COLLATE NOCASE, id"),
}
NOBODY = "None"
_PARTS = {
    "assignee_username": "assignee = :assignee_username",
    "author_username": "author = :author_username",
    "milestone_title": "milestone = :milestone_title",
    "search": "(title LIKE :search ESCAPE '\\' OR description LIKE :search ESCAPE '\\')",
}
FILTERS = ("label_name", *_PARTS)


def issue_list(visit: Visit, place: Place) -> Response:
    filters = {name: visit.query(name)[:200] for name in FILTERS}
    state = visit.query("state") if visit.query("state") in STATES else "opened"
    sort = visit.query("sort") if visit.query("sort") in SORTS else "created_date"
    found = find(visit, place.id, filters, state, sort)
    return show_project(
        visit,
        place,
        "issues.html",
        "Issues",
        found=found,
        filters=filters,
        state=state,
        states=STATES,
        sort=sort,
        sorts=SORTS,
        labels_of=labels_of(visit.database, [row["id"] for row in found.rows]),
        choices=choices(visit.database, place.id),
        total=_per_state(visit.database, place.id),
    )


def find(visit: Visit, project: int, filters: dict[str, str], state: str, sort: str) -> Rows:
    """The issues that pass all filters; "" lets everything pass, and `NOBODY` what has none."""
    given = {name: value for name, value in filters.items() if value}
    parts = [_PARTS[name] for name in given if name in _PARTS]
    if "label_name" in given:
        parts.append("id IN (SELECT issue FROM issue_label WHERE label = :label_name)")
    if state != "all":
        parts.append("state = :state")
    values = {name: "" if value == NOBODY else value for name, value in given.items()}
    return paged(
        visit,
        "*",
        f"FROM issue WHERE {' AND '.join(['project = :project', *parts])}",
        SORTS[sort][1],
        {**values, "search": like(filters["search"]), "project": project, "state": state},
    )


def _per_state(database: sqlite3.Connection, project: int) -> dict[str, int]:
    rows = database.execute(
        "SELECT state, COUNT(*) AS n FROM issue WHERE project = ? GROUP BY state", (project,)
    )
    counted = {row["state"]: row["n"] for row in rows}
    return {**dict.fromkeys(STATES, 0), **counted, "all": sum(counted.values())}


def choices(database: sqlite3.Connection, project: int) -> dict[str, list[str]]:
    """What lists to choose from hold: labels, milestones, people with a role or an issue, authors."""
    queries = {
        "labels": "SELECT name FROM label WHERE project = :id ORDER BY name",
        "milestones": "SELECT title FROM milestone WHERE project = :id AND state = 'active' ORDER BY iid",
        "all_milestones": "SELECT title FROM milestone WHERE project = :id ORDER BY iid",
        "people": "SELECT person FROM member WHERE project = :id UNION SELECT person FROM team_member"
        " WHERE team = (SELECT owner FROM project WHERE id = :id) UNION SELECT assignee FROM issue"
        " WHERE project = :id AND assignee <> '' ORDER BY 1",
        "authors": "SELECT DISTINCT author FROM issue WHERE project = :id ORDER BY author",
    }
    return {
        name: [row[0] for row in database.execute(query, {"id": project})] for name, query in queries.items()
    }


def labels_of(database: sqlite3.Connection, issues: Sequence[int]) -> dict[int, list[sqlite3.Row]]:
    """Labels (name, colour) by number of the issue."""
    found: dict[int, list[sqlite3.Row]] = {issue: [] for issue in issues}
    rows = database.execute(
        "SELECT issue, name, colour FROM issue_label JOIN issue ON issue.id = issue_label.issue"  # noqa: S608 - only words of ours
        " JOIN label ON label.name = issue_label.label AND label.project = issue.project"
        f" WHERE issue IN ({', '.join('?' * len(issues))}) ORDER BY name",
        tuple(issues),
    )
    for row in rows:
        found[row["issue"]].append(row)
    return found


def find_issue(visit: Visit, place: Place) -> sqlite3.Row | None:
    """The issue that the address names."""
    found: sqlite3.Row | None = visit.database.execute(
        "SELECT * FROM issue WHERE project = ? AND iid = ?",
        (place.id, whole_number(visit.parameter("iid"))),
    ).fetchone()
    return found


def issue_page(visit: Visit, place: Place) -> Response:
    issue = find_issue(visit, place)
    if issue is None:
        return missing(visit)
    return show_project(
        visit,
        place,
        "issue.html",
        "Issues",
        issue=issue,
        labels=labels_of(visit.database, [issue["id"]])[issue["id"]],
        notes=notes_of(visit.database, "issue", issue["id"]),
        may_change=may_change(visit, place, issue),
        may_triage=place.may(REPORTER),
    )


def may_change(visit: Visit, place: Place, issue: sqlite3.Row) -> bool:
    return place.may(REPORTER) or issue["author"] == signed_in(visit)


def comment(visit: Visit, place: Place) -> Response:
    """See `comment_on`."""
    issue = find_issue(visit, place)
    if issue is None:
        return missing(visit)
    return comment_on(
        visit,
        "issue",
        issue,
        may_close=may_change(visit, place, issue),
        refusal="Only its author and members can close an issue.",
        back=f"{place.path}/-/issues/{issue['iid']}",
    )


def take(visit: Visit, place: Place) -> Response:
    """Assigns the issue to who pressed the button."""
    issue = find_issue(visit, place)
    if issue is None:
        return missing(visit)
    me = signed_in(visit)
    visit.database.execute("UPDATE issue SET assignee = ? WHERE id = ?", (me, issue["id"]))
    add_note(visit.database, "issue", issue["id"], me, f"assigned to @{me}", automatic=True)
    return visit.redirect(f"{place.path}/-/issues/{issue['iid']}")


def labels(visit: Visit, place: Place) -> Response:
    rows = visit.database.execute(
        "SELECT label.*, (SELECT COUNT(*) FROM issue_label JOIN issue ON issue.id = issue_label.issue"
        " WHERE issue.project = label.project AND issue_label.label = label.name AND issue.state = 'opened')"
        " AS issues FROM label WHERE project = ? ORDER BY name",
        (place.id,),
    ).fetchall()
    return show_project(visit, place, "labels.html", "Labels", labels=rows)


def routes() -> Sequence[BaseRoute]:
    start = "/{owner}/{project}/-"
    return [
        page("forge", start + "/issues", in_project(issue_list)),
        page("forge", start + "/labels", in_project(labels)),
        page("forge", start + "/issues/{iid}", in_project(issue_page)),
        page("forge", start + "/issues/{iid}/notes", in_project(comment, members=True), "POST"),
        page("forge", start + "/issues/{iid}/take", in_project(take, REPORTER), "POST"),
    ]
