"""Scoring an episode of WebVoyager: a judge sees the task, the answer and the last screenshots.

Without an answer nothing is asked: the published evaluation takes that for a failure. The reference answer
is shown to no judge, as there: most are one of many, or were right on their day. It is told with the verdict,
not before: the score is shown to whoever works on the task, and to the person who is asked to judge.
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.benchmarks.common.judged_stage import collected
from webbench.benchmarks.common.shown_to_judge import UNREADABLE, Shown, judged_score, shown_in
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question, reply_to
from webbench.core.score.score import Check, Score, Status, failed, not_scored
from webbench.core.scoring.judges.verdict import one_verdict, read_verdict
from webbench.core.task import Task

PUBLISHED, PAPER = RULE_SETS = ("published", "paper")
LAST = {PUBLISHED: 15, PAPER: 0}
"""How many of the last screenshots are shown, 0 = all: 15 in the published script; of the paper's settings
(1, 2, 3 and all) the whole trajectory agreed best with people."""
MOST_SHOWN = 60
"""The longest episode of the benchmark has 15 steps; an endpoint takes so many pictures at once."""
KIND = "webvoyager/success"
SUCCESS, NOT_SUCCESS = "SUCCESS", "NOT SUCCESS"
NO_ANSWER = "no answer was given, which the published evaluation takes for a failure"
NO_PICTURE = "no screenshot in the record, and the judge decides by them"
OPEN = "a judge has to be asked: `webbench-tui score EPISODE --judge MODEL`"


class WebVoyagerEvaluator:
    """See `Evaluator`."""

    name = "webvoyager"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """See `Shown`."""
        return await collected(stage, environment, answer)

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:
        """Whether it succeeded; none without an answer or a screenshot, and once a judge has said so."""
        try:
            shown = shown_in(evidence)
            if rules not in RULE_SETS or not (shown.answer.strip() and shown.screenshots):
                return ()
            question = success_question(task, shown, rules)
            return () if reply_to(question, evidence) is not None else (question,)
        except UNREADABLE:
            return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """1 for SUCCESS, 0 for NOT SUCCESS and without an answer; pending until a judge has spoken."""
        return judged_score(
            task, evidence, rules, RULE_SETS, lambda shown, one: _score(task, shown, evidence, one)
        )


def success_question(task: Task, shown: Shown, rules: str) -> Question:
    """The one question, with the last screenshots as many as the rule set shows."""
    names = shown.names[-(LAST[rules] or MOST_SHOWN) :]
    fields = {"task": task.intent, "answer": shown.answer, "screenshots": str(len(names))}
    return Question(kind=KIND, fields=fields, verdicts=(SUCCESS, NOT_SUCCESS), pictures=names)


def _score(task: Task, shown: Shown, evidence: JsonObject, rules: str) -> Score:
    if not shown.answer.strip():
        return _made(task, evidence, rules, _check(task, shown, 0.0, NO_ANSWER))
    if not shown.screenshots:
        return not_scored(NO_PICTURE, rules=rules)
    question = success_question(task, shown, rules)
    reply = reply_to(question, evidence)
    if reply is None:
        return _made(task, evidence, rules, _check(task, shown, None, OPEN))
    try:
        verdict = read_verdict(question, reply)
    except BadData as error:
        return failed(f"No verdict on {task.id}: {error}", rules=rules)
    said = reply.reason or " ".join(line.strip() for line in reply.text.splitlines()[:-1] if line.strip())
    left = len(shown.screenshots) - len(question.pictures)
    seen = f"the last {len(question.pictures)} screenshots" + (f", {left} earlier ones not" if left else "")
    why = f"{reply.judge}, shown {seen}: {said or verdict}"
    return _made(task, evidence, rules, _check(task, shown, float(verdict == SUCCESS), why))


def _check(task: Task, shown: Shown, value: float | None, why: str) -> Check:
    gold = task.gold if value is not None and shown.answer.strip() else {}
    kind, notice = (str(gold.get(key, "")) for key in ("type", "notice"))
    told = f"; the reference is {kind}" + (f" ({notice})" if notice else "") if kind else ""
    return Check(
        name="success",
        target="answer and screenshots",
        actual=shown.answer or None,
        expected=gold.get("answer") or task.intent,
        status=Status.PENDING if value is None else Status.SCORED,
        value=value,
        why=why + told,
    )


def _made(task: Task, evidence: JsonObject, rules: str, check: Check) -> Score:
    evaluator = f"{WebVoyagerEvaluator.name} {WebVoyagerEvaluator.version}"
    data = task.gold or task.intent
    return one_verdict(check, evidence, rules=rules, evaluator=evaluator, data=data, waits_for=OPEN)
