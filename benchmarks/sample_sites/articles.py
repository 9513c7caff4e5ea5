"""Articles in files: a little markup with links between them, other names that lead to them, and search.

A file begins with lines `title: …`, `about: …` and, where it has other names, `also: …; …`; after a blank
line follows the text: paragraphs, `== headings ==`, `- items`, `1. steps`, `| fact | value |` rows, and links
`[[Title]]` or `[[Title|shown]]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

_LINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
_STEP = re.compile(r"\d+\. ")
EXCERPT = 160
"""Characters of an article that a search shows."""
MOST_WORDS = 12

Run = tuple[str, str]
"""Text, and the slug of the article that it leads to; "" for plain text."""


class Block(NamedTuple):
    """A part of an article.

    Attributes:
        kind: paragraph, heading, items, steps or facts.
        lines: the runs of each line; of facts two lines to a row.
    """

    kind: str
    lines: tuple[tuple[Run, ...], ...]


class Article(NamedTuple):
    """One file.

    Attributes:
        slug: the title as it stands in addresses.
        also: other names.
        text: as one plain text, for the search.
    """

    slug: str
    title: str
    about: str
    also: tuple[str, ...]
    blocks: tuple[Block, ...]
    text: str


class Hit(NamedTuple):
    article: Article
    excerpt: str


def slug_of(title: str) -> str:
    """As a title stands in an address: "Beaufort_scale"."""
    return title.strip().replace(" ", "_")


class Shelf:
    """The articles of one folder."""

    def __init__(self, folder: Path) -> None:
        read = sorted((_read(file) for file in folder.glob("*.txt")), key=lambda one: one.title.casefold())
        self.articles: Mapping[str, Article] = {one.slug: one for one in read}
        named = ((name, one.slug) for one in read for name in (one.title, *one.also))
        self._names = {slug_of(name).casefold(): slug for name, slug in named}

    def called(self, name: str) -> Article | None:
        """The article of this title, slug or other name, however it is capitalised."""
        slug = self._names.get(slug_of(name).casefold(), "")
        return self.articles.get(slug)

    def found(self, asked: str) -> Sequence[Hit]:
        """Articles that have every word, those first whose names have it; nothing where nothing is asked."""
        words = re.findall(r"\w+", asked.casefold())[:MOST_WORDS]
        ranked = [(_rank(one, words), one) for one in self.articles.values()] if words else []
        ranked = sorted((pair for pair in ranked if pair[0]), key=lambda pair: (-pair[0], pair[1].title))
        return [Hit(one, _excerpt(one, words)) for _, one in ranked]


@cache
def shelf(folder: Path) -> Shelf:
    """Read once per process."""
    return Shelf(folder)


def _rank(article: Article, words: Sequence[str]) -> int:
    """0 where a word is missing."""
    names = " ".join((article.title, *article.also)).casefold()
    text = f"{names} {article.about} {article.text}".casefold()
    if not all(word in text for word in words):
        return 0
    named = sum(word in names for word in words)
    return 1000 * named + min(999, sum(text.count(word) for word in words))


def _excerpt(article: Article, words: Sequence[str]) -> str:
    """What stands around the first word that is found, else what the article is about."""
    places = [place for word in words if (place := article.text.casefold().find(word)) >= 0]
    if not places:
        return article.about
    start = max(0, min(places) - EXCERPT // 3)
    cut = article.text[start : start + EXCERPT]
    before, after = "… " if start else "", " …" if start + EXCERPT < len(article.text) else ""
    return before + (cut.partition(" ")[2] if start else cut).strip() + after


def _read(file: Path) -> Article:
    head, _, body = file.read_text("utf-8").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    also = tuple(name.strip() for name in fields.get("also", "").split(";") if name.strip())
    blocks = tuple(_blocks(body))
    text = "\n".join("".join(shown for shown, _ in line) for block in blocks for line in block.lines)
    return Article(slug_of(fields["title"]), fields["title"], fields["about"], also, blocks, text)


def _blocks(body: str) -> Iterator[Block]:
    for part in re.split(r"\n\s*\n", body.strip()):
        lines = [line.strip() for line in part.splitlines()]
        if part.startswith("== "):
            yield Block("heading", (_runs(lines[0].strip("= ")),))
        elif all(line.startswith("- ") for line in lines):
            yield Block("items", tuple(_runs(line[2:]) for line in lines))
        elif all(_STEP.match(line) for line in lines):
            yield Block("steps", tuple(_runs(line.partition(" ")[2]) for line in lines))
        elif all(line.startswith("| ") for line in lines):
            cells = (cell for line in lines for cell in line.strip("| ").split(" | "))
            yield Block("facts", tuple(_runs(cell.strip()) for cell in cells))
        else:
            yield Block("paragraph", (_runs(" ".join(lines)),))


def _runs(line: str) -> tuple[Run, ...]:
    found: list[Run] = []
    end = 0
    for link in _LINK.finditer(line):
        found += [(line[end : link.start()], ""), (link[2] or link[1], slug_of(link[1]))]
        end = link.end()
    return tuple(run for run in (*found, (line[end:], "")) if run[0])
