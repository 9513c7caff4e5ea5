"""The state of one episode: a private copy of every site's seeded database."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Protocol

from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


class Site(Hashable, Protocol):
    """One web application: its seed, its pages, and what an evaluator may know of its state.

    Attributes:
        name: also the folder of its templates and static files, and the path it is mounted at.
        shares: the site on whose database it works; "" = it has one of its own.
        account: who is signed in where an episode begins with signed-in accounts; "" = nobody.
    """

    name: str
    shares: str
    account: str

    def build(self, database: sqlite3.Connection) -> None:
        """Create and fill the tables; done once per process."""
        ...

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Turn the seed into a task's starting state."""
        ...

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:
        """The state that scores depend on, as JSON; holds no secret in clear."""
        ...

    def routes(self) -> Sequence[BaseRoute]:
        """The pages, relative to `/<token>/<name>`."""
        ...


@dataclass
class World:
    """What the pages of one episode read and write.

    Attributes:
        token: first part of every path of the episode.
        databases: by the name of the site; sites that share one have the same connection.
        sessions: (site, value of the cookie) → the account that is signed in.
        lock: guards the rest: pages run in the server's thread, snapshots in the evaluator's.
    """

    token: str
    databases: Mapping[str, sqlite3.Connection]
    sessions: dict[tuple[str, str], str] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def base(self, site: str) -> str:
        """Path under which the site is mounted for this episode."""
        return f"/{self.token}/{site}"

    def close(self) -> None:
        with self.lock:
            for database in self.databases.values():
                database.close()


def connect() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    database.row_factory = sqlite3.Row
    return database


@cache
def _seed(site: Site) -> bytes:
    database = connect()
    site.build(database)
    image = database.serialize()
    database.close()
    return image


def fresh_database(site: Site, start: JsonObject) -> sqlite3.Connection:
    """A private copy of the site's seed, in the starting state of a task."""
    database = connect()
    database.deserialize(_seed(site))
    site.prepare(database, start)
    return database


def fresh_databases(
    sites: Mapping[str, Site], names: Sequence[str], start: JsonObject
) -> dict[str, sqlite3.Connection]:
    """Private databases of the named sites, and of those whose database they share.

    Args:
        sites: every site by name.
        start: starting states, `{site: {...}}`.
    """
    owners = dict.fromkeys(sites[name].shares or name for name in names)
    made = {owner: fresh_database(sites[owner], start.get(owner, {})) for owner in owners}
    return {name: made[sites[name].shares or name] for name in (*owners, *names)}
