"""A site's own time: it stands still in the seed, and each thing written moves it on by a minute.

The time of an episode is the `clock` in the site's `setting` table.
"""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

NOW = int(datetime(2026, 5, 14, 9, 30, tzinfo=UTC).timestamp())
"""Seconds since 1970 at which every episode begins."""

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_UNITS = (
    ("year", 365 * 86400),
    ("month", 30 * 86400),
    ("week", 7 * 86400),
    ("day", 86400),
    ("hour", 3600),
    ("minute", 60),
)


def now(database: sqlite3.Connection) -> int:
    return int(database.execute("SELECT value FROM setting WHERE key = 'clock'").fetchone()["value"])


def tick(database: sqlite3.Connection) -> int:
    """The time of something that is being written; later than everything before."""
    database.execute("UPDATE setting SET value = value + 60 WHERE key = 'clock'")
    return now(database)


def ago(moment: int, at: int) -> str:
    """How long before `at` it was, in the largest unit that fits: "3 hours ago"."""
    for unit, seconds in _UNITS:
        count = (at - moment) // seconds
        if count >= 1:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


def full(moment: int) -> str:
    """For tooltips and machines: "2026-05-14 09:30 UTC"."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"


def day(moment: int) -> str:
    """ "May 14, 2026", as software forges write it."""
    date = datetime.fromtimestamp(moment, UTC)
    return f"{_MONTHS[date.month - 1][:3]} {date.day}, {date.year}"


def written_date(text: str) -> str:
    """ "Jun 1, 2026" of a field's "2026-06-01", "" where it is no date."""
    try:
        return day(int(datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()))
    except ValueError:
        return ""


def month(moment: int) -> str:
    """ "May 2026", whatever the machine's language."""
    date = datetime.fromtimestamp(moment, UTC)
    return f"{_MONTHS[date.month - 1]} {date.year}"
