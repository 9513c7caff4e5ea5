"""The homepage as a site; it keeps the notes of the scratchpad."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


class HomepageSite:
    name = "homepage"
    shares = ""
    account = ""

    def build(self, database: sqlite3.Connection) -> None:
        database.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Every task starts with an empty scratchpad."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:
        """The notes, oldest first."""
        return {"notes": [row["text"] for row in database.execute("SELECT text FROM note ORDER BY id")]}

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.homepage import calculator, manuals, portal, scratchpad

        return [route for part in (portal, calculator, scratchpad, manuals) for route in part.routes()]
