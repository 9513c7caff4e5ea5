"""The annotation site: forms of every field type over a picture or a text, submitted once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


class AnnotationSite:
    name = "annotation"
    shares = ""
    account = ""

    def build(self, database: sqlite3.Connection) -> None:
        database.execute(
            "CREATE TABLE response (job TEXT, item INTEGER, answers TEXT, PRIMARY KEY (job, item))"
        )

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Nothing is answered at the start, whatever the task."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:
        """Submitted answers: "job/item" → field → text, or list of texts for a checkbox group."""
        rows = database.execute("SELECT job, item, answers FROM response ORDER BY job, item")
        return {"submitted": {f"{row['job']}/{row['item']}": json.loads(row["answers"]) for row in rows}}

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.annotation import pages

        return pages.routes()
