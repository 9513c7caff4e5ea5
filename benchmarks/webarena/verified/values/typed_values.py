"""Typed values: how each type of a results schema is read, shown and compared."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any, TypeAlias

import msgspec

from webbench.benchmarks.webarena.verified.canonical_urls import Address, read_address, same_address
from webbench.benchmarks.webarena.verified.values import quantities
from webbench.benchmarks.webarena.verified.values.normalised_text import (
    canonical_text,
    is_pattern,
    json_text,
    markdown,
    name_likeness,
)
from webbench.benchmarks.webarena.verified.values.quantities import iso_date, month_name
from webbench.core.errors import BadData
from webbench.core.json_types import Json

Plain: TypeAlias = Any
"""A value after reading: text, number, truth, amount, pair or `Address`."""

LONGEST_MATCHED = 20_000
"""Characters of a text that a pattern of the task is held against."""

LONGEST_TOLD, LONGEST_QUANTITY = 200, 200
ALIKE = 80
_OUTER = "'\"`.,;:!?"
_TRUE, _FALSE = ("true", "yes", "y", "1", "t", "on"), ("false", "no", "n", "0", "f", "off")


class Kind(msgspec.Struct, frozen=True):
    """One type.

    Attributes:
        name: what it is called in messages.
        read: from JSON to the form that is compared; raises ValueError.
        same: of two such forms.
        folded: texts are brought to `canonical_text` before they are read.
        longest: characters that a text of this type may have.
    """

    name: str
    read: Callable[[Json], Plain]
    same: Callable[[Plain, Plain], bool] = operator.eq
    folded: bool = True
    longest: int = 1_000_000


class Value(msgspec.Struct, frozen=True):
    """A value that was read, with its alternatives: the first is shown, any may match."""

    kind: str
    raw: Json
    alternatives: tuple[Plain, ...]

    @property
    def shown(self) -> Json:
        return _as_json(self.alternatives[0])

    def told(self) -> str:
        """ "Month('May')", "Month('jan' -> 'January')"."""
        name, first = KINDS[self.kind].name, self.alternatives[0]
        if len(self.alternatives) > 1:
            return (
                f"{name}({self.raw!r} -> {', or '.join(str(_as_json(one)) for one in self.alternatives)!r})"
            )
        return f"{name}({first!r})" if self.raw == first else f"{name}({self.raw!r} -> {_as_json(first)!r})"


def read_value(value: Json, kind: str) -> Value:
    """A list of two or more is a list of alternatives. Raises `BadData` naming the value."""
    if kind not in KINDS:
        raise BadData(f'the type "{kind}" is unknown', "the types are " + ", ".join(KINDS))
    several = isinstance(value, list) and not (kind == "coordinates" and _is_pair(value))
    if several and len(value) < 2:
        raise BadData(f"{value!r} is a list of one alternative")
    try:
        read = tuple(_read(one, KINDS[kind]) for one in (value if several else [value]))
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        told = repr(value)[:LONGEST_TOLD]
        raise BadData(f"{told} can't be read as {KINDS[kind].name}: {error}") from None
    return Value(kind, value, read)


def same_value(expected: Value, actual: Json) -> bool:
    """Some alternative of one is the same as some of the other; different types never are."""
    if expected.kind == "string" and isinstance(actual, str):
        actual = read_value(actual, "string")
    if not isinstance(actual, Value) or actual.kind != expected.kind:
        return False
    same = KINDS[expected.kind].same
    return any(same(left, right) for left in expected.alternatives for right in actual.alternatives)


def _read(value: Json, kind: Kind) -> Plain:
    if isinstance(value, str) and len(value) > kind.longest:
        raise ValueError(f"longer than {kind.longest} characters")
    return kind.read(canonical_text(value) if kind.folded and isinstance(value, str) else value)


def _text(value: Json) -> str:
    if value in (None, "", [], {}, False, 0):
        return ""
    return value.strip() if is_pattern(value) else str(value).lower().strip()


def _same_text(left: str, right: str) -> bool:
    """Equal, one a pattern that the other matches wholly, or equal without outer punctuation."""
    if left == right or left.strip(_OUTER) == right.strip(_OUTER):
        return True
    return any(
        matches(pattern, text) for pattern, text in ((left, right), (right, left)) if is_pattern(pattern)
    )


def matches(pattern: str, text: str) -> bool:
    """The whole text matches, without case. An invalid pattern matches nothing."""
    if len(text) > LONGEST_MATCHED:
        return False
    try:
        return re.fullmatch(pattern, text, re.IGNORECASE) is not None
    except re.error:
        return False


def _truth(value: Json) -> bool:
    if isinstance(value, bool | int | float):
        return bool(value)
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in (*_TRUE, *_FALSE):
        raise ValueError("neither yes nor no")
    return word in _TRUE


def _listed(value: Json) -> tuple[str, ...]:
    items = tuple(sorted(item.strip() for item in str(value or "").split(",") if item.strip()))
    if not items:
        raise ValueError("no items")
    return items


def _near_place(left: tuple[float, float], right: tuple[float, float]) -> bool:
    return all(abs(a - b) <= 1e-5 for a, b in zip(left, right, strict=True))


def _near_amount(left: Decimal, right: Decimal) -> bool:
    return abs(left - right) <= Decimal("0.1")


def _near_distance(left: Decimal, right: Decimal) -> bool:
    return abs(left - right) <= max(Decimal(10), max(left, right) * Decimal("0.02"))


def _near_duration(left: timedelta, right: timedelta) -> bool:
    return abs(left - right) <= max(timedelta(minutes=3), max(left, right) * 0.1)


def _is_pair(value: Json) -> bool:
    return len(value) == 2 and all(isinstance(part, int | float | str) for part in value)


def _needed(read: Callable[[Json], Plain]) -> Callable[[Json], Plain]:
    """`read`, but nothing for an empty value."""

    def checked(value: Json) -> Plain:
        if value is None or value == "":
            raise ValueError("empty")
        return read(value)

    return checked


def _as_json(value: Plain) -> Json:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Address):
        return value.shown
    if isinstance(value, timedelta):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _quantity(name: str, read: Callable[[Json], Plain], same: Callable[[Plain, Plain], bool]) -> Kind:
    return Kind(name, read, same, longest=LONGEST_QUANTITY)


_NUMBER = _quantity("Number", _needed(quantities.number), operator.eq)
KINDS: dict[str, Kind] = {
    "string": Kind("NormalizedString", _text, _same_text),
    "number": _NUMBER,
    "integer": _NUMBER,
    "boolean": _quantity("Boolean", _truth, operator.eq),
    "currency": _quantity("Currency", quantities.currency, _near_amount),
    "date": _quantity("Date", iso_date, operator.eq),
    "month": _quantity("Month", month_name, operator.eq),
    "duration": _quantity("Duration", _needed(quantities.duration), _near_duration),
    "distance": _quantity("Distance", _needed(quantities.distance), _near_distance),
    "coordinates": Kind(
        "Coordinates", quantities.coordinates, _near_place, folded=False, longest=LONGEST_QUANTITY
    ),
    "location-name": Kind("LocationName", _text, lambda left, right: name_likeness(left, right) >= ALIKE),
    "url": Kind("URL", read_address, same_address, folded=False),
    "string_list": Kind("StringList", _listed),
    "markdown": Kind("MarkdownString", markdown, folded=False),
    "json": Kind("JsonString", json_text, folded=False),
}
