"""What stands in a cell of a table where there is no value: a dash or nothing, which is not 0."""

from __future__ import annotations

NO_VALUE = "–"


def or_dash(value: float | None, form: str = ".3f") -> str:
    """ "0.750", "–" where there is none. `form` is what `format` writes the value by."""
    return NO_VALUE if value is None else format(value, form)


def or_blank(value: float | None) -> str:
    """ "0.750", "" where there is none."""
    return "" if value is None else f"{value:.3f}"
