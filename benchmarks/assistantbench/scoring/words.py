"""Texts as bags of normalised words, after the evaluation of DROP (D. Dua et al., 2019).

A text is split at blanks and hyphens. Each piece is put into lower case and loses ASCII punctuation unless
it is a number; numbers are written as floats; articles are dropped.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache

import msgspec

from webbench.core.errors import BadData

_ARTICLE = re.compile(r"\b(?:the|an?)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NUMBER_WORDS = {"nan": "nan", "inf": "inf", "infinity": "inf"}
_SPECIAL = {"a": "", "an": "", "the": "", **_NUMBER_WORDS}
"""Words of letters alone that don't stay as they are."""
_NO_NUMBERS = frozenset(string.ascii_lowercase + string.punctuation) - frozenset("in+-.")
"""What no number in lower case begins with; to ask float() and be refused takes much longer."""
_SHOWN = 60
_KEPT_LENGTH = 200
"""Texts up to this length are kept for the next comparison: a list compares each of its items many times."""


class Bag(msgspec.Struct, frozen=True, gc=False):
    """A text as the set of its words."""

    text: str
    """The normalised text."""
    words: frozenset[str]
    numbers: frozenset[str]
    """Those of the words that are numbers."""


def normalise(text: str) -> str:
    """The text's normalised words, one blank between them.

    Applying it twice changes nothing more, but for numbers below 0.0001, whose form 1e-05 holds a hyphen,
    and for pieces that hold other white space than blanks. Raises `BadData` for what is no text.
    """
    if not isinstance(text, str):
        raise BadData(f"what is normalised has to be text, this is {repr(text)[:_SHOWN]}")
    return bag(text).text


def bag(text: str) -> Bag:
    return kept_bag(text) if len(text) <= _KEPT_LENGTH else _bag(text)


def _bag(text: str) -> Bag:
    parts: list[str] = []
    words: list[str] = []
    numbers: list[str] = []
    for piece in text.lower().replace("-", " ").split(" "):
        if piece.isalpha() and piece not in _SPECIAL and piece.isascii():
            parts.append(piece)
            words.append(piece)
        elif piece:
            part = _normal_word(piece)
            inner = part.split()
            if inner:
                parts.append(part)
                words += inner
                numbers += [word for word in inner if _is_number(word)]
    return Bag(" ".join(parts), frozenset(words), frozenset(numbers))


kept_bag = lru_cache(maxsize=4096)(_bag)


def word_f1(first: Bag, second: Bag) -> float:
    """F1 = 2 · shared / (words of both), each word once; symmetric, in [0, 1].

    Two texts without words are equal, so 1; one without words against one with words is 0.
    """
    ours, theirs = first.words, second.words
    if ours.isdisjoint(theirs):
        return 0.0 if ours or theirs else 1.0
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def numbers_agree(wanted: Bag, given: Bag) -> bool:
    """Whether at least one of the wanted numbers is given; True where none is wanted."""
    return not wanted.numbers or not wanted.numbers.isdisjoint(given.numbers)


def _normal_word(piece: str) -> str:
    """One lower-case piece; it may hold white space other than blanks, and so become several words."""
    if piece in _SPECIAL:
        return _SPECIAL[piece]
    number = _float(piece)
    if number is None:
        piece = piece.translate(_PUNCTUATION)
        number = _float(piece)
    if number is not None:
        return str(number)
    return " ".join(_ARTICLE.sub(" ", piece).split())


def _is_number(word: str) -> bool:
    return word in _NUMBER_WORDS if word.isalpha() else _float(word) is not None


def _float(text: str) -> float | None:
    if text[:1] in _NO_NUMBERS:
        return None
    try:
        return float(text)
    except ValueError:
        return None
