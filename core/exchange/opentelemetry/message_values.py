"""Messages in what spans hold as input and output of models, whoever's form they have.

Known are chat messages of OpenAI (completions and responses), Anthropic and Google, of LangChain and the
Vercel SDK, and the parts of the GenAI conventions (text, reasoning, tool_call, tool_call_response, blob).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable

from webbench.core.exchange.conversation.spoken_turn import AGENT, OF_MESSAGE, Call, Result, Turn
from webbench.core.exchange.episode_building import LARGEST_PICTURE, text_of
from webbench.core.exchange.import_format import Picture
from webbench.core.exchange.opentelemetry.attribute_trees import decoded
from webbench.core.json_types import Json, JsonObject

DEEPEST_VALUE = 12
"""Objects, lists and JSON texts that lie in one another before a message is looked for no further."""
MOST_MESSAGES = 20_000
_SPEAKERS = {
    **dict.fromkeys(("assistant", "model", "ai", "agent", "aimessage", "function_call"), AGENT),
    **dict.fromkeys(("user", "human", "humanmessage"), "user"),
    **dict.fromkeys(("system", "developer", "systemmessage"), "system"),
    **dict.fromkeys(("tool", "function", "toolmessage", "function_call_output"), "tool"),
}
_HOLDERS = (
    "messages",
    "contents",
    "choices",
    "generations",
    "output",
    "candidates",
    "new_message",
    "message",
)
_TEXTS = ("text", "content", "thinking", "reasoning", "value", "summary")
_CALLS = ("tool_call", "tool_use", "tool-call", "function_call", "toolcall")
_ANSWERS = ("tool_call_response", "tool_result", "tool-result", "function_response", "function_call_output")
_REASONING = ("reasoning", "thinking", "redacted_thinking")
_WORDS = ("text", "output_text", "input_text", "refusal")
_IMAGES = ("blob", "image", "image_url", "input_image")


def messages_in(value: Json, speaker: str, depth: int = 0) -> list[Turn]:
    """The messages of a value, [] where none is known in it.

    Args:
        speaker: who says what names no speaker.
    """
    value = decoded(value)
    if depth > DEEPEST_VALUE or value in (None, "", [], {}):
        return []
    if isinstance(value, str):
        return [Turn(speaker=speaker, text=value)]
    if isinstance(value, list):
        return _of_list(value, speaker, depth)
    if not isinstance(value, dict):
        return []
    if _is_message(value):
        return [_message(value, speaker)]
    found = _system_of(value)
    if isinstance(value.get("content"), dict | list):
        return [*found, *messages_in({"role": speaker, **_content_of(value)}, speaker, depth + 1)]
    for holder in _HOLDERS:
        if isinstance(value.get(holder), dict | list):
            return found + messages_in(value[holder], speaker, depth + 1)
    said = next(
        (value[name] for name in ("prompt", "text", "content") if isinstance(value.get(name), str)), ""
    )
    return [*found, Turn(speaker=speaker, text=said)] if said else []


def _of_list(value: list[Json], speaker: str, depth: int) -> list[Turn]:
    items = [decoded(one) for one in value[:MOST_MESSAGES]]
    objects = [one for one in items if isinstance(one, dict)]
    if objects and all(_is_part(one) for one in objects):
        return [_message({"role": speaker, "parts": items}, speaker)]
    return [
        turn for one in items if isinstance(one, dict | list) for turn in messages_in(one, speaker, depth + 1)
    ]


def _is_message(value: JsonObject) -> bool:
    role = value.get("role", value.get("type"))
    named = isinstance(role, str) and role.lower() in _SPEAKERS
    return (
        named
        or (value.get("type") == "message" and "content" in value)
        or (value.get("type") == "reasoning" and "summary" in value)
    )


def _is_part(value: JsonObject) -> bool:
    kind = text_of(value.get("type"))
    if "role" in value:
        return False
    return kind in (*_CALLS[:3], *_ANSWERS[:3], *_WORDS, *_IMAGES, "thinking") or "toolCallId" in value


def _content_of(value: JsonObject) -> JsonObject:
    """A candidate of Google's, whose content has the parts; or parts under `content` themselves."""
    content = value["content"]
    return content if isinstance(content, dict) else {"content": content}


def _system_of(value: JsonObject) -> list[Turn]:
    config = value.get("config") if isinstance(value.get("config"), dict) else {}
    told = value.get("system") or value.get("instructions") or (config or {}).get("system_instruction")
    turn = _message({"content": told}, "system") if told else Turn(speaker="system")
    return [turn] if turn.text else []


def _message(value: JsonObject, speaker: str) -> Turn:
    role = text_of(value.get("role") or value.get("type")).lower()
    turn = Turn(speaker=_SPEAKERS.get(role, speaker))
    content = value.get("parts", value.get("content"))
    if role == "reasoning":
        return Turn(speaker=AGENT, reasoning=_words(value.get("summary") or value.get("content")))
    if role == "function_call":
        turn.calls.append(_call(value))
        return turn
    if role == "function_call_output":
        turn.results.append(Result(call=text_of(value.get("call_id")), text=_words(value.get("output"))))
        return turn
    _add_parts(turn, content)
    for name in ("reasoning_content", "reasoning"):
        if isinstance(value.get(name), str) and not turn.reasoning:
            turn.reasoning = value[name]
    extra = value.get("additional_kwargs") if isinstance(value.get("additional_kwargs"), dict) else {}
    listed = value.get("tool_calls") or (extra or {}).get("tool_calls")
    turn.calls += [_call(one) for one in map(decoded, _list(listed)) if isinstance(one, dict)]
    if isinstance(value.get("function_call"), dict):
        turn.calls.append(_call(value["function_call"]))
    if turn.speaker == "tool" and not turn.results:
        named = text_of(value.get("tool_call_id") or value.get("toolCallId") or value.get("id"))
        turn.results = [Result(call=named, text=turn.text)]
        turn.text = ""
    return turn


