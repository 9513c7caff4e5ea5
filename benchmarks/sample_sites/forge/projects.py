"""Making, forking, starring and setting up projects."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forge.access import in_project, members_only
from webbench.benchmarks.sample_sites.forge.data.schema import DEVELOPER, MAINTAINER, OWNER, VISIBILITIES
from webbench.benchmarks.sample_sites.forge.editing import write_file
from webbench.benchmarks.sample_sites.forge.layout import show, show_project
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import back, notify
from webbench.benchmarks.sample_sites.web import Visit, page

LONGEST_NAME = 100
LONGEST_DESCRIPTION = 2000
_LABELS = (
    ("bug", "red", "Something is wrong"),
    ("feature", "green", "Something new"),
    ("documentation", "blue", "Texts, not code"),
)
_COPIED = {
    "file": "path, content",
    "label": "name, colour, description",
    "revision": "sha, author, title, at",
}
"""What a fork takes over: table → columns."""

_COPY_CHANGES = (
    "INSERT INTO changed_file SELECT copy.id, path, added, removed, patch FROM changed_file"
    " JOIN revision AS source ON source.id = changed_file.revision"
    " JOIN revision AS copy ON copy.sha = source.sha AND copy.project = :copy WHERE source.project = :source"
)


def path_of(name: str) -> str:
    """The last part of a project's address: "Do it myself" becomes "do-it-myself"."""
    return re.sub(r"[^a-z0-9._]+", "-", name.lower()).strip("-.")


def new_page(visit: Visit) -> Response:
    values = {
        "name": "",
        "description": "",
        "visibility": "private",
        "owner": signed_in(visit),
        "readme": "1",
    }
    return _form(visit, values, {})


def create(visit: Visit) -> Response:
    values = {name: visit.field(name) for name in ("name", "description", "visibility", "owner", "readme")}
    errors = problems(visit.database, values, owners(visit))
    if errors:
        return _form(visit, values, errors)
    path, me = path_of(values["name"]), signed_in(visit)
    number = _insert(visit.database, values, path)
    if values["owner"] == me:
        _own(visit.database, number, me)
    visit.database.executemany("INSERT INTO label VALUES (?,?,?,?)", [(number, *label) for label in _LABELS])
    if values["readme"]:
        readme = f"# {values['name']}\n\n{values['description']}".rstrip() + "\n"
        write_file(visit.database, number, me, "Initial commit", ("README.md", readme))
    notify(visit, f"Project “{values['name']}” was successfully created.")
    return visit.redirect(f"/{values['owner']}/{path}")


def _form(visit: Visit, values: dict[str, str], errors: dict[str, str]) -> Response:
    return show(
        visit,
        "new-project.html",
        status=422 if errors else 200,
        values=values,
        errors=errors,
        owners=owners(visit),
        visibilities=VISIBILITIES,
    )


def owners(visit: Visit) -> list[str]:
    """Where a new project of the visitor may go: to them, or to a group in which they develop."""
    rows = visit.database.execute(
        "SELECT team FROM team_member WHERE person = ? AND role >= ? ORDER BY team",
        (signed_in(visit), DEVELOPER),
    )
    return [signed_in(visit), *(row["team"] for row in rows)]


def problems(database: sqlite3.Connection, values: dict[str, str], allowed: list[str]) -> dict[str, str]:
    """What is wrong with a new project, by field."""
    wrong = {}
    path = path_of(values["name"])
    if not path or len(values["name"]) > LONGEST_NAME:
        wrong["name"] = f"A name has letters or digits, and at most {LONGEST_NAME} characters."
    elif database.execute(
        "SELECT 1 FROM project WHERE owner = ? AND path = ?", (values["owner"], path)
    ).fetchone():
        wrong["name"] = "A project with this name exists."
    if values["visibility"] not in VISIBILITIES:
        wrong["visibility"] = "Choose who can see it."
    if values["owner"] not in allowed:
        wrong["owner"] = "Choose where it belongs."
    return wrong


