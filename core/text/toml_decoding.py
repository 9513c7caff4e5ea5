"""Decoding TOML that strangers wrote: bounded in size and depth before it is parsed.

`tomllib` exhausts the stack with brackets in brackets, and takes time by the square of a key's dots.
"""

from __future__ import annotations

import re
import tomllib

from webbench.core.json_types import JsonObject
from webbench.core.text.bounded_json import DEEPEST

LARGEST = 1024 * 1024
"""Bytes of a text."""

OPAQUE = re.compile(
    r"""\"{3}(?:[^\\]|\\(?:.|\Z))*?(?:\"{3,5}|\Z)|'{3}.*?(?:'{3,5}|\Z)"""
    r"""|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?|(#[^\n]*+)""",
    re.DOTALL,
)
"""Strings and comments: nothing in them is a bracket or a dot of the text. A string without an end goes up to
where `tomllib` refuses it, so that none is looked through twice."""
_BRACKET = re.compile(r"[\[\]{}]")
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}")


def decode(data: bytes) -> JsonObject:
    """The value of a TOML text.

    Raises ValueError for what is no TOML or no UTF-8, larger than `LARGEST`, or nested deeper than 64 levels.
    """
    if len(data) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST // 1024} KiB")
    text = data.decode()
    _check_text(text)
    value = tomllib.loads(text)
    _check_value(value)
    return value


def _check_text(text: str) -> None:
    bare = OPAQUE.sub(lambda found: "" if found[1] else "_", text)
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise _too_deep()
    if _LONG_KEY.search(bare):
        raise _too_deep()


def _check_value(value: object) -> None:
    """Dotted keys in inline tables nest deeper than either alone."""
    level: list[object] = [value]
    for _ in range(DEEPEST + 1):
        below: list[object] = []
        for one in level:
            if isinstance(one, dict):
                below += one.values()
            elif isinstance(one, list):
                below += one
        if not below:
            return
        level = below
    raise _too_deep()


def _too_deep() -> ValueError:
    return ValueError(f"it is nested deeper than {DEEPEST} levels")
