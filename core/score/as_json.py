"""A score as JSON and back: one form for one score, byte by byte.

JSON has no number for infinity and "not a number", which some published rules give: they stand as
`{"$float": "inf"}`, `{"$float": "-inf"}` and `{"$float": "nan"}`.
"""

from __future__ import annotations

import json
import math

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import SCHEMA_VERSION, Score
from webbench.core.text import bounded_json

_FLOAT = "$float"
_NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def score_json(score: Score) -> JsonObject:
    """As plain JSON values; `schema_version` and `status` always, the rest where it says something."""
    plain: JsonObject = plain_numbers(msgspec.to_builtins(score))
    return {"schema_version": score.schema_version, **plain}


def score_bytes(score: Score) -> bytes:
    """Compact ASCII JSON in the order of declaration; equal scores give equal bytes."""
    return json.dumps(score_json(score), ensure_ascii=True, separators=(",", ":")).encode()


def score_from_json(data: bytes | str | JsonObject) -> Score:
    """The inverse of both. Raises `BadData` for anything that is no score this release knows."""
    try:
        value: Json = data if isinstance(data, dict) else bounded_json.decode(data)
        version = value.get("schema_version") if isinstance(value, dict) else None
        if not isinstance(version, int) or isinstance(version, bool):
            raise BadData("this is no score: it names no schema_version")
        if version > SCHEMA_VERSION:
            raise BadData(
                f"the score has schema version {version}; this release reads up to {SCHEMA_VERSION}",
                "update webbench-tui",
            )
        return msgspec.convert(_numbers(value), Score)
    except (ValueError, msgspec.ValidationError) as error:
        raise BadData(f"this is no readable score: {error}") from error


def plain_numbers(value: Json) -> Json:
    """A JSON value with what JSON has no number for written out."""
    if isinstance(value, float) and not math.isfinite(value):
        return {_FLOAT: "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    if isinstance(value, dict):
        return {key: plain_numbers(item) for key, item in value.items()}
    return [plain_numbers(item) for item in value] if isinstance(value, list | tuple) else value


def _numbers(value: Json) -> Json:
    if isinstance(value, dict):
        if len(value) == 1 and value.get(_FLOAT) in _NOT_FINITE:
            return _NOT_FINITE[value[_FLOAT]]
        return {key: _numbers(item) for key, item in value.items()}
    return [_numbers(item) for item in value] if isinstance(value, list) else value
