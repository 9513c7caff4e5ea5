"""A score as JSON values: one form for one score.

JSON has no number for infinity and "not a number", which some published rules give: they stand as
`{"$float": "inf"}`, `{"$float": "-inf"}` and `{"$float": "nan"}`.
"""

from __future__ import annotations

import math

import msgspec

from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score

_FLOAT = "$float"


def score_json(score: Score) -> JsonObject:
    """As plain JSON values; `schema_version` and `status` always, the rest where it says something."""
    plain: JsonObject = plain_numbers(msgspec.to_builtins(score))
    return {"schema_version": score.schema_version, **plain}


def plain_numbers(value: Json) -> Json:
    """A JSON value with what JSON has no number for written out."""
    if isinstance(value, float) and not math.isfinite(value):
        return {_FLOAT: "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    if isinstance(value, dict):
        return {key: plain_numbers(item) for key, item in value.items()}
    return [plain_numbers(item) for item in value] if isinstance(value, list | tuple) else value
