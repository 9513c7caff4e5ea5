"""Decoding JSON that strangers wrote: bounded in depth, so that no input can exhaust the stack."""

from __future__ import annotations

import json
import math
import re

from webbench.core.json_types import Json

DEEPEST = 64

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


def decode(text: str | bytes) -> Json:
    """The value of a JSON text.

    Raises `json.JSONDecodeError` with a position, or ValueError for anything else that is wrong: more
    than 64 levels, NaN and the infinities, numbers too large or endless, bytes that are no UTF-8.
    """
    text = text.decode() if isinstance(text, bytes) else text
    _check_depth(text)
    return json.loads(text, parse_constant=_refuse, parse_float=_finite)


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise ValueError(f"it is nested deeper than {DEEPEST} levels")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
