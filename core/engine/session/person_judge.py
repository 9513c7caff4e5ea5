"""The person at the screen as somebody who can be asked, from the engine's process."""

from __future__ import annotations

import asyncio

from webbench.core.engine.wire import messages
from webbench.core.engine.wire.messages import Emit
from webbench.core.judge import Question
from webbench.core.scoring.judges.human import HumanVerdict


class PersonOnScreen:
    """Puts a question on the screen and waits for the verdict, or until the person does something else."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._question: Question | None = None
        self._verdict: asyncio.Future[HumanVerdict | None] | None = None
        self._left = False

    async def ask(self, question: Question) -> HumanVerdict | None:
        """The verdict; None where the question stays open."""
        if self._left:
            return None
        self._question = question
        self._verdict = asyncio.get_running_loop().create_future()
        self._emit(messages.VerdictWanted(question=question))
        try:
            return await self._verdict
        finally:
            self._question = self._verdict = None

    def answer(self, given: messages.GiveVerdict) -> None:
        """Take a verdict; one on another question, or that the question doesn't offer, is no answer."""
        question = self._question
        if question is None or given.key != question.key:
            return
        if not given.verdict:
            self._resolve(None)
        elif given.verdict in question.verdicts:
            self._resolve(HumanVerdict(given.verdict, given.reason))

    def leave(self) -> None:
        """Leave open what is asked, now and until `come_back`."""
        self._left = True
        self._resolve(None)

    def come_back(self) -> None:
        self._left = False

    def _resolve(self, verdict: HumanVerdict | None) -> None:
        if self._verdict is not None and not self._verdict.done():
            self._verdict.set_result(verdict)
