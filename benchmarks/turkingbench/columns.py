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
        "",
        "#N/A",
        "#N/A N/A",
        "#NA",
        "-1.#IND",
        "-1.#QNAN",
        "-NaN",
        "-nan",
        "1.#IND",
        "1.#QNAN",
        "<NA>",
        "N/A",
        "NA",
        "NULL",
        "NaN",
        "n/a",
        "nan",
        "null",
    ]
)
"""Spellings of a missing cell. Later pandas versions add "None"."""

_BLANK_CHARACTERS = " \t\n\v\f\r"
_INTEGER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)[ \t\n\v\f\r]*", re.ASCII)
_FLOAT = re.compile(
    r"[ \t\n\v\f\r]*([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?[ \t\n\v\f\r]*", re.ASCII
)
_INFINITE = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
_INFINITE |= {"infinity": math.inf, "+infinity": math.inf, "-infinity": -math.inf}
_LARGEST_EXPONENT = 308
_SIGNIFICANT_DIGITS = 17
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
    distinct = set(texts)
    filled = distinct - BLANKS
    for kind, values in (
        ("integer", _integers(filled, with_blanks=len(filled) < len(distinct))),
        ("float", _floats(filled)),
        ("boolean", _booleans(filled)),
    ):
        if values is not None:
            return Column(kind, tuple(values.get(text) for text in texts))
    return Column("text", tuple(None if text in BLANKS else text for text in texts))


def _integers(texts: set[str], *, with_blanks: bool) -> dict[str, Cell] | None:
    """Whole numbers that fit 64 bits; a column with blanks can't be one of integers."""
    if with_blanks or not texts:
        return None
    values: dict[str, Cell] = {}
    smallest, largest = 0, 0
    for text in texts:
        match = _INTEGER.fullmatch(text)
        if match is None:
            return None
        number = int(match[1])
        values[text] = number
        smallest, largest = min(smallest, number), max(largest, number)
    if (smallest in _INT64 and largest in _INT64) or (smallest == 0 and largest in _UINT64):
        return values
    return None


def _floats(texts: set[str]) -> dict[str, Cell] | None:
    values: dict[str, Cell] = {}
    for text in texts:
        number = parse_float(text)
        if number is None:
            return None
        values[text] = number
    return None if _too_long_for_integers(texts) else values


def _too_long_for_integers(texts: set[str]) -> bool:
    """Whole numbers beyond 64 bits keep a column text instead of making it float."""
    whole = [_INTEGER.fullmatch(text) for text in texts]
    if not whole or not all(whole):
        return False
    numbers = [int(match[1]) for match in whole if match]
    return max(numbers) not in _INT64 or min(numbers) not in _INT64


def parse_float(text: str) -> float | None:
    """A decimal as pandas' default parser reads it: 17 digits, then one scaling by a power of ten.

    The last bit may differ from Python's `float`. None where it is no number or too large.
    """
    match = _FLOAT.fullmatch(text)
    if match is None:
        return _INFINITE.get(text.lower())
    sign, whole, decimals, exponent_text = match[1], match[2], match[3] or "", match[4]
    digits = (whole + decimals)[:_SIGNIFICANT_DIGITS]
    number = 0.0
    for digit in digits:
        number = number * 10.0 + int(digit)
    exponent = len(whole) - len(digits) + int(exponent_text or 0)
    if exponent > _LARGEST_EXPONENT:
        return None
    if exponent >= 0:
        number *= float(10**exponent)
    elif exponent >= -_LARGEST_EXPONENT:
        number /= float(10**-exponent)
    elif exponent >= -2 * _LARGEST_EXPONENT:
        number = number / float(10 ** (-_LARGEST_EXPONENT - exponent)) / 1e308
    else:
        number = 0.0
    if math.isinf(number):
        return None
    return -number if sign == "-" else number


def _booleans(texts: set[str]) -> dict[str, Cell] | None:
    words = {text: text.lower() for text in texts}
    if not texts or not set(words.values()) <= {"true", "false"}:
        return None
    return {text: word == "true" for text, word in words.items()}
