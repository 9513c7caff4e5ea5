"""The form in which texts are compared: ASCII, lower case, blanks squeezed."""

from __future__ import annotations

import re
import unicodedata

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
