"""The forge as a site: seed, starting state, snapshot, routes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.benchmarks.sample_sites.forge.data import seed
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

_OWN = {
    "projects": "SELECT path, name, description, visibility FROM project WHERE owner = ? ORDER BY id",
    "stars": "SELECT project.owner, path FROM star JOIN project ON id = project WHERE person = ? ORDER BY id",
    "issues": "SELECT project, iid, title, assignee, due, state FROM issue WHERE author = ? ORDER BY id",
    "notes": "SELECT kind, item, body FROM note WHERE author = ? ORDER BY id",
    "commits": "SELECT project, title FROM revision WHERE author = ? ORDER BY id",
    "roles": "SELECT project, role FROM member WHERE person = ? ORDER BY project",
}


class ForgeSite:
    name = "forge"
    shares = ""
    account = seed.ACCOUNT

    def build(self, database: sqlite3.Connection) -> None:
        seed.build(database)

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Every task starts from the seed as it is."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:
        """What the default account made, wrote and says of itself."""
        person = database.execute(
            "SELECT username, name, status, bio, location, website FROM person WHERE username = ?",
            (self.account,),
        ).fetchone()
        own = {
            key: [dict(row) for row in database.execute(query, (self.account,))]
            for key, query in _OWN.items()
        }
        return {"person": dict(person), **own}

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.forge import (
            editing,
            groups,
            members,
            overview,
            people,
            projects,
            repository,
        )
        from webbench.benchmarks.sample_sites.forge.tracker import (
            issue_form,
            issues,
            merge_requests,
            milestones,
        )

        modules = (
            *(overview, projects, groups, issue_form, issues, merge_requests),
            *(members, milestones, editing, people, repository),
        )
        return [route for module in modules for route in module.routes()]
