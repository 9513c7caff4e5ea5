"""What stands in a cell of a table where there is no value: a dash, which is not 0."""

from __future__ import annotations

NO_VALUE = "–"


def or_dash(value: float | None, form: str = ".3f") -> str:
    """ "0.750", "–" where there is none. `form` is what `format` writes the value by."""
    return NO_VALUE if value is None else format(value, form)
