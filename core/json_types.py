"""JSON types: the shape of values in evidence, settings and records, and when record types are read."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any
"""None, bool, int, float, str, list[Json] or dict[str, Json]; checked where it is decoded."""

JsonObject: TypeAlias = dict[str, Json]


def text_of(value: Json) -> str:
    """A text as it is; nothing, an empty list and an empty object as ""; anything else in words."""
    if isinstance(value, str):
        return value
    return "" if value is None or value in ([], {}) else str(value)


def number_of(value: Json) -> float:
    """A number, 0 for anything else."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


def objects_in(value: Json) -> list[JsonObject]:
    """The objects of a list; none of what is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def read_fields(*kinds: Any) -> None:
    """Have msgspec read the fields of record types now, on import of the module that defines them.

    Where two threads have it do so for the first time at once, the process crashes (seen with 0.22.0).
    """
    import msgspec  # processes of foreign packages take these types without it

    for kind in kinds:
        msgspec.json.Decoder(kind)
