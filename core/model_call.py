"""One call of a model as records keep it: what was sent, what came back, and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.json_types import JsonObject

Role = Literal["system", "user", "assistant"]


class SentPicture(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A picture by reference; its bytes are kept once, as the screenshot of a step.

    Attributes:
        sha256: of the bytes that were sent: the blob's name where they are a step's own screenshot.
        step: index of the step whose screenshot it is or was made from, None for no screenshot.
        note: how it was changed before it was sent, "" where it wasn't.
    """

    sha256: str
    step: int | None = None
    note: str = ""
    width: int = 0
    height: int = 0


class SentMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a prompt; its pictures stand after its text."""

    role: Role
    text: str
    pictures: tuple[SentPicture, ...] = ()


class ToolUse(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the model called; `arguments` is JSON as the model wrote it, whole or not."""

    name: str
    arguments: str = ""


class ModelCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything about one call. The endpoint's key is no part of it.

    Attributes:
        purpose: what an agent with several calls a step asked for: "plan", "reward"; "" for the action,
            "try 2" where the same is asked again because the reply before held none.
        model: as it was asked for.
        host: of the endpoint.
        parameters: sampling parameters that were sent.
        messages: the prompt.
        reply: text of the answer.
        thinking: reasoning that the endpoint gave beside the answer.
        tools: tools that were called in place of a text, or beside it.
        finish: why the model stopped, in the endpoint's word: "stop", "length", "tool_calls".
        prompt_tokens, completion_tokens: None where the endpoint doesn't tell.
        cost: US dollars, None where no price is known.
        seconds: from the first request to the last byte, pauses between attempts included.
        attempts: requests that it took.
        error: why there is no answer, "" where there is one.
    """

    model: str
    purpose: str = ""
    host: str = ""
    parameters: JsonObject = {}
    messages: tuple[SentMessage, ...] = ()
    reply: str = ""
    thinking: str = ""
    tools: tuple[ToolUse, ...] = ()
    finish: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    seconds: float = 0.0
    attempts: int = 1
    error: str = ""


AGAIN = "try "
"""Begins the purpose of a call that was made because the reply before it held no action: "try 2"."""


def invalid_tries(calls: Sequence[ModelCall]) -> int:
    """How many rounds of asking gave no action, so that the same was asked again in the same step."""
    return len({call.purpose for call in calls if call.purpose.startswith(AGAIN)})


def usage_of(calls: Sequence[ModelCall]) -> JsonObject:
    """Sums over the calls under the names that a step's `usage` has; {} for none.

    `prompt_tokens`, `completion_tokens` and `cost` (US dollars) are left out where no call tells them;
    `calls` counts those that were made, `model_seconds` is their time.
    """
    if not calls:
        return {}
    usage: JsonObject = {"calls": len(calls), "model_seconds": round(sum(call.seconds for call in calls), 3)}
    for name in ("prompt_tokens", "completion_tokens", "cost"):
        known = [value for call in calls if (value := getattr(call, name)) is not None]
        if known:
            usage[name] = sum(known)
    return usage
