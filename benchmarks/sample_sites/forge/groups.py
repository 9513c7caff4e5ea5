"""Groups: their projects, their members, making one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forge.access import members_only
from webbench.benchmarks.sample_sites.forge.data.schema import OWNER, ROLES, VISIBILITIES
from webbench.benchmarks.sample_sites.forge.layout import forbidden, missing, show
from webbench.benchmarks.sample_sites.forge.overview import find_projects
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import notify, whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

_PATH = re.compile(r"[a-z][a-z0-9._-]{1,40}")
RESERVED = {"dashboard", "explore", "groups", "projects", "search", "users"}
LONGEST_NAME = 100
LONGEST_DESCRIPTION = 500


def group_list(visit: Visit) -> Response:
    rows = visit.database.execute(
        "SELECT team.*, (SELECT COUNT(*) FROM project WHERE owner = team.path) AS projects,"
        " (SELECT COUNT(*) FROM team_member WHERE team = team.path) AS members FROM team ORDER BY team.name"
    ).fetchall()
    return show(visit, "groups.html", rows=rows)


def group_page(visit: Visit, path: str) -> Response:
    group = _find(visit.database, path)
    if group is None:
        return missing(visit)
    found = find_projects(visit, "project.owner = :name", "latest_activity_desc", group["path"])
    return show(visit, "group.html", group=group, found=found, tab="Projects")


def group_members(visit: Visit) -> Response:
    group = _find(visit.database, visit.parameter("group"))
    if group is None:
        return missing(visit)
    rows = visit.database.execute(
        "SELECT * FROM team_member WHERE team = ? ORDER BY role DESC, since", (group["path"],)
    ).fetchall()
    everybody = visit.database.execute("SELECT username, name FROM person ORDER BY username").fetchall()
    return show(
        visit,
        "group-members.html",
        group=group,
        rows=rows,
        everybody=everybody,
        tab="Members",
        may_manage=_role(visit, group) == OWNER,
    )


def invite(visit: Visit) -> Response:
    """One or more usernames, separated by commas or blanks, in one role."""
    group = _find(visit.database, visit.parameter("group"))
    if group is None:
        return missing(visit)
    if _role(visit, group) < OWNER:
        return forbidden(visit, f"This needs the role Owner in {group['name']}.")
    role = whole_number(visit.field("role"))
    wanted = visit.field("usernames").replace(",", " ").replace("@", " ").split()
    known = {row["username"] for row in visit.database.execute("SELECT username FROM person")}
    if not wanted or role not in ROLES or not known.issuperset(wanted):
        notify(visit, "Name people who are here, and a role; nobody was invited.")
    else:
        at = clock.tick(visit.database)
        visit.database.executemany(
            "INSERT OR IGNORE INTO team_member VALUES (?,?,?,?)",
            [(group["path"], name, role, at) for name in wanted],
        )
        notify(visit, f"Invited as {ROLES[role]}: {', '.join(wanted)}.")
    return visit.redirect(f"/groups/{group['path']}/-/group_members")


def new_page(visit: Visit) -> Response:
    return _form(visit, {"name": "", "path": "", "description": "", "visibility": "private"}, {})


def create(visit: Visit) -> Response:
    values = {name: visit.field(name) for name in ("name", "path", "description", "visibility")}
    values["path"] = values["path"] or re.sub(r"[^a-z0-9._]+", "-", values["name"].lower()).strip("-.")
    errors = problems(visit.database, values)
    if errors:
        return _form(visit, values, errors)
    at = clock.tick(visit.database)
    visit.database.execute(
        "INSERT INTO team VALUES (:path, :name, :description, :visibility, :at)",
        {**values, "description": values["description"][:LONGEST_DESCRIPTION], "at": at},
    )
    visit.database.execute(
        "INSERT INTO team_member VALUES (?,?,?,?)", (values["path"], signed_in(visit), OWNER, at)
    )
    notify(visit, f"Group “{values['name']}” was successfully created.")
    return visit.redirect(f"/{values['path']}")


def _form(visit: Visit, values: dict[str, str], errors: dict[str, str]) -> Response:
    return show(
        visit,
        "new-group.html",
        status=422 if errors else 200,
        values=values,
        errors=errors,
        visibilities=VISIBILITIES,
    )


def problems(database: sqlite3.Connection, values: dict[str, str]) -> dict[str, str]:
    """What is wrong with a new group, by field."""
    wrong = {}
    taken = database.execute(
        "SELECT 1 FROM team WHERE path = :path UNION SELECT 1 FROM person WHERE username = :path", values
    ).fetchone()
    if not values["name"] or len(values["name"]) > LONGEST_NAME:
        wrong["name"] = f"A name has between 1 and {LONGEST_NAME} characters."
    if not _PATH.fullmatch(values["path"]) or values["path"] in RESERVED:
        wrong["path"] = "An address has 2 to 41 small letters, digits, dots and dashes."
    elif taken:
        wrong["path"] = "This address is taken."
    if values["visibility"] not in VISIBILITIES:
        wrong["visibility"] = "Choose who can see it."
    return wrong


def _find(database: sqlite3.Connection, path: str) -> sqlite3.Row | None:
    found: sqlite3.Row | None = database.execute("SELECT * FROM team WHERE path = ?", (path,)).fetchone()
    return found


def _role(visit: Visit, group: sqlite3.Row) -> int:
    row = visit.database.execute(
        "SELECT role FROM team_member WHERE team = ? AND person = ?", (group["path"], signed_in(visit))
    ).fetchone()
    return row["role"] if row else 0


def routes() -> Sequence[BaseRoute]:
    return [
        page("forge", "/groups", group_list),
        page("forge", "/groups/new", members_only(new_page)),
        page("forge", "/groups/new", members_only(create), "POST"),
        page("forge", "/groups/{group}/-/group_members", group_members),
        page("forge", "/groups/{group}/-/group_members", members_only(invite), "POST"),
    ]
