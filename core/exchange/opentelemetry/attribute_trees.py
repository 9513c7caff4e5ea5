"""Attributes of spans: OTLP's typed values as plain ones, and dotted names as a tree.

`llm.input_messages.0.message.role` and `{"llm": {"input_messages": [{"message": {"role": ...}}]}}` are the
same: numbered keys are a list. Exporters write one form or the other.
"""

from __future__ import annotations

import re

from webbench.core.json_types import Json, JsonObject
from webbench.core.text import bounded_json

MOST_PARTS = 24
"""Parts of a dotted name that are told apart."""
CONCEALED = "‹redacted›"
_CREDENTIAL = re.compile(
    r"(?:^|[._-])(?:proxy[-_])?(?:authorization|set[-_]cookie|cookie|api[-_]?key|password|client[-_]secret"
    r"|(?:access|auth|bearer|refresh)[-_]token)$",
    re.IGNORECASE,
)
_TYPED = ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue")
_SNAKE = ("string_value", "int_value", "double_value", "bool_value", "bytes_value")


def plain_value(value: Json) -> Json:
    """The value of an OTLP `AnyValue`, whose 64-bit numbers are texts; anything else as it is."""
    if not isinstance(value, dict):
        return value
    for typed in (*_TYPED, *_SNAKE):
        if typed in value:
            return _number(value[typed]) if typed in ("intValue", "int_value") else value[typed]
    for listed in ("arrayValue", "array_value"):
        if isinstance(held := value.get(listed), dict):
            values = held.get("values")
            return [plain_value(one) for one in values] if isinstance(values, list) else []
    for pairs in ("kvlistValue", "kvlist_value"):
        if isinstance(held := value.get(pairs), dict):
            return plain_pairs(held.get("values"))
    return value


def _number(value: Json) -> Json:
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d{1,19}", value) else value


def plain_pairs(pairs: Json) -> JsonObject:
    """Attributes by name: of a list of {key, value}, or of an object."""
    if isinstance(pairs, dict):
        return dict(pairs)
    found: JsonObject = {}
    for pair in pairs if isinstance(pairs, list) else ():
        if isinstance(pair, dict) and isinstance(pair.get("key"), str):
            found[pair["key"]] = plain_value(pair.get("value"))
    return found


def flat(attributes: JsonObject, before: str = "") -> JsonObject:
    """Objects within attributes as dotted names; lists stay what they are."""
    found: JsonObject = {}
    for name, value in attributes.items():
        if isinstance(value, dict) and value:
            found |= flat(value, f"{before}{name}.")
        else:
            found[before + name] = value
    return found


def tree(attributes: JsonObject) -> JsonObject:
    """Dotted names as objects in objects, numbered ones as lists; of a name that is both the value is ""."""
    root: JsonObject = {}
    for name, value in flat(attributes).items():
        at = root
        *path, last = name.split(".", MOST_PARTS)
        for part in path:
            inner = at.get(part)
            if not isinstance(inner, dict):
                inner = at[part] = {} if inner is None else {"": inner}
            at = inner
        if isinstance(held := at.get(last), dict):
            held[""] = value
        else:
            at[last] = value
    found = _with_lists(root)
    return found if isinstance(found, dict) else {}


def _with_lists(value: Json) -> Json:
    if isinstance(value, list):
        return [_with_lists(tree(one) if isinstance(one, dict) else one) for one in value]
    if not isinstance(value, dict):
        return value
    if value and all(key.isdecimal() and len(key) < 6 for key in value):
        return [_with_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _with_lists(inner) for key, inner in value.items()}


def at(attributes: JsonObject, *names: str) -> Json:
    """The value under the first of these dotted names that has one, in a tree; None where none has."""
    for name in names:
        value: Json = attributes
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is not None and value not in ("", {}, []):
            return value
    return None


def decoded(value: Json) -> Json:
    """What a JSON text holds; any other value as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ('"', "[", "{"):
        return value
    try:
        return bounded_json.decode(value)
    except (ValueError, RecursionError):
        return value


def without_credentials(value: Json) -> tuple[Json, int]:
    """The value with what signs somebody in replaced, and how many were."""
    if isinstance(value, list):
        listed = [without_credentials(one) for one in value]
        return [one for one, _ in listed], sum(count for _, count in listed)
    if not isinstance(value, dict):
        return value, 0
    if isinstance(value.get("key"), str) and "value" in value and _CREDENTIAL.search(value["key"]):
        concealed: Json = {"stringValue": CONCEALED} if isinstance(value["value"], dict) else CONCEALED
        return {**value, "value": concealed}, 1
    found: JsonObject = {}
    total = 0
    for name, inner in value.items():
        if _CREDENTIAL.search(name) and inner not in (None, "", [], {}):
            found[name], count = CONCEALED, 1
        else:
            found[name], count = without_credentials(inner)
        total += count
    return found, total
