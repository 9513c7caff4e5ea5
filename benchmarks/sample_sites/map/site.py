"""The map as a site: it has no state, and its town is a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


class MapSite:
    name = "map"
    shares = ""
    account = ""

    def build(self, database: sqlite3.Connection) -> None:
        """Nothing is kept; a database has to hold something to be copied."""
        database.execute("CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT)")

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Every task starts from the same town."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:  # noqa: ARG002
        return {}

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.map import pages

        return pages.routes()
