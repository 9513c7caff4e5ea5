"""Arithmetic of a line of text: numbers, + - * / ^ %, brackets and a few functions; nothing is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow

LONGEST = 200
"""Characters of a line."""
DEEPEST = 30
"""Brackets and signs within each other."""
LARGEST_POWER = 64
_TOKEN = re.compile(r"\s*(\d+\.?\d*|\.\d+|[a-z]+|[-+*/^%(),×÷−])", re.IGNORECASE)
_WRITTEN = {"×": "*", "÷": "/", "−": "-"}
_NO_RESULT = "This has no result, or one that is too large."
_PLACES = 10
"""Digits behind the point that are shown at most."""
_CONTEXT = Context(prec=40, traps=[DivisionByZero, InvalidOperation, Overflow], Emax=9999, Emin=-9999)


class Unreadable(ValueError):
    """The line can't be calculated; the message says why, in a sentence."""


def calculated(line: str) -> str:
    """The result of a line as it is shown: at most ten digits behind the point, no zeros at the end.

    Raises `Unreadable`.
    """
    if len(line) > LONGEST:
        raise Unreadable(f"The line is longer than {LONGEST} characters.")
    reader = _Reader(_tokens(line))
    try:
        return _digits(reader.whole())
    except DivisionByZero as error:
        raise Unreadable("Nothing can be divided by zero.") from error
    except (InvalidOperation, Overflow) as error:
        raise Unreadable(_NO_RESULT) from error


def _tokens(line: str) -> list[str]:
    found: list[str] = []
    end = 0
    while line[end:].strip():
        token = _TOKEN.match(line, end)
        if token is None:
            raise Unreadable(f"“{line[end:].strip()[0]}” can't be read here.")
        found.append(_WRITTEN.get(token[1], token[1].lower()))
        end = token.end()
    return found


def _digits(value: Decimal) -> str:
    if not value.is_finite():
        raise Unreadable(_NO_RESULT)
    if value == value.to_integral_value(context=_CONTEXT):
        text = format(value.to_integral_value(context=_CONTEXT), "f")
    else:
        text = format(value.quantize(Decimal(1).scaleb(-_PLACES), context=_CONTEXT), "f")
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _rounded(value: Decimal, places: Decimal = Decimal(0)) -> Decimal:
    if not places.is_finite() or places != int(places) or not 0 <= places <= _PLACES:
        raise Unreadable(f"round() takes 0 to {_PLACES} places.")
    return value.quantize(Decimal(1).scaleb(-int(places)), rounding="ROUND_HALF_UP", context=_CONTEXT)


FUNCTIONS: Mapping[str, tuple[Callable[..., Decimal], int, int]] = {
    "sqrt": (_CONTEXT.sqrt, 1, 1),
    "abs": (_CONTEXT.abs, 1, 1),
    "round": (_rounded, 1, 2),
    "min": (min, 1, 20),
    "max": (max, 1, 20),
}
"""By name: what it does, and how many values it takes at least and at most."""


class _Reader:
    """Reads a sum of products of powers, from left to right."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._left = [*tokens, ""]
        self._depth = 0

    def whole(self) -> Decimal:
        value = self._sum()
        if self._left[0]:
            raise Unreadable(f"“{self._left[0]}” can't be read here.")
        return value

    def _sum(self) -> Decimal:
        value = self._product()
        while self._left[0] in ("+", "-"):
            sign, other = self._left.pop(0), self._product()
            value = _CONTEXT.add(value, other) if sign == "+" else _CONTEXT.subtract(value, other)
        return value

    def _product(self) -> Decimal:
        value = self._signed()
        while self._left[0] in ("*", "/"):
            sign, other = self._left.pop(0), self._signed()
            value = _CONTEXT.multiply(value, other) if sign == "*" else self._divided(value, other)
        return value

    @staticmethod
    def _divided(value: Decimal, other: Decimal) -> Decimal:
        if other == 0:
            raise Unreadable("Nothing can be divided by zero.")
        return _CONTEXT.divide(value, other)

    def _signed(self) -> Decimal:
        """A sign binds less than a power: -2^2 is -4."""
        if self._left[0] not in ("+", "-"):
            return self._power()
        self._deeper()
        sign, value = self._left.pop(0), self._signed()
        self._depth -= 1
        return value if sign == "+" else _CONTEXT.minus(value)

    def _power(self) -> Decimal:
        value = self._percent()
        if self._left[0] != "^":
            return value
        self._left.pop(0)
        self._deeper()
        exponent = self._signed()
        self._depth -= 1
        if abs(exponent) > LARGEST_POWER:
            raise Unreadable(f"Powers go up to {LARGEST_POWER}.")
        return _CONTEXT.power(value, exponent)

    def _percent(self) -> Decimal:
        value = self._value()
        while self._left[0] == "%":
            self._left.pop(0)
            value = _CONTEXT.divide(value, Decimal(100))
        return value

    def _value(self) -> Decimal:
        word = self._left.pop(0)
        if word == "(":
            return self._bracket()[0]
        if word in FUNCTIONS and self._left[0] == "(":
            self._left.pop(0)
            return self._called(word)
        if word[:1].isdigit() or word[:1] == ".":
            return Decimal(word)
        raise Unreadable(f"“{word}” can't be read here." if word else "Something is missing at the end.")

    def _called(self, name: str) -> Decimal:
        function, least, most = FUNCTIONS[name]
        values = self._bracket(most)
        if len(values) < least:
            raise Unreadable(f"{name}() takes more values.")
        return function(*values)

    def _bracket(self, most: int = 1) -> list[Decimal]:
        """The values up to the closing bracket, of which the opening one was read."""
        self._deeper()
        values = [self._sum()]
        while self._left[0] == "," and len(values) < most:
            self._left.pop(0)
            values.append(self._sum())
        if self._left.pop(0) != ")":
            raise Unreadable("A bracket isn't closed.")
        self._depth -= 1
        return values

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable("There are too many brackets within each other.")
