"""Who works on a project, and as what."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forge.access import in_project
from webbench.benchmarks.sample_sites.forge.data.schema import MAINTAINER, OWNER, ROLES
from webbench.benchmarks.sample_sites.forge.layout import missing, show_project
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import notify, whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

PATH = "/-/project_members"


def member_list(visit: Visit, place: Place) -> Response:
    """Direct members, and those whom the project has from its group."""
    rows = visit.database.execute(
        "SELECT person, role, since, expires, '' AS source FROM member WHERE project = :id"
        " UNION ALL SELECT person, role, since, '', team.name FROM team_member JOIN team ON path = team"
        " WHERE team = :owner ORDER BY since",
        {"id": place.id, "owner": place.project["owner"]},
    ).fetchall()
    everybody = visit.database.execute("SELECT username, name FROM person ORDER BY username").fetchall()
    return show_project(
        visit,
        place,
        "members.html",
        "Members",
        rows=rows,
        everybody=everybody,
        may_manage=place.may(MAINTAINER),
    )


def invite(visit: Visit, place: Place) -> Response:
    """One or more usernames, separated by commas or blanks, in one role."""
    role = whole_number(visit.field("role"))
    wanted = visit.field("usernames").replace(",", " ").replace("@", " ").split()
    known = {row["username"] for row in visit.database.execute("SELECT username FROM person")}
    strangers = [name for name in wanted if name not in known]
    if not wanted or role not in ROLES or role == OWNER:
        notify(visit, "Name at least one person, and a role.")
    elif strangers:
        notify(visit, f"Nobody here is called {', '.join(strangers)}; nobody was invited.")
    else:
        at, expires = clock.tick(visit.database), visit.field("expires")
        visit.database.executemany(
            "INSERT INTO member VALUES (?,?,?,?,?) ON CONFLICT (project, person) DO UPDATE SET"
            " role = excluded.role WHERE member.role <> 50",
            [(place.id, name, role, at, expires if clock.written_date(expires) else "") for name in wanted],
        )
        notify(visit, f"Invited as {ROLES[role]}: {', '.join(wanted)}.")
    return visit.redirect(place.path + PATH)


def change(visit: Visit, place: Place) -> Response:
    """Another role for a direct member, or removal."""
    person, role = visit.parameter("person"), whole_number(visit.field("role"))
    key = {"project": place.id, "person": person, "role": role}
    condition = "WHERE project = :project AND person = :person AND role <> 50"
    if person == signed_in(visit):
        notify(visit, "Nobody changes their own role.")
    elif visit.field("action") == "remove":
        removed = visit.database.execute(f"DELETE FROM member {condition}", key).rowcount  # noqa: S608 - only words of ours
        notify(visit, f"{person} was removed." if removed else f"{person} can't be removed here.")
    elif role in ROLES and role != OWNER:
        changed = visit.database.execute(f"UPDATE member SET role = :role {condition}", key).rowcount  # noqa: S608 - only words of ours
        notify(visit, f"{person} is now {ROLES[role]}." if changed else f"{person} can't be changed here.")
    else:
        return missing(visit)
    return visit.redirect(place.path + PATH)


def routes() -> Sequence[BaseRoute]:
    start = "/{owner}/{project}" + PATH
    return [
        page("forge", start, in_project(member_list)),
        page("forge", start, in_project(invite, MAINTAINER), "POST"),
        page("forge", start + "/{person}", in_project(change, MAINTAINER), "POST"),
    ]
