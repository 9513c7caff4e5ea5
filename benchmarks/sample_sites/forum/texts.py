"""Titles as they stand in addresses."""

from __future__ import annotations

import re
import unicodedata

LONGEST_SLUG = 60


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
