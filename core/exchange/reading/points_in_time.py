"""Points in time as others write them, in the form that records have."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from webbench.core.json_types import Json

_SECONDS_BEFORE = 1e11
"""A number below is seconds; up to its thousandfold it is milliseconds, and so on (years 1973 to 5138)."""


def utc(value: Json) -> str:
    """A time in UTC, ISO 8601 with milliseconds: of ISO text, which is taken for UTC where it names no zone,
    or of Unix seconds, milliseconds, microseconds or nanoseconds. "" for anything else."""
    try:
        if isinstance(value, str) and not value.isdecimal():
            at = datetime.fromisoformat(value)
            at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            at = datetime.fromtimestamp(_seconds(float(value)), UTC)
        else:
            return ""
        return at.astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return ""


def _seconds(number: float) -> float:
    while _SECONDS_BEFORE <= number < math.inf:
        number /= 1000
    return number
