"""Calls of models: what was given and replied, in the three ways of Open Operator Evals' agents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from webbench.core.exchange.episode_building import text_of
from webbench.core.exchange.reading.element_lines import elements_of
from webbench.core.json_types import Json, JsonObject
from webbench.core.text import bounded_json

ASSISTANT = "assistant"
PICTURE = "data:image/"
"""How a picture within a message begins."""
_TAGGED = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)


def called(reply: Json) -> Iterator[tuple[str, JsonObject]]:
    """The actions of a reply in order, as name and arguments, in whichever way the agent writes them."""
    if not isinstance(reply, dict):
        return
    content = text_of(reply.get("content"))
    calls = [call.get("function") for call in _calls(reply) if isinstance(call, dict)]
    functions = [call for call in calls if isinstance(call, dict)]
    if not functions:
        functions = [found for text in _TAGGED.findall(content) if (found := _object(text))]
    for function in functions:
        arguments = function.get("arguments")
        given = arguments if isinstance(arguments, dict) else _object(text_of(arguments))
        listed = given.get("action")
        if isinstance(listed, list):
            yield from _pairs(listed)
        else:
            yield text_of(function.get("name")), given
    if not functions:
        listed = _object(content).get("actions")
        yield from _pairs(listed if isinstance(listed, list) else [])


def _calls(reply: JsonObject) -> list[Json]:
    calls = reply.get("tool_calls")
    return calls if isinstance(calls, list) else []


def _pairs(listed: list[Json]) -> Iterator[tuple[str, JsonObject]]:
    for one in listed:
        for name, arguments in one.items() if isinstance(one, dict) else ():
            yield str(name), arguments if isinstance(arguments, dict) else {}


def _object(text: str) -> JsonObject:
    """The JSON object of a text, {} where it is none."""
    try:
        found = bounded_json.decode(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def told_of(value: Json) -> Json:
    """What a message says: without empty, false and null fields, pictures, and that a text is text."""
    if isinstance(value, dict):
        if value.get("type") == "text" and isinstance(value.get("text"), str):
            value = {name: one for name, one in value.items() if name != "type"}
        inner = {name: told_of(one) for name, one in value.items()}
        return {name: one for name, one in inner.items() if not _is_blank(one)}
    if isinstance(value, list):
        return [one for one in map(told_of, value) if not _is_blank(one)]
    return "" if isinstance(value, str) and value.startswith(PICTURE) else value


def pictures_in(value: Json) -> int:
    """How many pictures stand in messages as data."""
    if isinstance(value, str):
        return int(value.startswith(PICTURE))
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(pictures_in, held))


def _is_blank(value: Json) -> bool:
    return value is None or value is False or value in ("", [], {})


def _messages(given: Json) -> list[Json]:
    """Messages as they are told; what is no list is one message."""
    told = told_of(given)
    return told if isinstance(told, list) else [] if _is_blank(told) else [told]


def _message_text(message: Json) -> str:
    """The text of a message, part by part; then what else it holds, as JSON: calls, labels, ids."""
    if not isinstance(message, dict):
        return _written(message)
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    others = {name: one for name, one in message.items() if name not in ("content", "role", "type")}
    if "role" in message and "type" in message:
        others["type"] = message["type"]
    told = [*map(_part_text, parts), _written(others) if others else ""]
    return "\n".join(filter(None, told))


def _part_text(part: Json) -> str:
    """Text as it is; a picture that was left out of the file is named with what stands in its place."""
    if not isinstance(part, dict):
        return _written(part)
    text, kind = text_of(part.get("text")), part.get("type")
    others = {name: one for name, one in part.items() if name not in ("text", "type")}
    named = f"({_written(kind)})" if kind is not None else ""
    return " ".join(filter(None, (text, named, _written(others) if others else "")))


def _written(value: Json) -> str:
    """A text as it is, nothing as "", anything else as JSON."""
    return text_of(value) if isinstance(value, str | None) else json.dumps(value, ensure_ascii=False)


def shown(call: JsonObject) -> str:
    """The message that lists the page's elements: the last one that has any."""
    told = (_message_text(one) for one in reversed(_messages(call.get("messages_in"))[1:]))
    return next((text for text in told if elements_of(text)), "")


def conversation(messages: Json) -> str:
    """What the model was given, message by message, with all that a message holds."""
    return "\n\n".join(f"[{_speaker(one)}]\n{_message_text(one)}" for one in _messages(messages))


def _speaker(message: Json) -> str:
    return _written(message.get("role") or message.get("type")) if isinstance(message, dict) else ""


def reply_text(reply: Json) -> str:
    """What the model said, the calls it made, each as JSON on a line of its own, and what else it holds."""
    told = told_of(reply)
    if not isinstance(told, dict):
        return _written(told) if not _is_blank(told) else ""
    calls = [_written(call) for call in _calls(told)]
    known = {"content", "role"} | ({"tool_calls"} if calls else set())
    others = {name: one for name, one in told.items() if name not in known}
    role = told.get("role")
    if role not in (None, ASSISTANT):
        others["role"] = role
    rest = _written(others) if others else ""
    return "\n".join(filter(None, (_written(told.get("content")), *calls, rest)))
