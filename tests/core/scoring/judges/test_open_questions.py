"""Asking: until nothing is left open, bounded, and the same replies give the same evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec
import pytest

from webbench.core.json_types import JsonObject
from webbench.core.judge import REPLIES, Question, Reply, reply_to
from webbench.core.scoring.judges.human import HumanJudge, HumanVerdict
from webbench.core.scoring.judges.open_questions import MOST_ROUNDS, answered
from webbench.core.task import Task

TASK = Task(benchmark="b", name="t")


def question(name: str) -> Question:
    return Question(kind="b/k", fields={"name": name}, verdicts=("yes", "no"))


FIRST, SECOND = question("first"), question("second")


class Chain:
    """Asks the second question only where the first was answered with yes."""

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        first = reply_to(FIRST, evidence)
        if first is None:
            return [FIRST]
        return [SECOND] if "yes" in first.text and reply_to(SECOND, evidence) is None else []


class Endless:
    """Always has one question more."""

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        return [question(str(len(evidence.get(REPLIES, {}))))]


class Canned:
    name = "canned"

    def __init__(self, reply: Callable[[Question], Reply]) -> None:
        self.reply = reply
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        return self.reply(question)


def says(text: str) -> Canned:
    return Canned(lambda _: Reply(text=text, judge="canned"))


async def test_answers_lead_to_further_questions() -> None:
    evidence = await answered(Chain(), TASK, {"answer": 1}, says("VERDICT: yes"))
    assert evidence["answer"] == 1
    replies = [reply_to(one, evidence) for one in (FIRST, SECOND)]
    assert [reply and reply.text for reply in replies] == ["VERDICT: yes"] * 2
    assert set((await answered(Chain(), TASK, {}, says("VERDICT: no")))[REPLIES]) == {FIRST.key}


async def test_recorded_replies_are_kept_and_failures_asked_again() -> None:
    kept = Reply(text="VERDICT: no", judge="human")
    judge = says("VERDICT: yes")
    evidence = {REPLIES: {FIRST.key: msgspec.to_builtins(kept)}}
    assert await answered(Chain(), TASK, evidence, judge) == evidence
    assert judge.asked == []
    failed = {REPLIES: {FIRST.key: {"error": "down"}, SECOND.key: "no reply at all"}}
    found = await answered(Chain(), TASK, failed, judge)
    assert judge.asked == [FIRST, SECOND]
    reply = reply_to(FIRST, found)
    assert reply is not None
    assert reply.text == "VERDICT: yes"


async def test_without_a_judge_nothing_is_added() -> None:
    assert await answered(Chain(), TASK, {"answer": 1}, None) == {"answer": 1}


async def test_a_question_that_was_left_open_stays_open_and_is_asked_once() -> None:
    judge = Canned(lambda _: Reply(judge="human"))
    assert await answered(Chain(), TASK, {"answer": 1}, judge) == {"answer": 1}
    assert judge.asked == [FIRST]


async def test_an_endless_evaluator_is_stopped() -> None:
    judge = says("VERDICT: yes")
    evidence = await answered(Endless(), TASK, {}, judge)
    assert len(judge.asked) == len(evidence[REPLIES]) == MOST_ROUNDS


async def test_the_cache_does_not_show_in_the_evidence() -> None:
    fresh = await answered(Chain(), TASK, {}, says("VERDICT: no"))
    cached = await answered(
        Chain(), TASK, {}, Canned(lambda _: Reply(text="VERDICT: no", judge="canned", cached=True))
    )
    assert fresh == cached


async def test_a_person_is_asked_one_question_at_a_time() -> None:
    open_now: list[Question] = []

    async def decide(asked: Question) -> HumanVerdict | None:
        open_now.append(asked)
        await asyncio.sleep(0)
        assert open_now == [asked]
        open_now.clear()
        return HumanVerdict("no", "it says four") if asked == FIRST else None

    judge = HumanJudge(decide)
    first, second = await asyncio.gather(judge.ask(FIRST), judge.ask(SECOND))
    assert first == Reply(text="VERDICT: no", judge="human", reason="it says four")
    assert second == Reply(judge="human")


async def test_a_person_keeps_to_the_verdicts() -> None:
    async def decide(asked: Question) -> HumanVerdict | None:
        return HumanVerdict("maybe")

    with pytest.raises(ValueError, match='"maybe" is none of yes, no'):
        await HumanJudge(decide).ask(FIRST)
