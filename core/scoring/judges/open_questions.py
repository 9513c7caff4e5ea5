"""Open questions of a score: a judge is asked until none is left, and its replies join the evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import REPLIES, Judge, Question, Reply
from webbench.core.task import Task

MOST_ROUNDS = 8
"""Answers may lead to further questions so often."""

MOST_QUESTIONS = 200
"""Questions that one score may rest on."""


class Asking(Protocol):
    """The part of an evaluator that asks."""

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]: ...


async def answered(
    evaluator: Asking, task: Task, evidence: JsonObject, judge: Judge | None, rules: str = "published"
) -> JsonObject:
    """The evidence with the judge's replies to all questions of this task.

    A recorded reply is kept; a recorded failure is asked again. Without a judge, and for what it leaves
    open, nothing is added, and the score stays pending. The same replies give the same evidence, so it
    doesn't say whether a reply came from the cache.
    """
    if judge is None:
        return evidence
    replies = _kept(evidence)
    asked: set[str] = set()
    for _ in range(MOST_ROUNDS):
        known = evidence | {REPLIES: dict(replies)}
        fresh = {question.key: question for question in evaluator.questions(task, known, rules)}
        open_ones = [question for key, question in fresh.items() if key not in asked]
        open_ones = open_ones[: MOST_QUESTIONS - len(asked)]
        if not open_ones:
            break
        given = await asyncio.gather(*map(judge.ask, open_ones))
        for question, reply in zip(open_ones, given, strict=True):
            asked.add(question.key)
            if reply.text or reply.error:
                replies[question.key] = msgspec.to_builtins(msgspec.structs.replace(reply, cached=False))
    return evidence | {REPLIES: replies} if replies else evidence


def recorded_replies(evidence: JsonObject) -> dict[str, Json]:
    """Of what stands under `REPLIES`, what are replies, failed ones among them, by question key."""
    return {key: value for key, value, _ in _read(evidence)}


def _kept(evidence: JsonObject) -> dict[str, Json]:
    """Recorded replies that did not fail."""
    return {key: value for key, value, reply in _read(evidence) if not reply.error}


def _read(evidence: JsonObject) -> Iterator[tuple[str, Json, Reply]]:
    recorded = evidence.get(REPLIES)
    for key, value in recorded.items() if isinstance(recorded, dict) else ():
        try:
            yield key, value, msgspec.convert(value, Reply)
        except msgspec.ValidationError:
            continue
