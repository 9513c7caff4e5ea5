"""Writing commits."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence

Change = tuple[str, int, int, str]
"""Path, lines added, lines removed, lines of a unified difference ("" where it isn't kept)."""


def add_commit(
    database: sqlite3.Connection, project: int, author: str, title: str, at: int, changes: Sequence[Change]
) -> None:
    named = f"{project}\n{author}\n{title}\n{at}"
    sha = hashlib.sha256(named.encode()).hexdigest()[:40]
    added = database.execute(
        "INSERT INTO revision (sha, project, author, title, at) VALUES (?,?,?,?,?)",
        (sha, project, author, title, at),
    )
    database.executemany(
        "INSERT INTO changed_file VALUES (?,?,?,?,?)", [(added.lastrowid, *change) for change in changes]
    )
