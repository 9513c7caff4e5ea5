"""Which values a CSV column holds: the reading rules of pandas 1.5, which the published scores rest on.

A column is wholly integers, wholly floats, wholly booleans, or text, and its blanks are missing values.
Whether two blanks are *one* value matters to majority votes: in a text or boolean column they are, in
a numeric column each blank is a value of its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal

import msgspec

Cell = str | int | float | bool | None
"""A typed cell; None is a missing one."""

ColumnKind = Literal["integer", "float", "boolean", "text"]

BLANKS = frozenset(
    [
        *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
        *("<NA>", "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null"),
    ]
)
"""Spellings of a missing cell. Later pandas versions add "None"."""

_INTEGER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)[ \t\n\v\f\r]*", re.ASCII)
_FLOAT = re.compile(
    r"[ \t\n\v\f\r]*[+-]?(?=\.?[0-9])[0-9]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?[ \t\n\v\f\r]*", re.ASCII
)
_INFINITE = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
_INFINITE |= {"infinity": math.inf, "+infinity": math.inf, "-infinity": -math.inf}
_INT64 = range(-(2**63), 2**63)
_UINT64 = range(2**64)


class Column(msgspec.Struct, frozen=True):
    """A column as it was read.

    Attributes:
        cells: one typed value per row.
        shared_blank: all missing cells are one and the same value.
    """

    kind: ColumnKind
    cells: tuple[Cell, ...]

    @property
    def shared_blank(self) -> bool:
        return self.kind in ("text", "boolean")


def read_column(texts: Sequence[str]) -> Column:
    """The typed column for its cells' texts."""
    distinct = list(dict.fromkeys(texts))
    filled = [text for text in distinct if text not in BLANKS]
    whole = _integers(distinct)
    if whole == "too long":
        return Column("text", tuple(texts))
    if isinstance(whole, dict):
        return _filled("integer", texts, whole)
    floats = _floats(filled)
    if floats is not None:
        return _filled("float", texts, floats)
    booleans = _booleans(filled)
    if booleans is not None:
        return _filled("boolean", texts, booleans)
    return Column("text", tuple(None if text in BLANKS else text for text in texts))


def _filled(kind: ColumnKind, texts: Sequence[str], values: dict[str, Cell]) -> Column:
    return Column(kind, tuple(values.get(text) for text in texts))


def _integers(texts: Sequence[str]) -> dict[str, Cell] | Literal["no integers", "too long"]:
    """Whole numbers that fit 64 bits; "too long" makes a column text, blanks included, instead of float.

    The first text that is no number or too long decides, as the reader goes from row to row.
    """
    values: dict[str, Cell] = {}
    for text in texts:
        if text in BLANKS:
            continue
        match = _INTEGER.fullmatch(text)
        if match is None:
            return "no integers"
        number = int(match[1])
        if number not in _INT64:
            return _unsigned_integers(texts)
        values[text] = number
    return values if len(values) == len(texts) else "no integers"


def _unsigned_integers(texts: Sequence[str]) -> dict[str, Cell] | Literal["no integers", "too long"]:
    """A column with a number above 2**63 - 1: one below zero or a blank beside it makes it text."""
    values: dict[str, Cell] = {}
    for text in texts:
        if text in BLANKS or text.lstrip().startswith("-"):
            continue
        match = _INTEGER.fullmatch(text)
        if match is None:
            return "no integers"
        if int(match[1]) not in _UINT64:
            return "too long"
        values[text] = int(match[1])
    return values if len(values) == len(texts) else "too long"


def _floats(texts: Sequence[str]) -> dict[str, Cell] | None:
    values: dict[str, Cell] = {}
    for text in texts:
        number = parse_float(text)
        if number is None:
            return None
        values[text] = number
    return values


def parse_float(text: str) -> float | None:
    """A decimal or an infinity in ASCII, as pandas' parser takes it; None where it is neither.

    Up to 15 digits the value is the same in every pandas version; beyond, the last bit may differ.
    """
    if _FLOAT.fullmatch(text) is None:
        return _INFINITE.get(text.lower())
    return float(text)


def _booleans(texts: Sequence[str]) -> dict[str, Cell] | None:
    words = {text: text.lower() for text in texts}
    if not texts or not set(words.values()) <= {"true", "false"}:
        return None
    return {text: word == "true" for text, word in words.items()}
