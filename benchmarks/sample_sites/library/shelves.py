"""What the pages ask the library's database."""

from __future__ import annotations

import math
import sqlite3
from typing import Any

from webbench.benchmarks.sample_sites.library.seed import branches

KINDS = ("book", "film", "music", "game")
SORTS = {"relevance": "place", "title": "title", "newest": "year DESC, title", "oldest": "year, title"}
POSTCODES = {
    "4401": (0, 0),
    "4402": (1, 1),
    "4403": (2, 3),
    "4404": (1, 4),
    "4405": (-2, 3),
    "4406": (-4, 2),
    "4407": (-3, -1),
    "4408": (3, -2),
    "4409": (1, -4),
    "4410": (-1, -6),
}
"""Where a postcode lies on the map, in km."""

Row = dict[str, Any]


def setting(database: sqlite3.Connection, name: str) -> str:
    row = database.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
    return str(row["value"]) if row else ""


def set_setting(database: sqlite3.Connection, name: str, value: str) -> None:
    database.execute("INSERT OR REPLACE INTO setting VALUES (?,?)", (name, value))


def find(
    database: sqlite3.Connection, words: str, only: dict[str, str], sort: str = "relevance"
) -> list[Row]:
    """Items whose title, creator, subject or blurb has every word.

    Args:
        only: kind, language and branch to keep, and available ("1": some copy is in); "" keeps all.
    """
    asked = "SELECT * FROM item WHERE 1"
    values: list[str] = []
    for word in words.split()[:12]:
        asked += " AND (title || ' ' || creator || ' ' || subject || ' ' || blurb) LIKE ? ESCAPE '\\'"
        values.append("%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%")
    for name in ("kind", "language"):
        if only.get(name):
            asked += f" AND {name} = ?"
            values.append(only[name])
    rows = [dict(row) for row in database.execute(f"{asked} ORDER BY {SORTS[sort]}", values)]
    return [row for row in rows if _held(database, row["slug"], only)]


def _held(database: sqlite3.Connection, slug: str, only: dict[str, str]) -> bool:
    if not only.get("branch") and not only.get("available"):
        return True
    return any(
        (not only.get("branch") or copy["branch"] == only["branch"])
        and (not only.get("available") or not copy["due"])
        for copy in copies(database, slug)
    )


def item(database: sqlite3.Connection, slug: str) -> Row | None:
    row = database.execute("SELECT * FROM item WHERE slug = ?", (slug,)).fetchone()
    return dict(row) if row else None


def copies(database: sqlite3.Connection, slug: str) -> list[Row]:
    return [
        dict(row) for row in database.execute("SELECT * FROM copy WHERE item = ? ORDER BY branch", (slug,))
    ]


def languages(database: sqlite3.Connection) -> list[str]:
    return [row["language"] for row in database.execute("SELECT DISTINCT language FROM item ORDER BY 1")]


def branch(slug: str) -> Row | None:
    return next((one for one in branches() if one["slug"] == slug), None)


def nearest_branches(postcode: str) -> list[tuple[float, Row]]:
    """Branches with their distance (km), nearest first; empty for an unknown postcode."""
    if postcode not in POSTCODES:
        return []
    here = POSTCODES[postcode]
    return sorted(((math.dist(here, one["at"]), one) for one in branches()), key=lambda found: found[0])


def holds(database: sqlite3.Connection) -> list[Row]:
    asked = "SELECT hold.*, item.title FROM hold JOIN item ON item.slug = hold.item ORDER BY number"
    return [dict(row) for row in database.execute(asked)]


def loans(database: sqlite3.Connection) -> list[Row]:
    asked = (
        "SELECT loan.*, item.title, item.creator FROM loan JOIN item ON item.slug = loan.item ORDER BY due"
    )
    return [dict(row) for row in database.execute(asked)]
