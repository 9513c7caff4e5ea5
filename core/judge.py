"""What is asked of a judge and what it replies.

An evaluator stays a pure function: it tells which questions it needs answered (`Evaluator.questions`), a
judge answers them, the replies join the evidence under `REPLIES`, and scoring reads them there. So any
episode can be scored again without asking anybody, and always with the same result.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import digest

REPLIES = "replies"
"""Key of the evidence under which replies stand, by question key."""


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question, most with a closed set of verdicts.

    Attributes:
        kind: name of its prompt, "<benchmark>/<what>", e.g. "webarena/fuzzy_match".
        fields: what the prompt's placeholders stand for.
        verdicts: the words one of which a reply has to give as its verdict; empty: the reply is a free text,
            which leads to further questions.
        pictures: names (SHA-256) of the store's pictures that are shown with it, in order.
        asked_of: whom it is put to; who is not meant leaves it open.
    """

    kind: str
    fields: dict[str, str]
    verdicts: tuple[str, ...]
    pictures: tuple[str, ...] = ()
    asked_of: Literal["anybody", "model", "person"] = "anybody"

    @property
    def key(self) -> str:
        """SHA-256 of all of it: the same question has the same key everywhere."""
        return digest(msgspec.to_builtins(self))


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a judge said.

    Attributes:
        text: the reply as it was given, "" where there is none: it failed, or the question was left open.
        judge: who gave it: "human", or model and host.
        reason: why, in the judge's words.
        error: why there is no reply.
        prompt_tokens, completion_tokens: None where the endpoint doesn't tell.
        cost: US dollars, None where no price is known.
        cached: it was given earlier.
        cut: its limit of tokens ended it.
        seconds: that asking took.
    """

    text: str = ""
    judge: str = ""
    reason: str = ""
    error: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    cached: bool = False
    cut: bool = False
    seconds: float = 0.0


class Judge(Protocol):
    """Answers questions that no rule decides: a model, or a person."""

    name: str

    async def ask(self, question: Question) -> Reply:
        """Never raises for what an endpoint does: trouble is a `Reply` with `error`."""
        ...


def reply_to(question: Question, evidence: JsonObject) -> Reply | None:
    """The recorded reply, None where nobody was asked yet. Raises `msgspec.ValidationError`."""
    replies: Json = evidence.get(REPLIES)
    found = replies.get(question.key) if isinstance(replies, dict) else None
    try:
        return None if found is None else msgspec.convert(found, Reply)
    except UnicodeEncodeError as error:  # half a character in the message about another shape
        raise msgspec.ValidationError(str(error)) from error
