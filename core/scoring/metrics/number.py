"""How alike numbers are."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean


def mean_distance(values: Sequence[float], prediction: float) -> float:
    """Mean absolute difference; NaN where a value is. Raises `ValueError` without values."""
    if not values:
        raise ValueError("no mean distance to no values")
    return fmean(abs(value - prediction) for value in values)
