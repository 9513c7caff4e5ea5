"""The library's tables and what stands in them at the start."""

from __future__ import annotations

import json
import random
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TABLES = """
CREATE TABLE item (slug TEXT PRIMARY KEY, title TEXT, creator TEXT, kind TEXT, year INTEGER, language TEXT,
                   subject TEXT, blurb TEXT, place INTEGER);
CREATE TABLE copy (item TEXT, branch TEXT, shelf TEXT, due TEXT);
CREATE TABLE loan (item TEXT PRIMARY KEY, due TEXT, renewed INTEGER DEFAULT 0);
CREATE TABLE hold (number INTEGER PRIMARY KEY, item TEXT, branch TEXT, notify TEXT, note TEXT);
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT);
"""
SETTINGS = {"version": "1", "branch": "harbour-street", "notify": "email", "email": "mara@lindqvist.example"}
LOANS = (("moss", "21 May 2026"), ("drift-ice", "24 May 2026"))
DUE_DATES = ("19 May 2026", "23 May 2026", "30 May 2026", "6 June 2026")


@cache
def branches() -> tuple[dict[str, Any], ...]:
    """Slug, name, address, postcode, phone, place on the map (km), features, hours from Monday on."""
    return tuple(json.loads((HERE / "branches.json").read_text("utf-8")))


def build(database: sqlite3.Connection) -> None:
    """Every item with one to four copies, a third of them out; the same at every call."""
    database.executescript(TABLES)
    drawn = random.Random(44)
    for place, row in enumerate(json.loads((HERE / "catalogue.json").read_text("utf-8"))):
        database.execute("INSERT INTO item VALUES (?,?,?,?,?,?,?,?,?)", (*row, place))
        for branch in drawn.sample(branches(), drawn.randint(1, 4)):
            due = drawn.choice(DUE_DATES) if drawn.random() < 1 / 3 else ""
            shelf = f"{row[6][:3].upper()} {row[2].split()[-1][:3].upper()}"
            database.execute("INSERT INTO copy VALUES (?,?,?,?)", (row[0], branch["slug"], shelf, due))
    database.executemany("INSERT INTO loan (item, due) VALUES (?,?)", LOANS)
    database.executemany("INSERT INTO setting VALUES (?,?)", SETTINGS.items())
