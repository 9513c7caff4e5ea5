"""The body of a chat completion read, sent whole as JSON or streamed as server-sent events."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

import msgspec

from webbench.core.json_types import Json
from webbench.core.models.chat import Completion
from webbench.core.models.trouble import Trouble, may_pass
from webbench.core.text.plain_text import plain_clip

SHOWN = 200
MOST_TOOLS = 32
"""Tools that one reply may call; further ones are left out."""

MOST_TOKENS = 1e9
"""More than this is no number of tokens of one call."""

_PERMANENT = frozenset(
    {
        *(
            "invalidrequesterror",
            "badrequesterror",
            "authenticationerror",
            "permissionerror",
            "notfounderror",
        ),
        *("unprocessableentityerror", "invalidapikey", "modelnotfound", "contextlengthexceeded"),
    }
)
"""Kinds of errors, without capitals and underscores, after which asking again gives the same."""

_TOO_LONG = frozenset({"contextlengthexceeded", "exceedcontextsizeerror"})
_CONTEXT = re.compile(r"\bcontext (length|size|window)\b", re.IGNORECASE)

_STREAM = "text/event-stream"
_DONE = b"[DONE]"

T = TypeVar("T")


class _Usage(msgspec.Struct, frozen=True):
    prompt_tokens: Json = None
    completion_tokens: Json = None


class _Function(msgspec.Struct, frozen=True):
    name: str | None = None
    arguments: str | None = None


class _ToolCall(msgspec.Struct, frozen=True):
    function: _Function | None = None
    index: int | None = None


class _Message(msgspec.Struct, frozen=True):
    """A message, or a piece of one in a stream; some endpoints give the model's reasoning beside it.

    `content` is a text, or a list of parts of which the texts count.
    """

    content: Json = None
    tool_calls: tuple[_ToolCall, ...] | None = None
    reasoning_content: Json = None


class _Choice(msgspec.Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None


class _Body(msgspec.Struct, frozen=True):
    choices: tuple[_Choice, ...] | None = None
    usage: _Usage | None = None
    error: Json = None


class _Piece(msgspec.Struct, frozen=True):
    delta: _Message | None = None
    finish_reason: str | None = None


class _Event(msgspec.Struct, frozen=True):
    choices: tuple[_Piece, ...] | None = None
    usage: _Usage | None = None
    error: Json = None


def read_completion(kind: str, body: bytes) -> Completion:
    """The completion in a body of this content type. Raises `Trouble` for anything else."""
    if kind.partition(";")[0].strip() == _STREAM:
        return _streamed(body)
    if "json" in kind:
        return _whole(body)
    shown = plain_clip(kind, SHOWN) or "no content type"
    raise Trouble(f"the endpoint answered with {shown} in place of JSON: is its address right?")


def message_in(body: bytes) -> str:
    """What an error's body says, "" where it is no JSON or has no message."""
    error = _error_in(body)
    return error if isinstance(error, str) else _message_of(error) or ""


def is_too_long(body: bytes) -> bool:
    """Whether an error's body says that the prompt doesn't fit into the model's context.

    Servers that give it no kind of its own say so in words alone.
    """
    return bool(_kinds(_error_in(body)) & _TOO_LONG or _CONTEXT.search(message_in(body)))


def _error_in(body: bytes) -> Json:
    try:
        read = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return read.get("error", read.get("detail", read)) if isinstance(read, dict) else None


def _kinds(error: Json) -> set[str]:
    """What an error calls itself, without capitals and underscores."""
    parts = error if isinstance(error, Mapping) else {}
    return {str(parts.get(name)).replace("_", "").lower() for name in ("code", "type")}


