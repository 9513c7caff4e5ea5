"""The part of JSONPath that tasks use, and keys given as patterns.

`$.a.b[0].c`, `$['a b'][?(@.key == 1)].c` (a list of all that match), `$.^pattern$` and `^pattern$` (the value
of the one key of the object that matches; a list where several do).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from webbench.benchmarks.webarena.verified.values.normalised_text import is_pattern
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.text import bounded_json

_STEP = re.compile(
    r"\.(?P<name>[^.\[\]]+)|\['(?P<quoted>[^']*)'\]|\[(?P<index>\d+)\]"
    r"|\[\?\(@\.(?P<key>\w+)\s*==\s*(?P<value>[^)]+)\)\]"
)


def is_path(key: str) -> bool:
    return key.startswith("$") or is_pattern(key)


def found_at(data: JsonObject, path: str) -> Json:
    """What the path leads to, None for nothing. Texts that are JSON are looked into at the second try.

    Raises `BadData` for a path of another form.
    """
    pattern = path.removeprefix("$.")
    if is_pattern(pattern):
        return _by_pattern(data, pattern)
    steps = list(_steps(path))
    values = _follow(data, steps) or _follow(_unfolded(data), steps)
    if len(values) == 1 and "?(" not in path:
        return values[0]
    return values or None


def _by_pattern(data: JsonObject, pattern: str) -> Json:
    try:
        matching = [value for key, value in data.items() if re.match(pattern, key)]
    except re.error as error:
        raise BadData(f"the pattern {pattern} is invalid: {error}") from None
    return matching[0] if len(matching) == 1 else matching or None


def _steps(path: str) -> Iterator[re.Match[str]]:
    at = 1
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise BadData(f"the path {path} can't be read from character {at + 1} on")
        yield step
        at = step.end()


def _follow(data: Json, steps: list[re.Match[str]]) -> list[Json]:
    values = [data]
    for step in steps:
        values = [inner for value in values for inner in _inside(value, step)]
    return values


def _inside(value: Json, step: re.Match[str]) -> Iterator[Json]:
    name = step["name"] if step["name"] is not None else step["quoted"]
    if name is not None:
        if isinstance(value, dict) and name in value:
            yield value[name]
    elif step["index"] is not None:
        if isinstance(value, list) and int(step["index"]) < len(value):
            yield value[int(step["index"])]
    elif isinstance(value, list):
        wanted = _literal(step["value"])
        yield from (one for one in value if isinstance(one, dict) and one.get(step["key"]) == wanted)


def _literal(text: str) -> Json:
    text = text.strip()
    try:
        return bounded_json.decode(text)
    except ValueError:
        return text.strip("'\"")


def _unfolded(value: Json) -> Json:
    if isinstance(value, dict):
        return {
            key: _decoded(part) if isinstance(part, str) else _unfolded(part) for key, part in value.items()
        }
    return [_unfolded(part) for part in value] if isinstance(value, list) else value


def _decoded(text: str) -> Json:
    try:
        return bounded_json.decode(text)
    except ValueError:
        return text
