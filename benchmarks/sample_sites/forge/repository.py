"""A project's files, commits and contributors."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.forge.access import in_project
from webbench.benchmarks.sample_sites.forge.data.schema import BRANCH
from webbench.benchmarks.sample_sites.forge.layout import missing, show_project
from webbench.benchmarks.sample_sites.forge.place import Place
from webbench.benchmarks.sample_sites.paging import paged
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.web import Visit, page


@dataclass(frozen=True)
class Entry:
    """A file or folder in a listing, with the last commit that touched it."""

    name: str
    path: str
    folder: bool
    last: sqlite3.Row | None


def home(visit: Visit, place: Place) -> Response:
    starred = visit.database.execute(
        "SELECT 1 FROM star WHERE person = ? AND project = ?", (signed_in(visit), place.id)
    ).fetchone()
    forks = visit.database.execute(
        "SELECT COUNT(*) AS n FROM project WHERE forked_from = ?", (place.full_path,)
    ).fetchone()["n"]
    counts = visit.database.execute(
        "SELECT (SELECT COUNT(*) FROM revision WHERE project = :id) AS commits,"
        " (SELECT COUNT(DISTINCT author) FROM revision WHERE project = :id) AS contributors",
        {"id": place.id},
    ).fetchone()
    return show_project(
        visit,
        place,
        "project.html",
        "Overview",
        entries=entries(visit.database, place.id, ""),
        latest=_latest(visit.database, place.id),
        readme=content_of(visit.database, place.id, "README.md"),
        starred=starred is not None,
        forks=forks,
        counts=counts,
        clone=f"git clone git@forge.example:{place.full_path}.git",
    )


def tree(visit: Visit, place: Place) -> Response:
    folder = visit.request.path_params.get("path", "").strip("/")
    found = entries(visit.database, place.id, folder)
    if folder and not found:
        return missing(visit)
    return show_project(
        visit,
        place,
        "tree.html",
        "Files",
        entries=found,
        folder=folder,
        latest=_latest(visit.database, place.id),
    )


def entries(database: sqlite3.Connection, project: int, folder: str) -> list[Entry]:
    """What a folder ("" = the root) holds: folders first, then files, by name."""
    start = f"{folder}/" if folder else ""
    paths = [
        row["path"][len(start) :]
        for row in database.execute("SELECT path FROM file WHERE project = ?", (project,))
        if row["path"].startswith(start)
    ]
    names = {(("/" not in path), path.partition("/")[0]) for path in paths}
    return [
        Entry(name, start + name, not is_file, _last_touch(database, project, start + name))
        for is_file, name in sorted(names, key=lambda entry: (entry[0], entry[1].lower()))
    ]


def _last_touch(database: sqlite3.Connection, project: int, path: str) -> sqlite3.Row | None:
    found: sqlite3.Row | None = database.execute(
        "SELECT revision.* FROM revision JOIN changed_file ON revision = revision.id"
        " WHERE project = ? AND (path = ? OR substr(path, 1, ?) = ?) ORDER BY at DESC,"
        " revision.id DESC LIMIT 1",
        (project, path, len(path) + 1, f"{path}/"),
    ).fetchone()
    return found


def _latest(database: sqlite3.Connection, project: int) -> sqlite3.Row | None:
    found: sqlite3.Row | None = database.execute(
        "SELECT * FROM revision WHERE project = ? ORDER BY at DESC, id DESC LIMIT 1", (project,)
    ).fetchone()
    return found


def content_of(database: sqlite3.Connection, project: int, path: str) -> str | None:
    row = database.execute(
        "SELECT content FROM file WHERE project = ? AND path = ?", (project, path)
    ).fetchone()
    return None if row is None else str(row["content"])


def blob(visit: Visit, place: Place) -> Response:
    path = visit.parameter("path")
    content = content_of(visit.database, place.id, path)
    if content is None:
        return missing(visit)
    return show_project(
        visit,
        place,
        "blob.html",
        "Files",
        path=path,
        content=content,
        lines=content.removesuffix("\n").split("\n"),
        last=_last_touch(visit.database, place.id, path),
    )


def raw(visit: Visit, place: Place) -> Response:
    content = content_of(visit.database, place.id, visit.parameter("path"))
    return missing(visit) if content is None else PlainTextResponse(content)


def commits(visit: Visit, place: Place) -> Response:
    """All commits, or those of one file or folder."""
    path = visit.request.path_params.get("path", "").strip("/")
    author = visit.query("author")
    found = paged(
        visit,
        "*",
        "FROM revision WHERE project = :id AND (:author = '' OR author = :author) AND (:path = '' OR id IN"
        " (SELECT revision FROM changed_file WHERE path = :path OR substr(path, 1, length(:path) + 1) ="
        " :path || '/'))",
        "at DESC, id DESC",
        {"id": place.id, "path": path, "author": author},
    )
    authors = visit.database.execute(
        "SELECT DISTINCT author FROM revision WHERE project = ? ORDER BY author", (place.id,)
    ).fetchall()
    return show_project(
        visit,
        place,
        "commits.html",
        "Commits",
        found=found,
        path=path,
        author=author,
        authors=[row["author"] for row in authors],
    )


def commit(visit: Visit, place: Place) -> Response:
    revision = visit.database.execute(
        "SELECT * FROM revision WHERE project = ? AND sha = ?", (place.id, visit.parameter("sha"))
    ).fetchone()
    if revision is None:
        return missing(visit)
    changes = visit.database.execute(
        "SELECT * FROM changed_file WHERE revision = ? ORDER BY path", (revision["id"],)
    ).fetchall()
    return show_project(visit, place, "commit.html", "Commits", revision=revision, changes=changes)


def contributors(visit: Visit, place: Place) -> Response:
    rows = visit.database.execute(
        "SELECT author, COUNT(*) AS commits, MIN(at) AS first, MAX(at) AS last FROM revision"
        " WHERE project = ? GROUP BY author ORDER BY commits DESC, author",
        (place.id,),
    ).fetchall()
    return show_project(visit, place, "contributors.html", "Contributors", rows=rows)


def routes() -> Sequence[BaseRoute]:
    start = "/{owner}/{project}"
    return [
        page("forge", start + "/-/tree/" + BRANCH, in_project(tree)),
        page("forge", start + "/-/tree/" + BRANCH + "/{path:path}", in_project(tree)),
        page("forge", start + "/-/blob/" + BRANCH + "/{path:path}", in_project(blob)),
        page("forge", start + "/-/raw/" + BRANCH + "/{path:path}", in_project(raw)),
        page("forge", start + "/-/commits/" + BRANCH, in_project(commits)),
        page("forge", start + "/-/commits/" + BRANCH + "/{path:path}", in_project(commits)),
        page("forge", start + "/-/commit/{sha}", in_project(commit)),
        page("forge", start + "/-/graphs/" + BRANCH, in_project(contributors)),
        page("forge", start, in_project(home)),
    ]
