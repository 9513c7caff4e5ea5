"""The small web's own search engine: SQLite's FTS5 over the text of every page."""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from html.parser import HTMLParser
from typing import NamedTuple

from markupsafe import Markup, escape

from webbench.benchmarks.demo.sites.smallweb.pages import NAMES, Page, every_page, rendered_body

PER_PAGE = 6
MOST_WORDS = 20
_STOP_WORDS = (
    "a an and are at by did do does for from has have how in is it of on or that the to was were what when"
    " where which who with"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
SITE_WEIGHT, TITLE_WEIGHT, ABOUT_WEIGHT, BODY_WEIGHT = 2.0, 8.0, 3.0, 1.0
INLINE = ("a", "em", "strong")
"""Elements that stand within a word or a sentence; all others part words."""
_SNIPPET_WORDS = 24
_OPEN, _CLOSE = "\x02", "\x03"
"""Marks around what was found, turned into elements once the text around them is escaped."""
_RANKED = f"""
SELECT host, path, title, snippet(page, 5, '{_OPEN}', '{_CLOSE}', ' … ', {_SNIPPET_WORDS}) AS excerpt
FROM page WHERE page MATCH ?
ORDER BY bm25(page, 0, 0, {SITE_WEIGHT}, {TITLE_WEIGHT}, {ABOUT_WEIGHT}, {BODY_WEIGHT}), host, path
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
        "host UNINDEXED, path UNINDEXED, site, title, about, body, tokenize = 'porter unicode61')"
    )
    rows = [
        (page.host, page.path, NAMES[page.host], page.title, page.about, page_text(page))
        for page in every_page().values()
    ]
    database.executemany("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?)", rows)
    return database


def page_text(page: Page) -> str:
    """What a page says, without its markup."""
    reader = _Text()
    reader.feed(rendered_body(page, None))
    return " ".join("".join(reader.parts).split())


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag not in INLINE:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def _marked(excerpt: str) -> Markup:
    text = str(escape(excerpt.replace(f"{_CLOSE} {_OPEN}", " ")))
    text = text.replace(_OPEN, "<mark>").replace(_CLOSE, "</mark>")
    return Markup(text)  # noqa: S704 - escaped above
