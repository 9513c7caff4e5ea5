"""A person as judge: asked one question at a time, verdict and reason recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from webbench.core.judge import Question, Reply
from webbench.core.scoring.judges.verdict import verdict_line

HUMAN = "human"


class HumanVerdict(msgspec.Struct, frozen=True):
    """What a person decided: one of the question's verdicts, and why."""

    verdict: str
    reason: str = ""


AskPerson = Callable[[Question], Awaitable[HumanVerdict | None]]
"""Shows a question and waits for the verdict; None leaves it open."""


class HumanJudge:
    """Asks through `ask_person`, never two questions at once.

    Raises ValueError for a verdict that the question doesn't offer: the asking side has to keep to them.
    """

    name = HUMAN

    def __init__(self, ask_person: AskPerson) -> None:
        self._ask_person = ask_person
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, question: Question) -> Reply:
        """The person's reply; without text where they left the question open, or it is for models."""
        if question.asked_of == "model":
            return Reply(judge=HUMAN)
        async with self._one_at_a_time:
            given = await self._ask_person(question)
        if given is None:
            return Reply(judge=HUMAN)
        if given.verdict not in question.verdicts:
            raise ValueError(f'"{given.verdict}" is none of {", ".join(question.verdicts)}')
        return Reply(text=verdict_line(given.verdict), judge=HUMAN, reason=given.reason)
