"""The forum as a site: seed, starting state, snapshot, routes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.benchmarks.sample_sites.forum import seed
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

_OWN = {
    "posts": "SELECT community, title, link, body FROM post WHERE author = ? ORDER BY id",
    "comments": "SELECT post, parent, body FROM comment WHERE author = ? AND deleted = 0 ORDER BY id",
    "votes": "SELECT kind, item, choice FROM vote WHERE account = ? ORDER BY kind, item",
    "subscriptions": "SELECT community FROM subscription WHERE account = ? ORDER BY community",
    "blocked": "SELECT name FROM blocked WHERE account = ? ORDER BY name",
}


class ForumSite:
    name = "forum"
    shares = ""
    account = seed.ACCOUNT

    def build(self, database: sqlite3.Connection) -> None:
        seed.build(database)

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Every task starts from the seed as it is."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:
        """What the default account wrote, chose and says of itself."""
        account = database.execute(
            "SELECT name, email, bio FROM account WHERE name = ?", (self.account,)
        ).fetchone()
        own = {key: _rows(database, query, self.account) for key, query in _OWN.items()}
        return {"account": dict(account), **own}

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.forum import communities, discussion, listings, people, submit

        return [
            *submit.routes(),
            *communities.routes(),
            *discussion.routes(),
            *people.routes(),
            *listings.routes(),
        ]


def _rows(database: sqlite3.Connection, query: str, account: str) -> list[JsonObject]:
    return [dict(row) for row in database.execute(query, (account,))]
