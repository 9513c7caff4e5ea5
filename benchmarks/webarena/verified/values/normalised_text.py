"""Normalised text, the form in which texts are compared: ASCII, lower case, blanks squeezed.

Markdown and JSON lose the freedom of their notation; names of places are compared by how alike they are.
"""

from __future__ import annotations

import json
import re
import unicodedata

from webbench.core.json_types import Json
from webbench.core.text import bounded_json

_MARKS = dict.fromkeys(map(ord, "™®℠©"))
_HYPHENS = "\\-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad"
_HYPHEN_AT_LETTER = re.compile(rf"(?<=[a-zA-Z])[{_HYPHENS}]|[{_HYPHENS}](?=[a-zA-Z])")
_BLANKS = re.compile(r"\s+")
_LETTERS = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "ø": "o",
    "Ø": "O",
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "ð": "d",
    "Ð": "D",
    "þ": "th",
    "Þ": "Th",
    "ı": "i",
    "€": "EUR",
    "£": "PS",
    "·": "*",
}
_TRANSLITERATED = str.maketrans(_LETTERS)


def is_pattern(value: object) -> bool:
    """A text "^…$" is a regular expression that the other side has to match."""
    return isinstance(value, str) and value.startswith("^") and value.endswith("$")


def canonical_text(text: str) -> str:
    """Trade marks dropped, NFKC, hyphens beside letters as blanks, ASCII letters, case folded.

    Letters of other scripts are dropped (the published package spells them in Latin). Patterns stay.
    """
    if not text or is_pattern(text):
        return text
    text = unicodedata.normalize("NFKC", text.translate(_MARKS))
    text = _HYPHEN_AT_LETTER.sub(" ", text)
    text = "".join(" " if sign in "\t\n\r" else sign for sign in text if _printable(sign))
    plain = unicodedata.normalize("NFKD", text.translate(_TRANSLITERATED))
    return _BLANKS.sub(" ", plain.encode("ascii", "ignore").decode().strip()).casefold()


def _printable(sign: str) -> bool:
    return sign in "\t\n\r" or not unicodedata.category(sign).startswith("C")


_STEPS = (
    (re.compile(r"\r\n?"), "\n"),
    (re.compile(r"[ \t]+$", re.MULTILINE), ""),
    (re.compile(r"\n{3,}"), "\n\n"),
    (re.compile(r"^(\s*)(#{1,6})[ \t]+", re.MULTILINE), r"\1\2 "),
    (re.compile(r"^(\s*)[*+][ \t]+", re.MULTILINE), r"\1- "),
    (re.compile(r"^[ \t]+(-)", re.MULTILINE), r"  \1"),
    (re.compile(r"\[([^\]\n]*)\n\s*([^\]]*)\](\([^)]+\))"), r"[\1 \2]\3"),
    (re.compile(r"\(\s*([^)\s][^)]*?)\s*\)"), r"(\1)"),
)
_BRACKETS = re.compile(r"\[([^\]]+)\]")


def markdown(value: Json) -> str:
    """Line ends, blank lines, bullets, headings and links in one form; letters stay. Raises ValueError."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("no text")
    text = value.strip()
    for pattern, form in _STEPS:
        text = pattern.sub(form, text)
    return _BRACKETS.sub(lambda found: f"[{' '.join(found[1].split())}]", text).strip()


def json_text(value: Json) -> str:
    """Compact, with sorted keys. Raises ValueError."""
    if not isinstance(value, str) or not value:
        raise ValueError("no text")
    decoded = bounded_json.decode(value)
    return json.dumps(decoded, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


LONGEST = 300
"""Characters of a name that are compared."""


def name_likeness(first: str, second: str) -> int:
    """0 to 100: twice the longest common subsequence of the sorted words / both lengths, rounded."""
    left, right = _sorted_words(first), _sorted_words(second)
    if not left or not right:
        return 0
    return round(200 * _common(left, right) / (len(left) + len(right)))


def _sorted_words(text: str) -> str:
    return " ".join(sorted(re.sub(r"[^a-z0-9]", " ", text.lower()).split()))[:LONGEST]


def _common(left: str, right: str) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for sign in left:
        before = 0
        for at, other in enumerate(right, start=1):
            above = row[at]
            row[at] = before + 1 if sign == other else max(above, row[at - 1])
            before = above
    return row[-1]
