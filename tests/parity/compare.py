"""When a value of ours equals the recorded one."""

from __future__ import annotations

import math
from typing import Any

from webbench.core.errors import WebbenchError

TOLERANCE = 1e-9
Json = Any


PENDING: Json = {"pending": "judge"}
"""What an adapter returns for a score that waits for a judge."""


class NotHere(Exception):
    """A row needs something that this machine doesn't have; it is neither passed nor failed."""


def decode(value: Json) -> Json:
    """Recorded JSON with its `{"$float": ...}` objects as floats, every NaN an object of its own."""
    if isinstance(value, dict):
        if set(value) == {"$float"}:
            return float(value["$float"])
        return {key: decode(item) for key, item in value.items()}
    return [decode(item) for item in value] if isinstance(value, list) else value


def needs_judge(expected: Json) -> bool:
    """Whether upstream would have asked a model that was not called."""
    return isinstance(expected, dict) and "skipped" in expected


def is_error(expected: Json) -> bool:
    return isinstance(expected, dict) and "error" in expected


def difference(ours: Json, expected: Json, at: str = "") -> str:
    """Where the two differ, "" if they don't. Null and NaN are alike; 1, 1.0 and true are one number."""
    if _nothing(ours) and _nothing(expected):
        return ""
    if isinstance(ours, int | float) and isinstance(expected, int | float):
        same = ours == expected or math.isclose(ours, expected, rel_tol=0, abs_tol=TOLERANCE)
        return "" if same else _told(at, ours, expected)
    if isinstance(ours, dict) and isinstance(expected, dict):
        for key in expected.keys() | ours.keys():
            if key not in ours or key not in expected:
                return _told(f"{at}.{key}", ours.get(key, "(absent)"), expected.get(key, "(absent)"))
            found = difference(ours[key], expected[key], f"{at}.{key}")
            if found:
                return found
        return ""
    if isinstance(ours, list | tuple) and isinstance(expected, list | tuple):
        if len(ours) != len(expected):
            return _told(at, ours, expected)
        pairs = enumerate(zip(ours, expected, strict=True))
        return next(
            (told for n, (a, b) in pairs if (told := difference(a, b, f"{at}[{n}]"))),
            "",
        )
    return "" if type(ours) is type(expected) and ours == expected else _told(at, ours, expected)


def describe(error: Exception) -> str:
    """An expected error's message; anything else with its class, because it is a fault of ours."""
    return str(error) if isinstance(error, WebbenchError) else f"{type(error).__name__}: {error}"


def _nothing(value: Json) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _told(at: str, ours: Json, expected: Json) -> str:
    where = f"at {at.lstrip('.')}: " if at else ""
    return f"{where}ours {ours!r}, recorded {expected!r}"
