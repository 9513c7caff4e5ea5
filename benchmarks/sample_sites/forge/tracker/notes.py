"""The conversation under an issue or a merge request."""

from __future__ import annotations

import sqlite3
from typing import Literal

from starlette.responses import Response

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forge.layout import forbidden
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import notify
from webbench.benchmarks.sample_sites.web import Visit

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
    database.execute(f"UPDATE {kind} SET updated = ? WHERE id = ?", (at, item))  # noqa: S608 - only words of ours


def comment_on(
    visit: Visit, kind: Kind, item: sqlite3.Row, *, may_close: bool, refusal: str, back: str
) -> Response:
    """A comment, or the other state, or both, as the pressed button says; what is merged stays so.

    Args:
        refusal: told to who may not close it.
        back: the address that the visitor is led to.
    """
    me, body = signed_in(visit), visit.field("note")
    if body:
        add_note(visit.database, kind, item["id"], me, body)
    if visit.field("action") == "state" and item["state"] != "merged":
        if not may_close:
            return forbidden(visit, refusal)
        state, told = ("opened", "reopened") if item["state"] == "closed" else ("closed", "closed")
        visit.database.execute(f"UPDATE {kind} SET state = ? WHERE id = ?", (state, item["id"]))  # noqa: S608 - only words of ours
        add_note(visit.database, kind, item["id"], me, told, automatic=True)
    elif not body:
        notify(visit, "A comment needs a text.")
    return visit.redirect(back)


def add_todo(
    database: sqlite3.Connection, person: str, author: str, action: str, kind: Kind, item: int
) -> None:
    """Tells somebody, unless they did it themselves."""
    if person and person != author:
        database.execute(
            "INSERT INTO todo (person, author, action, kind, item, at) VALUES (?,?,?,?,?,?)",
            (person, author, action, kind, item, clock.now(database)),
        )
