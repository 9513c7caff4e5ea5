"""The shape of JSON values as they travel through evidence, settings and records."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any
"""None, bool, int, float, str, list[Json] or dict[str, Json]; checked where it is decoded."""

JsonObject: TypeAlias = dict[str, Json]


def text_of(value: Json) -> str:
    """A text as it is, nothing as "", anything else in words."""
    return value if isinstance(value, str) else "" if value is None else str(value)