def _whole(body: bytes) -> Completion:
    read = _decoded(body, _Body)
    if read.error is not None and not read.choices:
        raise _refused(read.error, "the endpoint answered with an error", passing=False)
    if read.choices is None:
        raise Trouble("the reply is no chat completion: it has no `choices`")
    choice = read.choices[0] if read.choices else _Choice(_Message())
    called = [call.function or _Function() for call in choice.message.tool_calls or ()][:MOST_TOOLS]
    return _completion(
        _text(choice.message.content),
        _text(choice.message.reasoning_content),
        tuple((one.name or "", one.arguments or "") for one in called),
        choice.finish_reason or "",
        read.usage,
    )


def _streamed(body: bytes) -> Completion:
    """The pieces put together. A stream that stops before it says that it is done was cut."""
    text, thinking, finish = [], [], ""
    tools: dict[int, tuple[str, str]] = {}
    usage: _Usage | None = None
    done = False
    for data in _events(body):
        if data == _DONE:
            done = True
            break
        event = _decoded(data, _Event)
        if event.error is not None:
            raise _refused(event.error, "the endpoint broke off", passing=True)
        usage = event.usage or usage
        for piece in (event.choices or ())[:1]:
            delta = piece.delta or _Message()
            text.append(_text(delta.content))
            thinking.append(_text(delta.reasoning_content))
            finish = piece.finish_reason or finish
            _add_tools(tools, delta.tool_calls or ())
    if not done and not finish:
        raise Trouble("the reply broke off: its stream has no end", passing=True)
    ordered = tuple(tools[index] for index in sorted(tools))
    return _completion("".join(text), "".join(thinking), ordered, finish, usage)


def _events(body: bytes) -> Iterator[bytes]:
    """The data of each event; lines of one event are joined, comments and other fields left out."""
    lines: list[bytes] = []
    for line in (*body.replace(b"\r\n", b"\n").split(b"\n"), b""):
        if line.startswith(b"data:"):
            lines.append(line.removeprefix(b"data:").removeprefix(b" "))
        elif not line and lines:
            yield b"\n".join(lines)
            lines = []


def _add_tools(tools: dict[int, tuple[str, str]], pieces: tuple[_ToolCall, ...]) -> None:
    for place, piece in enumerate(pieces):
        index = place if piece.index is None else piece.index
        if index not in tools and len(tools) >= MOST_TOOLS:
            continue
        name, arguments = tools.get(index, ("", ""))
        function = piece.function or _Function()
        tools[index] = (name + (function.name or ""), arguments + (function.arguments or ""))


def _completion(
    text: str, thinking: str, tools: tuple[tuple[str, str], ...], finish: str, usage: _Usage | None
) -> Completion:
    usage = usage or _Usage()
    return Completion(
        text=text,
        thinking=thinking,
        tools=tools,
        finish=finish,
        prompt_tokens=_count(usage.prompt_tokens),
        completion_tokens=_count(usage.completion_tokens),
    )


def _decoded(body: bytes, type: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=type)
    except msgspec.ValidationError as error:
        raise Trouble(f"the reply is no chat completion: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Trouble(f"the reply is broken JSON: {error}", passing=True) from None


def _text(value: Json) -> str:
    if isinstance(value, list):
        texts = (part.get("text") for part in value if isinstance(part, dict))
        return "".join(text for text in texts if isinstance(text, str))
    return value if isinstance(value, str) else ""


def _count(value: Json) -> int | None:
    """A number of tokens that can be one."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST_TOKENS
    return int(value) if known else None


def _refused(error: Json, what: str, *, passing: bool) -> Trouble:
    """An error that is told in a body; `passing` where neither a status nor its kind tells whether it may."""
    parts = error if isinstance(error, Mapping) else {}
    statuses = [str(parts.get(name)) for name in ("code", "status", "status_code")]
    status = next((int(one) for one in statuses if len(one) == 3 and one.isdecimal()), 0)
    passing = may_pass(status) if status else passing and not _kinds(error) & _PERMANENT
    return Trouble(f"{what}: {plain_clip(_message_of(error) or str(error), SHOWN)}", passing=passing)


def _message_of(error: Json) -> str | None:
    message = error.get("message") if isinstance(error, Mapping) else None
    return message if isinstance(message, str) else None
