"""A turn of a conversation as formats of messages have it, between such a format and our steps.

A format that is made of messages reads its items into turns and writes turns as its items; what turns become
in a record is `steps_of_turns.py`, and the way back is `turns_of_record.py`. What a turn has no field for is
its `rest`: it is kept with the step, and the same format writes it again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import msgspec

from webbench.core.exchange.import_format import Picture
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.text import bounded_json

AGENT = "agent"
"""The speaker whose turns are the agent's; every other speaker is told by its name."""
OF_MESSAGE = {"of": "message"}
"""The rest of a result that only holds the picture of a message."""
USAGE = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens", "cost")
"""Names of a turn's usage: tokens (cached ones are a part of the prompt's), US dollars."""

_CALL = re.compile(r"([^(){}\s]{1,200})\((\{.*\})\)", re.DOTALL)


class Call(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A tool that was called. `arguments` is an object, or text where the source gives no JSON."""

    name: str
    arguments: Json = {}
    id: str = ""
    rest: JsonObject = {}


class Result(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What came back.

    Attributes:
        call: id of the call that it answers, "" for what answers none.
        text: what it says.
        error: why the call failed, "" where it didn't.
        page, picture: what was seen after it.
        pictures: further ones, which a step has no place for.
    """

    call: str = ""
    text: str = ""
    error: str = ""
    page: Observation | None = None
    picture: Picture | None = None
    pictures: int = 0
    rest: JsonObject = {}


class Turn(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What one speaker said and called, with what came back.

    Attributes:
        speaker: "agent", "user", "system", or a name.
        usage: under the names of `USAGE`, only what is known.
        counts: False for a turn that was copied from an earlier record: its usage is not counted again.
        at: UTC, ISO 8601; "" where it isn't known.
        seconds: how long the agent took, None where it isn't known.
        own: fields of our own step that the format has no place for, in an export of ours.
        rest: what the source says besides, in its own words.
    """

    speaker: str
    text: str = ""
    reasoning: str = ""
    model: str = ""
    calls: list[Call] = []
    results: list[Result] = []
    usage: JsonObject = {}
    counts: bool = True
    at: str = ""
    seconds: float | None = None
    own: JsonObject = {}
    rest: JsonObject = {}

    @property
    def of_agent(self) -> bool:
        return self.speaker == AGENT


def call_words(call: Call) -> str:
    """A call as the text of a step: `click({"index": 3})`, arguments as they are where they are no object."""
    if isinstance(call.arguments, dict):
        return f"{call.name}({json.dumps(call.arguments, ensure_ascii=False)})"
    return f"{call.name}({call.arguments})"


def call_of_words(text: str) -> Call | None:
    """The call that `call_words` wrote, None for any other text."""
    found = _CALL.fullmatch(text)
    if found is None:
        return None
    try:
        arguments = bounded_json.decode(found[2])
    except (ValueError, RecursionError):
        return None
    return Call(name=found[1], arguments=arguments) if isinstance(arguments, dict) else None


def conversation_text(turns: Sequence[Turn]) -> str:
    """Turns as one text, each under its speaker's name."""
    return "\n\n".join(f"{turn.speaker}: {turn.text}" for turn in turns if turn.text)
