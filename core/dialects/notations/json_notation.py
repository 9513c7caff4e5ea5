"""The notation that every dialect understands: the action itself as JSON.

`{"verb": "click", "target": {"id": 12}}`: fields as in `webbench.core.action.action`, defaults left out.
It can express every action, with every detail of an element's fingerprint.
"""

from __future__ import annotations

import json
import re

import msgspec

from webbench.core.action.action import Action
from webbench.core.dialects.dialect import ParseError, one_of
from webbench.core.text.bounded_json import decode
from webbench.core.text.nearest import nearest_names

EXAMPLE = '{"verb": "click", "target": {"id": 12}}'
VERBS = tuple(sorted(kind.__struct_config__.tag for kind in Action.__args__))
_PATH = re.compile(r" - at `\$(?:\.([a-z_]+))*")
_KEY = re.compile(r"`([^`]*)`")


def looks_like_json(text: str) -> bool:
    return text.lstrip()[:1] == "{"


def format_json(action: Action) -> str:
    """One line of ASCII that `parse_json` reads back to an equal action."""
    return json.dumps(msgspec.to_builtins(action))


def parse_json(text: str) -> Action | ParseError:
    """Never raises, whatever the text: depth, numbers and surrogates included."""
    try:
        fields = decode(text)
    except json.JSONDecodeError as error:
        return ParseError(error.pos, f"this is not JSON: {error.msg.lower()}", EXAMPLE)
    except ValueError as error:
        return ParseError(0, f"this JSON can't be read: {str(error)[:100]}", EXAMPLE)
    try:
        action: Action = msgspec.convert(fields, type=Action)
    except (msgspec.ValidationError, OverflowError, ValueError) as error:
        return _misfit(text, fields, str(error))
    return action


def _misfit(text: str, fields: object, message: str) -> ParseError:
    verb = fields.get("verb") if isinstance(fields, dict) else None
    if not isinstance(verb, str):
        return ParseError(0, 'an action has a "verb"', EXAMPLE)
    position = max(text.find('"verb"'), 0)
    if verb not in VERBS:
        near = nearest_names(verb, VERBS, 1)
        return ParseError(
            position, f'there is no verb "{verb[:40]}"', skeleton(near[0]) if near else one_of(VERBS)
        )
    path = _PATH.search(message)
    missing = _KEY.search(message)
    key = (path[1] if path else None) or (missing[1] if missing else "")
    found = text.find(f'"{key}"') if key else -1
    reason = message[:1].lower() + message[1:200]
    return ParseError(found if found >= 0 else position, reason, skeleton(verb))


def skeleton(verb: str) -> str:
    """The shortest valid action of a verb."""
    kind = next(kind for kind in Action.__args__ if kind.__struct_config__.tag == verb)
    samples: dict[str, object] = {
        "target": {"id": 12},
        "source": {"id": 3},
        "text": "a text",
        "keys": "Enter",
        "url": "https://example.org/",
        "query": "what is looked for",
        "options": ["a label"],
        "files": ["a.txt"],
    }
    fields = {
        field.encode_name: samples.get(field.encode_name, 0)
        for field in msgspec.structs.fields(kind)
        if field.required
    }
    return json.dumps({"verb": verb, **fields})
