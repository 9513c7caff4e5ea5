"""Reading values by the JSON Schema that a task gives for them.

Expected values are read strictly. What an agent gave is read as far as it goes: a value that can't be read
stays as it is, and then equals nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from webbench.benchmarks.webarena.verified.values.typed_values import read_value
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.text import bounded_json

Located = Callable[[str], str]
"""Puts placeholders in place of site addresses."""


def read_list(value: Json, schema: JsonObject, located: Located, *, strict: bool) -> list[Json] | None:
    """The retrieved data: a list of values or objects; None for nothing. Raises `BadData` where strict."""
    if value is None or value in ("", [], {}):
        return None
    if schema.get("type", "array") != "array":
        if strict:
            raise BadData(f"the schema knows no data, but {value!r} is expected")
        return value if isinstance(value, list) else [value]
    return [read_item(item, schema.get("items") or {}, located, strict=strict) for item in _as_list(value)]


def read_item(value: Json, schema: JsonObject, located: Located, *, strict: bool) -> Json:
    """One value: an object of values, or a `Value` of the schema's format or type; null stays null."""
    if value is None and (schema.get("format") or schema.get("type", "string")) != "string":
        return None
    if schema.get("type") == "object":
        return read_object(value, schema, located, strict=strict)
    if schema.get("type") == "array":
        return [read_item(one, schema.get("items") or {}, located, strict=strict) for one in _as_list(value)]
    kind = schema.get("format") or schema.get("type") or "string"
    try:
        return read_value(_located(value, located), kind)
    except BadData:
        if strict:
            raise
        return value


def read_object(value: Json, schema: JsonObject, located: Located, *, strict: bool) -> Json:
    """An object whose properties are read by their own schema, others as text; a list of such objects.

    A text that is JSON of an object counts as one. Anything else stays as it is.
    """
    if isinstance(value, list):
        return [read_object(one, schema, located, strict=strict) for one in value]
    if isinstance(value, str):
        value = _object_in(value)
    if not isinstance(value, dict):
        if strict:
            raise BadData(f"{value!r} is no object")
        return value
    properties = schema.get("properties") or {}
    return {
        key: read_item(part, properties.get(key) or {}, located, strict=strict) for key, part in value.items()
    }


def _as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else list(value) if isinstance(value, tuple) else [value]


def _located(value: Json, located: Located) -> Json:
    if isinstance(value, str):
        return located(value)
    return [_located(one, located) for one in value] if isinstance(value, list | tuple) else value


def _object_in(text: str) -> Json:
    try:
        decoded = bounded_json.decode(text)
    except ValueError:
        return text
    return decoded if isinstance(decoded, dict) else text
