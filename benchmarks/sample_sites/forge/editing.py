"""Changing files: each change is a commit."""

from __future__ import annotations

import difflib
import re
import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forge.access import in_project
from webbench.benchmarks.sample_sites.forge.data.revisions import add_commit
from webbench.benchmarks.sample_sites.forge.data.schema import BRANCH, DEVELOPER
from webbench.benchmarks.sample_sites.forge.layout import missing, show_project
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.forge.repository import content_of
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import notify
from webbench.benchmarks.sample_sites.web import Visit, page

LONGEST_FILE = 200_000
LONGEST_PATH = 200
LONGEST_MESSAGE = 200
_PATH = re.compile(r"[\w.+@-][\w.+@ -]*(/[\w.+@-][\w.+@ -]*)*")


def new_page(visit: Visit, place: Place) -> Response:
    folder = visit.request.path_params.get("path", "").strip("/")
    values = {"path": f"{folder}/" if folder else "", "content": "", "message": "Add new file"}
    return show_project(visit, place, "edit-file.html", "Files", values=values, errors={}, new=True)


def create(visit: Visit, place: Place) -> Response:
    values = _values(visit, visit.field("path"))
    errors = problems(visit.database, place.id, values)
    if errors:
        return show_project(
            visit, place, "edit-file.html", "Files", status=422, values=values, errors=errors, new=True
        )
    return _commit(visit, place, values)


def edit_page(visit: Visit, place: Place) -> Response:
    path = visit.parameter("path")
    content = content_of(visit.database, place.id, path)
    if content is None:
        return missing(visit)
    values = {"path": path, "content": content, "message": f"Update {path.rpartition('/')[2]}"}
    return show_project(visit, place, "edit-file.html", "Files", values=values, errors={}, new=False)


def edit(visit: Visit, place: Place) -> Response:
    path = visit.parameter("path")
    if content_of(visit.database, place.id, path) is None:
        return missing(visit)
    return _commit(visit, place, _values(visit, path))


def _values(visit: Visit, path: str) -> dict[str, str]:
    """The posted form; a text keeps its blanks and ends with a line break."""
    written = visit.form.get("content", [""])[-1].replace("\r\n", "\n")[:LONGEST_FILE]
    content = written if written.endswith("\n") or not written else written + "\n"
    message = visit.field("message")[:LONGEST_MESSAGE] or f"Update {path}"
    return {"path": path, "content": content, "message": message}


def problems(database: sqlite3.Connection, project: int, values: dict[str, str]) -> dict[str, str]:
    """What is wrong with a new file, by field."""
    path = values["path"]
    if len(path) > LONGEST_PATH or not _PATH.fullmatch(path) or ".." in path.split("/"):
        return {"path": "A path is made of names joined by “/”."}
    taken = database.execute(
        "SELECT 1 FROM file WHERE project = ? AND (path = ? OR substr(path, 1, ?) = ?"
        " OR substr(?, 1, length(path) + 1) = path || '/')",
        (project, path, len(path) + 1, f"{path}/", path),
    ).fetchone()
    return {"path": "A file or folder with this path exists."} if taken else {}


def _commit(visit: Visit, place: Place, values: dict[str, str]) -> Response:
    write_file(
        visit.database, place.id, signed_in(visit), values["message"], (values["path"], values["content"])
    )
    notify(visit, "Your changes have been committed.")
    return visit.redirect(f"{place.path}/-/blob/{BRANCH}/{values['path']}")


def write_file(
    database: sqlite3.Connection, project: int, author: str, message: str, file: tuple[str, str]
) -> None:
    """Record a commit that gives the file (path, content) its content."""
    path, content = file
    patch = difference(content_of(database, project, path) or "", content)
    at = clock.tick(database)
    plus = sum(line.startswith("+") for line in patch)
    minus = sum(line.startswith("-") for line in patch)
    add_commit(database, project, author, message, at, [(path, plus, minus, "\n".join(patch))])
    database.execute("INSERT OR REPLACE INTO file VALUES (?,?,?)", (project, path, content))
    database.execute("UPDATE project SET updated = ? WHERE id = ?", (at, project))


def difference(before: str, after: str) -> list[str]:
    """The lines of a unified difference, without its two lines of file names."""
    return list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2))[2:]


def routes() -> Sequence[BaseRoute]:
    start = "/{owner}/{project}/-"
    new, change = f"{start}/new/{BRANCH}", f"{start}/edit/{BRANCH}/{{path:path}}"
    return [
        page("forge", new, in_project(new_page, DEVELOPER)),
        page("forge", new + "/{path:path}", in_project(new_page, DEVELOPER)),
        page("forge", new, in_project(create, DEVELOPER), "POST"),
        page("forge", new + "/{path:path}", in_project(create, DEVELOPER), "POST"),
        page("forge", change, in_project(edit_page, DEVELOPER)),
        page("forge", change, in_project(edit, DEVELOPER), "POST"),
    ]
