"""Texts of addresses and pages: slugs, and the little markup that posts are written in."""

from __future__ import annotations

import re
import unicodedata

LONGEST_SLUG = 60
_LINK = re.compile(r"https?://[^\s<>()\"']+[^\s<>()\"'.,;:!?]")


def slug_of(title: str) -> str:
    """The last part of a post's address: ASCII words joined by "-", cut at a word; "-" when none is left."""
    plain = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    slug = ""
    for word in words:
        if slug and len(slug) + len(word) >= LONGEST_SLUG:
            break
        slug = f"{slug}-{word}" if slug else word[:LONGEST_SLUG]
    return slug or "-"


def paragraphs(text: str) -> list[list[tuple[str, str]]]:
    """Paragraphs as runs of (text, address); address is "" for plain text. Templates escape both."""
    blocks = re.split(r"\n\s*\n", text.replace("\r\n", "\n"))
    return [_runs(block) for block in blocks if block.strip()]


def _runs(block: str) -> list[tuple[str, str]]:
    runs: list[tuple[str, str]] = []
    end = 0
    for found in _LINK.finditer(block):
        runs += [(block[end : found.start()], ""), (found[0], found[0])]
        end = found.end()
    return [run for run in (*runs, (block[end:], "")) if run[0]]
