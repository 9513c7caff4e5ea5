"""Lists over all projects: one's own, all, search; to-dos, assigned issues and merge requests."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.forge.access import VISIBLE, members_only
from webbench.benchmarks.sample_sites.forge.layout import missing, show
from webbench.benchmarks.sample_sites.paging import Rows, like, paged
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import back, whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

SORTS = {
    "stars_desc": ("Most stars", "stars DESC, project.id"),
    "latest_activity_desc": ("Last updated", "updated DESC, project.id"),
    "name_asc": ("Name", "path COLLATE NOCASE, project.id"),
    "created_desc": ("Newest", "created DESC, project.id"),
}
OWN = (
    "(project.id IN (SELECT project FROM member WHERE person = :me)"
    " OR project.owner IN (SELECT team FROM team_member WHERE person = :me))"
)
_NAMED = "(owner || '/' || path LIKE :name ESCAPE '\\' OR description LIKE :name ESCAPE '\\')"
_ISSUES = (
    "FROM issue JOIN project ON project.id = issue.project"
    " WHERE (:state = 'all' OR issue.state = :state)"
    " AND (:assignee = '' OR assignee = :assignee) AND (:author = '' OR issue.author = :author) AND "
)
_REQUESTS = (
    "FROM merge_request JOIN project ON project.id = merge_request.project"
    " WHERE (:state = 'all' OR merge_request.state = :state)"
    " AND (:reviewer = '' OR reviewer = :reviewer) AND (:author = '' OR merge_request.author = :author) AND "
)
SCOPES = {"projects": "Projects", "issues": "Issues", "people": "People"}


def dashboard(visit: Visit) -> Response:
    """The projects of who is signed in; strangers see all public ones."""
    if not signed_in(visit):
        return explore(visit)
    return _projects(visit, "Your projects", "/", OWN, "latest_activity_desc")


def explore(visit: Visit) -> Response:
    return _projects(visit, "Explore projects", "/explore", "1", "stars_desc")


def _projects(visit: Visit, heading: str, path: str, condition: str, default: str) -> Response:
    sort = visit.query("sort") if visit.query("sort") in SORTS else default
    name = visit.query("name")[:100]
    found = find_projects(visit, f"{condition} AND {_NAMED}", sort, like(name))
    return show(
        visit, "projects.html", heading=heading, path=path, found=found, sorts=SORTS, sort=sort, name=name
    )


def find_projects(visit: Visit, condition: str, sort: str, name: str) -> Rows:
    """Visible projects under a condition, an SQL text which may use :me and :name."""
    return paged(
        visit,
        "project.*",
        f"FROM project WHERE {VISIBLE} AND {condition}",
        SORTS[sort][1],
        {"me": signed_in(visit), "name": name},
    )


def search(visit: Visit) -> Response:
    text = visit.query("search")[:200]
    scope = visit.query("scope") if visit.query("scope") in SCOPES else "projects"
    values = {"me": signed_in(visit), "name": like(text)}
    if scope == "issues":
        found = paged(
            visit,
            "issue.*, project.owner, project.path",
            f"FROM issue JOIN project ON project.id = issue.project WHERE {VISIBLE}"
            " AND (title LIKE :name ESCAPE '\\' OR issue.description LIKE :name ESCAPE '\\')",
            "issue.updated DESC, issue.id",
            values,
        )
    elif scope == "people":
        found = paged(
            visit,
            "*",
            "FROM person WHERE username LIKE :name ESCAPE '\\' OR name LIKE :name ESCAPE '\\'",
            "name",
            values,
        )
    else:
        found = find_projects(visit, _NAMED, "stars_desc", like(text))
    return show(visit, "search.html", text=text, scope=scope, scopes=SCOPES, found=found)


def issues(visit: Visit) -> Response:
    """Issues of all visible projects, by assignee, author and state."""
    values = {
        "me": signed_in(visit),
        "state": visit.query("state") or "opened",
        "assignee": visit.query("assignee_username"),
        "author": visit.query("author_username"),
    }
    found = paged(
        visit,
        "issue.*, project.owner, project.path",
        _ISSUES + VISIBLE,
        "issue.created DESC, issue.id",
        values,
    )
    return show(visit, "dashboard-issues.html", found=found, filters=values)


def merge_requests(visit: Visit) -> Response:
    """Merge requests of all visible projects, by reviewer, author and state."""
    values = {
        "me": signed_in(visit),
        "state": visit.query("state") or "opened",
        "reviewer": visit.query("reviewer_username"),
        "author": visit.query("author_username"),
    }
    found = paged(
        visit,
        "merge_request.*, project.owner, project.path AS project_path",
        _REQUESTS + VISIBLE,
        "merge_request.created DESC, merge_request.id",
        values,
    )
    return show(visit, "dashboard-merge-requests.html", found=found, filters=values)


def todos(visit: Visit) -> Response:
    done = visit.query("state") == "done"
    rows = visit.database.execute(
        "SELECT * FROM todo WHERE person = ? AND done = ? ORDER BY at DESC", (signed_in(visit), done)
    ).fetchall()
    listed = [(row, _target(visit.database, row)) for row in rows]
    return show(visit, "todos.html", todos=listed, done=done)


def _target(database: sqlite3.Connection, todo: sqlite3.Row) -> sqlite3.Row:
    table = {"issue": "issue", "merge_request": "merge_request"}[todo["kind"]]
    found: sqlite3.Row = database.execute(
        f"SELECT {table}.iid, {table}.title, project.owner, project.path FROM {table}"  # noqa: S608 - only words of ours
        f" JOIN project ON project.id = {table}.project WHERE {table}.id = ?",
        (todo["item"],),
    ).fetchone()
    return found


def finish_todo(visit: Visit) -> Response:
    changed = visit.database.execute(
        "UPDATE todo SET done = 1 - done WHERE id = ? AND person = ?",
        (whole_number(visit.parameter("todo")), signed_in(visit)),
    )
    return back(visit) if changed.rowcount else missing(visit)


def routes() -> Sequence[BaseRoute]:
    return [
        page("forge", "/", dashboard),
        page("forge", "/explore", explore),
        page("forge", "/search", search),
        page("forge", "/dashboard/issues", members_only(issues)),
        page("forge", "/dashboard/merge_requests", members_only(merge_requests)),
        page("forge", "/dashboard/todos", members_only(todos)),
        page("forge", "/dashboard/todos/{todo}", members_only(finish_todo), "POST"),
    ]
