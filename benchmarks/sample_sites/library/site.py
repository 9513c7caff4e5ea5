"""The library as a site: seed, starting state, snapshot, routes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.benchmarks.sample_sites.library import seed, shelves
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


class LibrarySite:
    name = "library"
    shares = ""
    account = ""

    def build(self, database: sqlite3.Connection) -> None:
        seed.build(database)

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """The seed, as the web site of `start["version"]` (1 or 2, default 1) shows it."""
        shelves.set_setting(database, "version", str(start.get("version", 1)))

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:
        return {
            "holds": shelves.holds(database),
            "loans": shelves.loans(database),
            "branch": shelves.setting(database, "branch"),
            "notify": shelves.setting(database, "notify"),
        }

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.library import pages

        return pages.routes()
