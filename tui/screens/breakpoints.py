"""Breakpoints: from how many columns a screen is laid out in another way."""

from __future__ import annotations

NARROW_BELOW = 100
"""Columns below which most screens show one pane at a time."""
WIDE_FROM = 190
Breakpoints = list[tuple[int, str]]
"""Columns or lines, and the class that a screen has from there on."""


def breakpoints(normal: int = NARROW_BELOW, wide: int | None = None) -> Breakpoints:
    """`-narrow` below `normal` columns, `-normal` from there, `-wide` from `wide` where that is given."""
    found = [(0, "-narrow"), (normal, "-normal")]
    return found if wide is None else [*found, (wide, "-wide")]