def _add_parts(turn: Turn, content: Json) -> None:
    content = content.get("parts", [content]) if isinstance(content, dict) else content
    if isinstance(content, str):
        turn.text = content
        return
    words = []
    for part in _list(content):
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, dict):
            words += _add_part(turn, part)
    turn.text = "\n".join(filter(None, words))


def _add_part(turn: Turn, part: JsonObject) -> Iterable[str]:
    """Put a part in its place; words of a text are given back."""
    if isinstance(part.get("message_content"), dict):
        part = part["message_content"]
    kind = text_of(part.get("type")).lower()
    if isinstance(part.get("function_call"), dict):
        turn.calls.append(_call(part["function_call"]))
    elif isinstance(part.get("function_response"), dict):
        turn.results.append(_result(part["function_response"]))
    elif kind in _CALLS or (not kind and "toolName" in part and "output" not in part):
        turn.calls.append(_call(part))
    elif kind in _ANSWERS:
        turn.results.append(_result(part))
    elif kind in _REASONING or part.get("thought") is True:
        turn.reasoning = "\n".join(filter(None, (turn.reasoning, _words(part))))
    elif kind in _WORDS or (not kind and isinstance(part.get("text"), str)):
        return [_words(part)]
    elif kind in _IMAGES or "inline_data" in part:
        picture = _picture(part)
        rest = dict(OF_MESSAGE)
        turn.results.append(Result(picture=picture, rest=rest) if picture else Result(pictures=1, rest=rest))
    else:
        turn.rest.setdefault("unread", []).append(kind or "?")
    return ()


def _call(value: JsonObject) -> Call:
    inner = value["tool_call"] if isinstance(value.get("tool_call"), dict) else value
    function = inner["function"] if isinstance(inner.get("function"), dict) else inner
    given: Json = next((function[name] for name in ("arguments", "args", "input") if name in function), {})
    arguments = decoded(given)
    return Call(
        name=text_of(function.get("name") or function.get("toolName")),
        arguments={} if arguments in (None, "") else arguments,
        id=text_of(next((inner[name] for name in ("call_id", "id", "toolCallId") if inner.get(name)), "")),
    )


def _result(value: JsonObject) -> Result:
    said = next((value[name] for name in ("response", "result", "output", "content") if name in value), "")
    named = next(
        (value[name] for name in ("tool_use_id", "toolCallId", "call_id", "id") if value.get(name)), ""
    )
    return Result(call=text_of(named), text=_words(said))


def _words(value: Json) -> str:
    """The words of a text, a part or a list of parts; anything else as JSON."""
    value = decoded(value) if isinstance(value, str) and value[:1] == '"' else value
    if isinstance(value, dict):
        for name in _TEXTS:
            if isinstance(value.get(name), str | list):
                return _words(value[name])
    if isinstance(value, list) and all(isinstance(one, str | dict) for one in value):
        words = [_words(one) if isinstance(one, dict) and _is_part(one) else "" for one in value]
        if all(words) and words:
            return "\n".join(words)
        if value and all(isinstance(one, str) for one in value):
            return "\n".join(map(str, value))
    return text_of(value) if not isinstance(value, dict | list) else json.dumps(value, ensure_ascii=False)


def result_words(value: Json) -> str:
    """What a tool gave, as text."""
    opened = decoded(value)
    if isinstance(opened, dict) and isinstance(opened.get("content"), str | list):
        return _words(opened["content"])
    return value if isinstance(value, str) else _words(opened)


def pictures_in(value: Json) -> tuple[str, list[Picture | None]]:
    """The words and the pictures of a tool's answer that is made of parts; ("", []) for any other."""
    opened = decoded(value)
    held = Turn(speaker="tool")
    if isinstance(opened, list) and all(isinstance(one, dict) and _is_part(one) for one in opened):
        _add_parts(held, opened)
    pictures = [one.picture for one in held.results if one.rest == OF_MESSAGE]
    return (held.text, pictures) if pictures else ("", [])


def _picture(part: JsonObject) -> Picture | None:
    """A picture that stands in the message; one at an address is never fetched."""
    given: Json = next(
        (part[name] for name in ("content", "data", "image", "image_url") if part.get(name)), None
    )
    if isinstance(part.get("inline_data"), dict):
        given = part["inline_data"].get("data")
    if isinstance(given, dict):
        given = given.get("url") or given.get("data")
    source = part.get("source")
    if given is None and isinstance(source, dict):
        given = source.get("data")
    if not isinstance(given, str) or len(given) > LARGEST_PICTURE * 4 // 3:
        return None
    data = given.partition("base64,")[2] if given.startswith("data:") else given
    try:
        return Picture(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        return None


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
