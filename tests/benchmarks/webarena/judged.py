"""Tasks, evidence and a judge that says what it is told to."""

from __future__ import annotations

from typing import Any

import msgspec

from webbench.benchmarks.webarena.scoring.evaluate import WebArenaEvaluator
from webbench.core.errors import BadData
from webbench.core.judge import Question, Reply
from webbench.core.score.score import Check, Score
from webbench.core.task import Task

EVALUATOR = WebArenaEvaluator()
INTENT = "How many mugs were sold?"


def task_of(gold: dict[str, Any], name: str = "7") -> Task:
    return Task(benchmark="webarena", name=name, intent=INTENT, gold=gold)


def answers(references: Any, **more: Any) -> dict[str, Any]:
    """The gold data of a task that asks for an answer."""
    return {"eval_types": ["string_match"], "reference_answers": references, "string_note": "", **more}


def pages(*required: Any, kinds: tuple[str, ...] = ("program_html",)) -> dict[str, Any]:
    """The gold data of a task with one page target per requirement."""
    targets = [{"url": "last", "locator": "", "required_contents": one} for one in required]
    return {"eval_types": list(kinds), "program_html": targets}


def score_of(gold: dict[str, Any], evidence: dict[str, Any], rules: str = "published") -> Score:
    return EVALUATOR.score(task_of(gold), evidence, rules)


def asked(gold: dict[str, Any], evidence: dict[str, Any], reply: str, rules: str = "published") -> Score:
    """The score after every open question got the same reply."""
    task = task_of(gold)
    replies = {
        question.key: msgspec.to_builtins(Reply(text=reply, judge="somebody"))
        for question in EVALUATOR.questions(task, evidence, rules)
    }
    return EVALUATOR.score(task, {**evidence, "replies": replies}, rules)


def leaves(checks: tuple[Check, ...]) -> list[Check]:
    found: list[Check] = []
    for check in checks:
        found += leaves(check.checks) if check.checks else [check]
    return found


def clauses(score: Score) -> set[str]:
    """The clauses anywhere in the tree."""
    found: set[str] = set()
    pending = list(score.checks)
    while pending:
        check = pending.pop()
        found |= {check.clause} - {""}
        pending += check.checks
    return found


class Unprompted:
    """A judge without a prompt for what it is asked."""

    name = "nobody"

    async def ask(self, question: Question) -> Reply:
        raise BadData(f'there is no readable prompt for "{question.kind}"', "write one")


class Saying:
    """A judge that always says the same and counts how often it is asked."""

    name = "somebody"

    def __init__(self, text: str) -> None:
        self.text = text
        self.questions: list[Question] = []

    async def ask(self, question: Question) -> Reply:
        self.questions.append(question)
        return Reply(text=self.text, judge=self.name)
