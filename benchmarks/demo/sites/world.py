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
    """One web application: its seed, its pages, and what an evaluator may know of its state."""

    name: str

    def build(self, database: sqlite3.Connection) -> None:
        """Create and fill the tables; done once per process."""

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Turn the seed into a task's starting state."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:
        """The state that scores depend on, as JSON; holds no secret in clear."""

    def routes(self) -> Sequence[BaseRoute]:
        """The pages, relative to `/<token>/<name>`."""


@dataclass
class World:
    """What the pages of one episode read and write.

    `lock` guards the databases: pages run in the server's thread, snapshots in the evaluator's.
    """

    token: str
    databases: Mapping[str, sqlite3.Connection]
    lock: threading.RLock = field(default_factory=threading.RLock)

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
