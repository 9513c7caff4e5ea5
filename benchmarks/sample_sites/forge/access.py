"""Access to projects: who may see and do what in the one that an address names."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from starlette.responses import Response

from webbench.benchmarks.sample_sites.forge.data import schema
from webbench.benchmarks.sample_sites.forge.layout import forbidden, missing
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Handler, Visit

SIGN_IN = "/users/sign_in"


ProjectHandler = Callable[[Visit, Place], Response]


def members_only(handler: Handler) -> Handler:
    return for_members(handler, SIGN_IN)


def in_project(handler: ProjectHandler, role: int = 0, *, members: bool = False) -> Handler:
    """A handler for addresses that name a project.

    Args:
        handler: gets the project too.
        role: the least that is needed; who has less is told so, who isn't signed in does that first.
        members: only who is signed in gets in, whatever the role.
    """

    def opened(visit: Visit) -> Response:
        place = find_place(
            visit.database, visit.parameter("owner"), visit.parameter("project"), signed_in(visit)
        )
        if place is None:
            return missing(visit)
        if not place.may(role):
            return forbidden(visit, f"This needs the role {schema.ROLES[role]} in {place.full_path}.")
        return handler(visit, place)

    return members_only(opened) if members or role else opened


def find_place(database: sqlite3.Connection, owner: str, path: str, me: str) -> Place | None:
    """The project, if there is one that `me` may see."""
    project = database.execute("SELECT * FROM project WHERE owner = ? AND path = ?", (owner, path)).fetchone()
    if project is None:
        return None
    role = role_in(database, project, me)
    hidden = project["visibility"] == "private" or (project["visibility"] == "internal" and not me)
    return None if hidden and not role else Place(project, role)


def role_in(database: sqlite3.Connection, project: sqlite3.Row, person: str) -> int:
    """The highest of a person's roles in the project and in the group that owns it; 0 = none."""
    if not person:
        return 0
    row = database.execute(
        "SELECT MAX(role) AS role FROM (SELECT role FROM member WHERE project = ? AND person = ?"
        " UNION ALL SELECT role FROM team_member WHERE team = ? AND person = ?)",
        (project["id"], person, project["owner"], person),
    ).fetchone()
    return int(row["role"] or 0)


VISIBLE = (
    "(project.visibility = 'public' OR (project.visibility = 'internal' AND :me <> '')"
    " OR project.id IN (SELECT project FROM member WHERE person = :me)"
    " OR project.owner IN (SELECT team FROM team_member WHERE person = :me))"
)
"""SQL condition on `project`, with the visitor's name as `:me`."""
