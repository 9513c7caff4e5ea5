"""The encyclopaedia as a site: it has no state, and its articles are files."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


class EncyclopaediaSite:
    name = "encyclopaedia"
    shares = ""
    account = ""

    def build(self, database: sqlite3.Connection) -> None:
        """Nothing is kept; a database has to hold something to be copied."""
        database.execute("CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT)")

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Every task starts from the same articles."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:  # noqa: ARG002
        return {}

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.encyclopaedia import pages

        return pages.routes()
