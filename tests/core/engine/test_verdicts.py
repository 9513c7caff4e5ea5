"""A score that needs a person: asked at the end of an episode, recorded with its evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.core.engine.session.test_session import START, sitting
from webbench.core.benchmark.benchmark import Stage
from webbench.core.browser.launch import Browser
from webbench.core.engine import catalogue
from webbench.core.engine.wire import messages
from webbench.core.environment import Environment
from webbench.core.json_types import JsonObject
from webbench.core.judge import REPLIES, Question, reply_to
from webbench.core.score.score import Score, Status
from webbench.core.scoring.judges.verdict import read_verdict
from webbench.core.task import Task

pytestmark = pytest.mark.browser

QUESTION = Question(kind="demo/good", fields={"answer": "x"}, verdicts=("good", "bad"))


class Undecided:
    """An evaluator that leaves everything to a judge."""

    name, version = "undecided", "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        return {"answer": answer}

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        return [] if reply_to(QUESTION, evidence) else [QUESTION]

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        reply = reply_to(QUESTION, evidence)
        if reply is None:
            return Score(status=Status.PENDING, reason="needs a judge", interval=(0.0, 1.0))
        return Score(status=Status.SCORED, value=float(read_verdict(QUESTION, reply) == "good"))


@pytest.fixture(autouse=True)
def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue.benchmark("demo", ""), "evaluator", Undecided())


def start(*, asks_person: bool) -> messages.StartEpisode:
    return messages.StartEpisode(benchmark="demo", task=START.task, asks_person=asks_person)


async def finished(one: Any, *intents: messages.Intent) -> Score:
    """Stop the episode; once a verdict is wanted, these intents arrive."""
    await one.do(start(asks_person=True))
    assert not any(isinstance(event, messages.VerdictWanted) for event in one.events)
    stopping = asyncio.create_task(one.do(messages.SendAction(text="stop [x]")))
    await one.until(messages.VerdictWanted)
    for intent in intents:
        one.session.announce(intent)
    await stopping
    return one.last(messages.EpisodeEnded).header.score


async def test_the_verdict_is_the_score_and_is_recorded(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        score = await finished(
            one, messages.GiveVerdict(key=QUESTION.key, verdict="good", reason="it says so")
        )
        assert (score.status, score.value) == (Status.SCORED, 1)
        step = one.store.load(one.last(messages.EpisodeEnded).header.episode).steps[-1]
        reply = step.evidence[REPLIES][QUESTION.key]
        assert (reply["judge"], reply["reason"]) == ("human", "it says so")
        assert Undecided().score(START.task, step.evidence) == step.score == score


@pytest.mark.parametrize(
    "intent", [messages.GiveVerdict(key=QUESTION.key), messages.EndEpisode(), messages.Shutdown()]
)
async def test_a_question_left_open_leaves_the_score_pending(
    intent: messages.Intent, chromium: Browser, tmp_path: Path
) -> None:
    async with sitting(tmp_path, chromium) as one:
        assert (await finished(one, intent)).status is Status.PENDING


async def test_nobody_is_asked_who_did_not_offer(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(start(asks_person=False), messages.SendAction(text="stop [x]"))
        score = one.last(messages.EpisodeEnded).header.score
        assert score is not None
        assert score.status is Status.PENDING
        assert not any(isinstance(event, messages.VerdictWanted) for event in one.events)
