"""The mean of values of which some, or all, may not be defined."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum


def mean(values: Iterable[float | None]) -> float | None:
    """Of the values that are defined; None where none is."""
    defined = [value for value in values if value is not None]
    return fsum(defined) / len(defined) if defined else None
