"""Merge requests: list, conversation, changes, approval, merging."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.forge.access import in_project
from webbench.benchmarks.sample_sites.forge.data.schema import BRANCH, DEVELOPER
from webbench.benchmarks.sample_sites.forge.editing import difference, write_file
from webbench.benchmarks.sample_sites.forge.layout import missing, show_project
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.forge.repository import content_of
from webbench.benchmarks.sample_sites.forge.tracker.issues import choices
from webbench.benchmarks.sample_sites.forge.tracker.notes import add_note, add_todo, comment_on, notes_of
from webbench.benchmarks.sample_sites.paging import like, paged
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import notify, whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

STATES = {"opened": "Open", "merged": "Merged", "closed": "Closed", "all": "All"}
FILTERS = ("author_username", "reviewer_username", "search")


def request_list(visit: Visit, place: Place) -> Response:
    filters = {name: visit.query(name)[:200] for name in FILTERS}
    state = visit.query("state") if visit.query("state") in STATES else "opened"
    found = paged(
        visit,
        "*",
        "FROM merge_request WHERE project = :project AND (:state = 'all' OR state = :state)"
        " AND (:author_username = '' OR author = :author_username)"
        " AND (:reviewer_username = '' OR reviewer = :reviewer_username)"
        " AND title LIKE :search ESCAPE '\\'",
        "created DESC, id DESC",
        {**filters, "search": like(filters["search"]), "project": place.id, "state": state},
    )
    authors = visit.database.execute(
        "SELECT DISTINCT author FROM merge_request WHERE project = ? ORDER BY author", (place.id,)
    ).fetchall()
    return show_project(
        visit,
        place,
        "merge-requests.html",
        "Merge requests",
        found=found,
        filters=filters,
        state=state,
        states=STATES,
        authors=[row["author"] for row in authors],
        people=choices(visit.database, place.id)["people"],
    )


def request_page(visit: Visit, place: Place) -> Response:
    """The conversation, or what changes where the address ends on /diffs."""
    request = _find(visit, place)
    if request is None:
        return missing(visit)
    approvals = visit.database.execute(
        "SELECT person FROM approval WHERE merge_request = ? ORDER BY person", (request["id"],)
    ).fetchall()
    before = content_of(visit.database, place.id, request["path"]) or ""
    return show_project(
        visit,
        place,
        "merge-request.html",
        "Merge requests",
        request=request,
        target=BRANCH,
        approvals=[row["person"] for row in approvals],
        notes=notes_of(visit.database, "merge_request", request["id"]),
        changes=visit.request.url.path.endswith("/diffs"),
        patch=difference(before, request["content"]),
        people=choices(visit.database, place.id)["people"],
        may_merge=place.may(DEVELOPER),
        may_close=place.may(DEVELOPER) or request["author"] == signed_in(visit),
    )


def comment(visit: Visit, place: Place) -> Response:
    """See `comment_on`."""
    request = _find(visit, place)
    if request is None:
        return missing(visit)
    return comment_on(
        visit,
        "merge_request",
        request,
        may_close=place.may(DEVELOPER) or request["author"] == signed_in(visit),
        refusal="Only its author and members can close a merge request.",
        back=_address(place, request),
    )


def approve(visit: Visit, place: Place) -> Response:
    """Approves, or takes back one's approval."""
    request = _find(visit, place)
    if request is None:
        return missing(visit)
    me = signed_in(visit)
    key = (request["id"], me)
    revoked = visit.database.execute(
        "DELETE FROM approval WHERE merge_request = ? AND person = ?", key
    ).rowcount
    if not revoked:
        visit.database.execute("INSERT INTO approval VALUES (?,?)", key)
    told = "took back the approval of this merge request" if revoked else "approved this merge request"
    add_note(visit.database, "merge_request", request["id"], me, told, automatic=True)
    return visit.redirect(_address(place, request))


def merge(visit: Visit, place: Place) -> Response:
    """Gives the file its new content by a commit of the request's author."""
    request = _find(visit, place)
    if request is None:
        return missing(visit)
    if request["state"] != "opened":
        notify(visit, "Only an open merge request can be merged.")
        return visit.redirect(_address(place, request))
    change = (request["path"], request["content"])
    write_file(visit.database, place.id, request["author"], request["title"], change)
    visit.database.execute("UPDATE merge_request SET state = 'merged' WHERE id = ?", (request["id"],))
    add_note(visit.database, "merge_request", request["id"], signed_in(visit), "merged", automatic=True)
    return visit.redirect(_address(place, request))


def assign(visit: Visit, place: Place) -> Response:
    """Names the reviewer and the assignee."""
    request = _find(visit, place)
    if request is None:
        return missing(visit)
    known = choices(visit.database, place.id)["people"]
    me = signed_in(visit)
    for role, told in (("reviewer", "requested a review from @"), ("assignee", "assigned to @")):
        person = visit.field(role)
        if person == request[role] or (person and person not in known):
            continue
        visit.database.execute(
            f"UPDATE merge_request SET {role} = ? WHERE id = ?",  # noqa: S608 - only words of ours
            (person, request["id"]),
        )
        words = told + person if person else f"removed the {role}"
        add_note(visit.database, "merge_request", request["id"], me, words, automatic=True)
        add_todo(visit.database, person, me, f"made you the {role} of", "merge_request", request["id"])
    return visit.redirect(_address(place, request))


def _find(visit: Visit, place: Place) -> sqlite3.Row | None:
    found: sqlite3.Row | None = visit.database.execute(
        "SELECT * FROM merge_request WHERE project = ? AND iid = ?",
        (place.id, whole_number(visit.parameter("iid"))),
    ).fetchone()
    return found


def _address(place: Place, request: sqlite3.Row) -> str:
    return f"{place.path}/-/merge_requests/{request['iid']}"


def routes() -> Sequence[BaseRoute]:
    start = "/{owner}/{project}/-/merge_requests"
    one = start + "/{iid}"
    return [
        page("forge", start, in_project(request_list)),
        page("forge", one, in_project(request_page)),
        page("forge", one + "/diffs", in_project(request_page)),
        page("forge", one + "/notes", in_project(comment, members=True), "POST"),
        page("forge", one + "/approve", in_project(approve, DEVELOPER), "POST"),
        page("forge", one + "/merge", in_project(merge, DEVELOPER), "POST"),
        page("forge", one + "/assign", in_project(assign, DEVELOPER), "POST"),
    ]
