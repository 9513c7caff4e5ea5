"""The small web's own search engine: SQLite's FTS5 over the text of every page.

Excerpts are of a page's prose: what stands in its tables is found, and has to be read on the page.
"""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from html.parser import HTMLParser
from typing import NamedTuple

from markupsafe import Markup, escape

from webbench.benchmarks.sample_sites.smallweb.pages import NAMES, Page, every_page, rendered_body

PER_PAGE = 6
MOST_WORDS = 20
_STOP_WORDS = (
    "a an and are at by did do does for from has have how in is it of on or that the to was were what when"
    " where which who with"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
WEIGHTS = {"site": 2.0, "title": 8.0, "about": 3.0, "prose": 1.0, "tables": 1.0}
"""Of the indexed columns, in their order; a page's host and path stand before them."""
INLINE = ("a", "em", "strong")
"""Elements that stand within a word or a sentence; all others part words."""
PROSE = 2 + list(WEIGHTS).index("prose")
"""Number of the column that excerpts are taken from."""
_SNIPPET_WORDS = 24
_OPEN, _CLOSE = "\x02", "\x03"
"""Marks around what was found, turned into elements once the text around them is escaped."""
_RANKED = f"""
SELECT host, path, title, snippet(page, {PROSE}, '{_OPEN}', '{_CLOSE}', ' … ', {_SNIPPET_WORDS}) AS excerpt
FROM page WHERE page MATCH ?
ORDER BY bm25(page, 0, 0, {", ".join(map(str, WEIGHTS.values()))}), host, path
"""  # noqa: S608 - constants only


class Hit(NamedTuple):
    host: str
    path: str
    title: str
    excerpt: Markup


class Found(NamedTuple):
    """One page of results.

    Attributes:
        any_word: no page has all words, so these have some of them.
    """

    hits: tuple[Hit, ...]
    total: int
    any_word: bool


def find(query: str, page: int = 1) -> Found:
    """Pages with all words of the query, the best first; where there is none, pages with any of them.

    Endings are ignored ("ferries" finds "ferry"), and so are stop words where there are others. A query is
    words and nothing else: quotes and operators of FTS5 are separators like any other.
    """
    said = re.findall(r"\w+", query)[:MOST_WORDS]
    words = [f'"{word}"' for word in [word for word in said if word.lower() not in STOP_WORDS] or said]
    if not words:
        return Found((), 0, False)
    rows, any_word = _rows(" AND ".join(words)), False
    if not rows and len(words) > 1:
        rows, any_word = _rows(" OR ".join(words)), True
    first = (max(page, 1) - 1) * PER_PAGE
    hits = tuple(
        Hit(row["host"], row["path"], row["title"], _marked(row["excerpt"]))
        for row in rows[first : first + PER_PAGE]
    )
    return Found(hits, len(rows), any_word)


def _rows(expression: str) -> list[sqlite3.Row]:
    return _index().execute(_RANKED, (expression,)).fetchall()


@cache
def _index() -> sqlite3.Connection:
    """Built once per process; only the server's thread reads it."""
    database = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    database.row_factory = sqlite3.Row
    database.execute(
        "CREATE VIRTUAL TABLE page USING fts5("
        f"host UNINDEXED, path UNINDEXED, {', '.join(WEIGHTS)}, tokenize = 'porter unicode61')"
    )
    rows = [
        (page.host, page.path, NAMES[page.host], page.title, page.about, *page_text(page))
        for page in every_page().values()
    ]
    database.executemany("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    return database


def page_text(page: Page) -> tuple[str, str]:
    """What a page says, without its markup: its prose, and its tables."""
    reader = _Text()
    reader.feed(rendered_body(page, None))
    prose, tables = (" ".join("".join(parts).split()) for parts in (reader.prose, reader.tables))
    return prose, tables


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.prose: list[str] = []
        self.tables: list[str] = []
        self._parts = self.prose

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - of HTMLParser's contract
        if tag == "table":
            self._parts = self.tables
        if tag not in INLINE:
            self._parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self._parts = self.prose

    def handle_data(self, data: str) -> None:
        self._parts.append(data)


def _marked(excerpt: str) -> Markup:
    text = str(escape(excerpt.replace(f"{_CLOSE} {_OPEN}", " ")))
    text = text.replace(_OPEN, "<mark>").replace(_CLOSE, "</mark>")
    return Markup(text)  # noqa: S704 - escaped above