def _insert(database: sqlite3.Connection, values: dict[str, str], path: str) -> int:
    added = database.execute(
        "INSERT INTO project (owner, path, name, description, topics, language, visibility, created, updated,"
        " stars, forked_from) VALUES (:owner,:path,:name,:description,'','',:visibility,:at,:at,0,'')",
        {
            **values,
            "path": path,
            "description": values["description"][:LONGEST_DESCRIPTION],
            "at": clock.tick(database),
        },
    )
    return added.lastrowid or 0


def _own(database: sqlite3.Connection, project: int, person: str) -> None:
    database.execute("INSERT INTO member VALUES (?,?,?,?,'')", (project, person, OWNER, clock.now(database)))


def fork_page(visit: Visit, place: Place) -> Response:
    return show_project(visit, place, "fork.html", "Overview", visibilities=VISIBILITIES)


def fork(visit: Visit, place: Place) -> Response:
    """A copy of the files, commits and labels among one's own projects."""
    me, source = signed_in(visit), place.project
    path = source["path"]
    taken = visit.database.execute(
        "SELECT 1 FROM project WHERE owner = ? AND path = ?", (me, path)
    ).fetchone()
    if taken:
        notify(visit, f"You have a project {path} already.")
        return visit.redirect(f"/{me}/{path}")
    chosen = visit.field("visibility")
    added = visit.database.execute(
        "INSERT INTO project (owner, path, name, description, topics, language, visibility, created, updated,"
        " stars, forked_from) SELECT ?, path, name, description, topics, language, ?, ?, updated, 0, ?"
        " FROM project WHERE id = ?",
        (
            me,
            chosen if chosen in VISIBILITIES else source["visibility"],
            clock.tick(visit.database),
            place.full_path,
            place.id,
        ),
    )
    for table, columns in _COPIED.items():
        visit.database.execute(
            f"INSERT INTO {table} (project, {columns}) SELECT ?, {columns} FROM {table} WHERE project = ?",  # noqa: S608 - only words of ours
            (added.lastrowid, place.id),
        )
    visit.database.execute(_COPY_CHANGES, {"copy": added.lastrowid, "source": place.id})
    _own(visit.database, added.lastrowid or 0, me)
    notify(visit, "The project was successfully forked.")
    return visit.redirect(f"/{me}/{path}")


def star(visit: Visit, place: Place) -> Response:
    """Stars the project, or takes the star back."""
    key = (signed_in(visit), place.id)
    taken = visit.database.execute("DELETE FROM star WHERE person = ? AND project = ?", key).rowcount
    if not taken:
        visit.database.execute("INSERT INTO star VALUES (?,?)", key)
    visit.database.execute(
        "UPDATE project SET stars = stars + ? WHERE id = ?", (-1 if taken else 1, place.id)
    )
    return back(visit)


def settings_page(visit: Visit, place: Place) -> Response:
    return show_project(visit, place, "settings.html", "Settings", visibilities=VISIBILITIES)


def save_settings(visit: Visit, place: Place) -> Response:
    name, visibility = visit.field("name"), visit.field("visibility")
    if not name or len(name) > LONGEST_NAME or visibility not in VISIBILITIES:
        notify(visit, "The project needs a name and a visibility; nothing was changed.")
    else:
        visit.database.execute(
            "UPDATE project SET name = ?, description = ?, topics = ?, visibility = ? WHERE id = ?",
            (
                name,
                visit.field("description")[:LONGEST_DESCRIPTION],
                visit.field("topics")[:LONGEST_NAME],
                visibility,
                place.id,
            ),
        )
        notify(visit, "The project was changed.")
    return visit.redirect(f"{place.path}/edit")


def routes() -> Sequence[BaseRoute]:
    start = "/{owner}/{project}"
    return [
        page("forge", "/projects/new", members_only(new_page)),
        page("forge", "/projects/new", members_only(create), "POST"),
        page("forge", start + "/-/forks/new", in_project(fork_page, members=True)),
        page("forge", start + "/-/forks/new", in_project(fork, members=True), "POST"),
        page("forge", start + "/-/star", in_project(star, members=True), "POST"),
        page("forge", start + "/edit", in_project(settings_page, MAINTAINER)),
        page("forge", start + "/edit", in_project(save_settings, MAINTAINER), "POST"),
    ]
