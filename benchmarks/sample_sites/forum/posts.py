"""Lists of posts: sorted, paged, searched."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

PER_PAGE = 20
SORTS = {
    "hot": ("Hot", "posted + 14400 * MIN(MAX(score, -10), 40) DESC, id DESC"),
    "new": ("New", "posted DESC, id DESC"),
    "top": ("Top", "score DESC, id DESC"),
    "most_commented": ("Most commented", "comments DESC, id DESC"),
}
"""Key in the address → label, order."""

SPANS = {"day": ("Past day", 86400), "week": ("Past week", 7 * 86400), "month": ("Past month", 30 * 86400)}
"""Key in the address → label, seconds; without one it is all time."""


@dataclass(frozen=True)
class Wanted:
    """Which posts: of communities and an author ("" and empty = all), containing words, as `me` sees them."""

    me: str = ""
    communities: tuple[str, ...] = ()
    author: str = ""
    words: tuple[str, ...] = ()
    since: int = 0
    sort: str = "hot"
    page: int = 1


@dataclass(frozen=True)
class Page:
    posts: list[sqlite3.Row]
    number: int
    last: int
    total: int


def find(database: sqlite3.Connection, wanted: Wanted) -> Page:
    """A page of posts, each with `choice`: how `me` voted (1, -1 or 0)."""
    where, values = _conditions(wanted)
    total = database.execute(f"SELECT COUNT(*) AS n FROM post WHERE {where}", values).fetchone()["n"]  # noqa: S608 - only words of ours
    last = max(1, -(-total // PER_PAGE))
    number = min(wanted.page, last)
    query = (
        "SELECT post.*, COALESCE((SELECT choice FROM vote WHERE account = ? AND kind = 'post'"  # noqa: S608 - only words of ours
        f" AND item = post.id), 0) AS choice FROM post WHERE {where}"
        f" ORDER BY {SORTS[wanted.sort][1]} LIMIT ? OFFSET ?"
    )
    rows = database.execute(query, (wanted.me, *values, PER_PAGE, (number - 1) * PER_PAGE)).fetchall()
    return Page(rows, number, last, total)


def _conditions(wanted: Wanted) -> tuple[str, list[str | int]]:
    """Fixed SQL texts, and the values for their places."""
    parts = ["posted >= ?", "author NOT IN (SELECT name FROM blocked WHERE account = ?)"]
    values: list[str | int] = [wanted.since, wanted.me]
    if wanted.communities:
        parts.append(f"community IN ({', '.join('?' * len(wanted.communities))})")
        values += wanted.communities
    if wanted.author:
        parts.append("author = ?")
        values.append(wanted.author)
    for word in wanted.words:
        parts.append("(title LIKE ? ESCAPE '\\' OR body LIKE ? ESCAPE '\\')")
        values += [_like(word)] * 2
    return " AND ".join(parts), values


def _like(word: str) -> str:
    return "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"


def one(database: sqlite3.Connection, number: int, me: str) -> sqlite3.Row | None:
    """The post, with `choice` as in `find`."""
    found: sqlite3.Row | None = database.execute(
        "SELECT post.*, COALESCE((SELECT choice FROM vote WHERE account = ? AND kind = 'post'"
        " AND item = post.id), 0) AS choice FROM post WHERE id = ?",
        (me, number),
    ).fetchone()
    return found


def subscriptions(database: sqlite3.Connection, account: str) -> tuple[str, ...]:
    rows = database.execute(
        "SELECT community FROM subscription WHERE account = ? ORDER BY community COLLATE NOCASE", (account,)
    )
    return tuple(row["community"] for row in rows)


def path_of(post: sqlite3.Row) -> str:
    return f"/f/{post['community']}/{post['id']}/{post['slug']}"
