"""A judge's reply as one JSON object, to which servers hold small models: by themselves they keep no form."""

from __future__ import annotations

import msgspec

from webbench.core.json_types import JsonObject
from webbench.core.judge import Question

ASKED: JsonObject = {"type": "json_object"}
"""How a judge is told to ask for it; each question has a schema of its own."""
HINT = (
    "\n\nIn place of these lines write one JSON object with the same in it: `cites`, a list of objects with "
    "the number `step` and the copied `words`, then `reason`, then `verdict`."
)
"""No example: a small model copies it."""
MOST_CITES = 2
LONGEST_WORDS = 120
"""Characters of a text: a model that repeats itself ends there, and the whole is within some 200 tokens."""
MOST_READ = 20


class _Cite(msgspec.Struct, frozen=True):
    step: int
    words: str


class _Answer(msgspec.Struct, frozen=True):
    verdict: str
    reason: str = ""
    cites: tuple[_Cite, ...] = ()


def form_of(question: Question) -> JsonObject:
    """What the protocol calls the response format: citations first, so that the verdict follows from them."""
    text = {"type": "string", "maxLength": LONGEST_WORDS}
    cite = _object(step={"type": "integer", "minimum": 0, "maximum": 999_999}, words=text)
    schema = _object(
        cites={"type": "array", "items": cite, "maxItems": MOST_CITES},
        reason=text,
        verdict={"type": "string", "enum": list(question.verdicts)},
    )
    return {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": schema}}


def _object(**properties: object) -> JsonObject:
    made: JsonObject = msgspec.to_builtins(
        {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    )
    return made


def reply_lines(text: str) -> list[str]:
    """The lines of a reply, as the prompts ask for them; of a JSON object those that say the same.

    A text that is no such object stays as it is: nothing is guessed.
    """
    try:
        answer = msgspec.json.decode(text.strip(), type=_Answer) if text.lstrip().startswith("{") else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        answer = None
    if answer is None:
        return [line.strip() for line in text.splitlines()]
    cites = [f'CITE: {one.step} "{_line(one.words)}"' for one in answer.cites[:MOST_READ]]
    return [*cites, f"REASON: {_line(answer.reason)}", f"VERDICT: {_line(answer.verdict)}"]


def _line(text: str) -> str:
    """What is in one string of the object begins no line of its own."""
    return " ".join(text.split())
