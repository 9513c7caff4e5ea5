"""The person at the screen: asked by an event, answered by an intent, and never waited for in vain."""

from __future__ import annotations

import asyncio

from webbench.core.engine.session.person_judge import PersonOnScreen
from webbench.core.engine.wire import messages
from webbench.core.judge import Question
from webbench.core.scoring.judges.human import HumanVerdict

QUESTION = Question(kind="b/k", fields={"answer": "4"}, verdicts=("yes", "no"))


class Screen:
    def __init__(self) -> None:
        self.events: list[messages.Event] = []
        self.person = PersonOnScreen(self.events.append)

    async def asked(self) -> asyncio.Task[HumanVerdict | None]:
        task = asyncio.create_task(self.person.ask(QUESTION))
        await asyncio.sleep(0)
        assert self.events[-1] == messages.VerdictWanted(question=QUESTION)
        return task

    def give(self, verdict: str, *, key: str = QUESTION.key, reason: str = "") -> None:
        self.person.answer(messages.GiveVerdict(key=key, verdict=verdict, reason=reason))


async def test_a_verdict_comes_back_with_its_reason() -> None:
    screen = Screen()
    waiting = await screen.asked()
    screen.give("yes", key="another question")
    screen.give("maybe")
    await asyncio.sleep(0)
    assert not waiting.done()
    screen.give("no", reason="it is five")
    assert await waiting == HumanVerdict("no", "it is five")
    screen.give("yes")


async def test_an_empty_verdict_leaves_it_open() -> None:
    screen = Screen()
    waiting = await screen.asked()
    screen.give("")
    assert await waiting is None


async def test_who_leaves_is_not_asked_until_coming_back() -> None:
    screen = Screen()
    waiting = await screen.asked()
    screen.person.leave()
    assert await waiting is None
    assert await screen.person.ask(QUESTION) is None
    assert len(screen.events) == 1
    screen.person.come_back()
    again = await screen.asked()
    screen.give("yes")
    assert await again == HumanVerdict("yes")
