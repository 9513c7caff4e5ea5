"""Calls of models: what was given and replied, in the three ways of Open Operator Evals' agents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from webbench.core.exchange.episode_building import text_of
from webbench.core.exchange.reading.element_lines import elements_of
from webbench.core.json_types import Json, JsonObject
from webbench.core.text import bounded_json

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


def _messages(call: Json) -> list[JsonObject]:
    return [one for one in call if isinstance(one, dict)] if isinstance(call, list) else []


def _message_text(message: JsonObject) -> str:
    """The text of a message; pictures that were left out of the file are named."""
    content = message.get("content")
    if not isinstance(content, list):
        return text_of(content)
    parts = [part for part in content if isinstance(part, dict)]
    return "\n".join(text_of(part.get("text")) or f"({text_of(part.get('type'))})" for part in parts)


def shown(call: JsonObject) -> str:
    """The message that lists the page's elements: the last one that has any."""
    told = (_message_text(one) for one in reversed(_messages(call.get("messages_in"))[1:]))
    return next((text for text in told if elements_of(text)), "")


def conversation(messages: Json) -> str:
    """What the model was given, message by message."""
    told = [(text_of(one.get("role") or one.get("type")), _message_text(one)) for one in _messages(messages)]
    return "\n\n".join(f"[{who}]\n{text}" for who, text in told)


def reply_text(reply: Json) -> str:
    """What the model said, and the calls it made, each as JSON on a line of its own."""
    if not isinstance(reply, dict):
        return text_of(reply)
    calls = [json.dumps(call, ensure_ascii=False) for call in _calls(reply)]
    return "\n".join(filter(None, (text_of(reply.get("content")), *calls)))
