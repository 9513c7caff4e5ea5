"""Actions as WebLINX writes them: `click(uid="67e2a5fb-8b1d-41a0")`, one call with named arguments.

Upstream's writer doesn't escape quotes and its reader splits at commas outside of double quotes, so a text
with quotes in it may not come back. Whoever needs to know asks `reads_back`.
"""

from __future__ import annotations

from collections.abc import Mapping

from webbench.benchmarks.weblinx.notation.output import parse_output
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject


def written(intent: str, args: Mapping[str, Json]) -> str:
    """The call; text stands in double quotes, numbers don't, what is None is left out."""
    given = ((name, value) for name, value in args.items() if value is not None)
    return f"{intent}({', '.join(f'{name}={_value(value)}' for name, value in given)})"


def reads_back(text: str, intent: str, args: JsonObject) -> bool:
    """Whether a reader of outputs finds this intent and these arguments in the text."""
    try:
        return parse_output(text, quoted_text=True) == (intent, args)
    except BadData:
        return False


def _value(value: Json) -> str:
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(round(value, 3))
    return str(value) if isinstance(value, int) else f'"{value}"'
