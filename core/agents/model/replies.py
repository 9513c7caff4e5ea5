"""Reading a model's reply: the action in it, and the reasoning around it.

A reply that holds no action is malformed: it is never guessed at. The reason is shown, counts as an invalid
action, and stands in the agent's next prompt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

import msgspec

from webbench.core.agent import Proposal
from webbench.core.json_types import JsonObject
from webbench.core.model_call import ModelCall
from webbench.core.models.chat import Tool
from webbench.core.text.bounded_json import decode

FENCE = "```"
_FENCED = re.compile(r"```(.*?)```", re.DOTALL)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)

ACT = Tool(
    name="act",
    description="Take the next action.",
    parameters={
        "type": "object",
        "properties": {
            "reasoning": {"type": "string", "description": "Why this is the next action."},
            "action": {"type": "string", "description": "One action, written as the instructions say."},
        },
        "required": ["action"],
    },
)
"""What a model is offered that shall answer by calling a tool."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a reply says; `malformed` tells why it holds no action, and `text` is then the reply.

    `said` is the part of `reasoning` that the reply itself has, where its action stands in fences.
    """

    text: str
    said: str = ""
    reasoning: str = ""
    malformed: str = ""


class ReadReply(Protocol):
    """Never raises, whatever the reply."""

    def __call__(self, call: ModelCall) -> Reading: ...


def read_fenced(call: ModelCall) -> Reading:
    """The first text between code fences, what stands before it is reasoning (WebArena's convention)."""
    return _fenced(call, 0)


def read_last_fenced(call: ModelCall) -> Reading:
    """The last text between code fences, for models that quote actions while they reason."""
    return _fenced(call, -1)


def read_whole(call: ModelCall) -> Reading:
    """The whole reply is the action."""
    text = call.reply.strip()
    return Reading(text=text, reasoning=call.thinking) if text else malformed(call, "the reply is empty")


def read_json(call: ModelCall) -> Reading:
    """The JSON object in the reply: "action", and "reasoning" (or "thought") beside it."""
    found = _OBJECT.search(call.reply)
    if found is None:
        return malformed(call, "the reply holds no JSON object")
    return _from_object(call, found[0])


def read_tool(call: ModelCall) -> Reading:
    """The arguments of the first tool that was called; a text instead of it is malformed."""
    if not call.tools:
        return malformed(call, "the reply calls no tool")
    return _from_object(call, call.tools[0].arguments)


READERS: Mapping[str, ReadReply] = {
    "fenced": read_fenced,
    "last-fenced": read_last_fenced,
    "whole": read_whole,
    "json": read_json,
    "tool": read_tool,
}


def malformed(call: ModelCall, reason: str) -> Reading:
    """No action: the reply itself stands where the action would."""
    cut = ", it was cut off at its limit of tokens (max_tokens)" if call.finish == "length" else ""
    text = call.reply or " ".join(f"{tool.name}({tool.arguments})" for tool in call.tools)
    return Reading(text=text.strip(), reasoning=call.thinking, malformed=f"{reason}{cut}")


def proposal_of(reading: Reading, calls: tuple[ModelCall, ...]) -> Proposal:
    """The proposal that a reading makes, with the calls that led to it."""
    return Proposal(text=reading.text, malformed=reading.malformed, reasoning=reading.reasoning, calls=calls)


def _fenced(call: ModelCall, which: int) -> Reading:
    found = list(_FENCED.finditer(call.reply))
    inside = _untagged(found[which][1]) if found else ""
    if not inside:
        return malformed(call, f"the reply has no action between code fences ({FENCE})")
    said = call.reply[: found[which].start()].strip()
    return Reading(text=inside, said=said, reasoning=_joined(call.thinking, said))


def _untagged(inside: str) -> str:
    """Without the name of a language on the line of the fence."""
    first, _, rest = inside.partition("\n")
    return (rest if rest.strip() and first.strip().isalpha() else inside).strip()


def _from_object(call: ModelCall, text: str) -> Reading:
    try:
        value = decode(text)
    except ValueError as error:
        return malformed(call, f"the reply is broken JSON: {error}")
    fields: JsonObject = value if isinstance(value, dict) else {}
    action = fields.get("action")
    if not isinstance(action, str) or not action.strip():
        return malformed(call, 'the JSON of the reply has no text "action"')
    said = fields.get("reasoning", fields.get("thought", ""))
    reasoning = _joined(call.thinking, said if isinstance(said, str) else "")
    return Reading(text=action.strip(), reasoning=reasoning)


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
