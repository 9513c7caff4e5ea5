"""The conversation under an issue or a merge request."""

from __future__ import annotations

import sqlite3
from typing import Literal

from webbench.benchmarks.sample_sites import clock

Kind = Literal["issue", "merge_request"]
LONGEST_NOTE = 20_000


def notes_of(database: sqlite3.Connection, kind: Kind, item: int) -> list[sqlite3.Row]:
    """What was said, and what happened (`automatic`), oldest first."""
    return database.execute(
        "SELECT * FROM note WHERE kind = ? AND item = ? ORDER BY at, id", (kind, item)
    ).fetchall()


def add_note(
    database: sqlite3.Connection, kind: Kind, item: int, author: str, body: str, *, automatic: bool = False
) -> None:
    at = clock.tick(database)
    database.execute(
        "INSERT INTO note (kind, item, author, body, at, automatic) VALUES (?,?,?,?,?,?)",
        (kind, item, author, body[:LONGEST_NOTE], at, automatic),
    )
    database.execute(f"UPDATE {kind} SET updated = ? WHERE id = ?", (at, item))  # noqa: S608


def add_todo(
    database: sqlite3.Connection, person: str, author: str, action: str, kind: Kind, item: int
) -> None:
    """Tells somebody, unless they did it themselves."""
    if person and person != author:
        database.execute(
            "INSERT INTO todo (person, author, action, kind, item, at) VALUES (?,?,?,?,?,?)",
            (person, author, action, kind, item, clock.now(database)),
        )
