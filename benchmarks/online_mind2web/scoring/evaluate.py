"""Scoring an episode of Online-Mind2Web: WebJudge's verdict, or a person's who looked at it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.common.blocked import NOT_EXECUTABLE
from webbench.benchmarks.common.judged_stage import collected
from webbench.benchmarks.common.shown_to_judge import UNREADABLE, Shown, judged_score, shown_in
from webbench.benchmarks.online_mind2web.scoring.webjudge import (
    FAILURE,
    MOST_LOOKED_AT,
    NOTHING,
    SUCCESS,
    THRESHOLD,
    Judgement,
    judgement,
)
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question, reply_to
from webbench.core.score.score import Check, Score, Status, failed, not_scored
from webbench.core.scoring.judges.verdict import one_verdict, read_verdict
from webbench.core.task import Task

PUBLISHED, HUMAN = RULE_SETS = ("published", "human")
"""WebJudge; a person's verdict, as the authors ask of every submission."""
DONE = "online_mind2web/done"
EMPTY = "there is nothing to judge: no action and no screenshot in the record"
OPEN = {
    PUBLISHED: "WebJudge has to be asked: `webbench-tui score EPISODE --judge MODEL`",
    HUMAN: "a person has to look at it: `webbench-tui score EPISODE --rules human --judge human`",
}


class OnlineMind2WebEvaluator:
    """See `Evaluator`."""

    name = "online-mind2web"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """See `Shown`."""
        return await collected(stage, environment, answer)

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:
        """WebJudge's next ones, or the one that is put to a person; none once there is a verdict."""
        try:
            shown = shown_in(evidence)
            if rules not in RULE_SETS or not (shown.actions or shown.screenshots):
                return ()
            if rules == PUBLISHED:
                return judgement(task.intent, shown, evidence).open
            question = person_question(task, shown)
            return () if reply_to(question, evidence) is not None else (question,)
        except UNREADABLE:
            return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """1 for success, 0 for failure, pending until somebody has judged; the other rule set beside."""
        return judged_score(
            task, evidence, rules, RULE_SETS, lambda shown, one: _score(task, shown, evidence, one)
        )


def person_question(task: Task, shown: Shown) -> Question:
    """What is asked of a person, with all screenshots."""
    fields = {
        "task": task.intent,
        "actions": shown.numbered_actions or NOTHING,
        "answer": shown.answer or NOTHING,
    }
    return Question(
        kind=DONE,
        fields=fields,
        verdicts=(SUCCESS, FAILURE, NOT_EXECUTABLE),
        pictures=shown.names,
        asked_of="person",
    )


def _score(task: Task, shown: Shown, evidence: JsonObject, rules: str) -> Score:
    if not (shown.actions or shown.screenshots):
        return not_scored(EMPTY, rules=rules)
    if rules == PUBLISHED:
        return _by_webjudge(task, shown, evidence)
    question = person_question(task, shown)
    reply = reply_to(question, evidence)
    verdict = read_verdict(question, reply) if reply is not None else ""
    why = f"{reply.judge}: {reply.reason or verdict}" if reply is not None else OPEN[HUMAN]
    if verdict == NOT_EXECUTABLE:
        return not_scored(f"{NOT_EXECUTABLE}: {why}", rules=rules)
    return _made(task, evidence, rules, _check("a person's verdict", task.intent, verdict, why))


def _by_webjudge(task: Task, shown: Shown, evidence: JsonObject) -> Score:
    found = judgement(task.intent, shown, evidence)
    if found.error:
        return failed(f"WebJudge gave no verdict on {task.id}: {found.error}", checks=_steps(found))
    why = _why(found, shown) if found.reply is not None else OPEN[PUBLISHED]
    expected = found.key_points or task.intent
    check = _check("WebJudge", expected, found.verdict, why)
    check = msgspec.structs.replace(check, checks=_steps(found), combination="one verdict")
    return _made(task, evidence, PUBLISHED, check)


def _why(found: Judgement, shown: Shown) -> str:
    reply = found.reply
    said = " ".join(line.strip() for line in reply.text.splitlines()[:-1] if line.strip()) if reply else ""
    judge = reply.judge if reply else ""
    seen = f"{len(found.kept)} of {len(shown.screenshots)} screenshots shown"
    if not shown.screenshots:
        seen = "no screenshot in the record: judged by the actions alone"
    elif len(shown.screenshots) > MOST_LOOKED_AT:
        seen += f", those after the {MOST_LOOKED_AT}th not looked at"
    key = sum(one.is_key for one in found.graded)
    if key > len(found.kept):
        seen += f", {key - len(found.kept)} further key screenshots not"
    return f"{judge} ({seen}): {said or found.verdict}"


def _steps(found: Judgement) -> tuple[Check, ...]:
    """A line for each screenshot that was looked at; none of them counts."""
    return tuple(
        Check(
            name="key screenshot",
            target=f"step {one.step}",
            actual=one.score,
            expected=f"at least {THRESHOLD}",
            value=float(one.is_key),
            counted=False,
            why=one.reason or "the reply has no score that can be read, so it counts as none",
        )
        for one in found.graded
    )


def _check(name: str, expected: str, verdict: str, why: str) -> Check:
    return Check(
        name=name,
        target="the whole episode",
        actual=verdict or None,
        expected=expected,
        status=Status.SCORED if verdict else Status.PENDING,
        value=float(verdict == SUCCESS) if verdict else None,
        why=why,
    )


def _made(task: Task, evidence: JsonObject, rules: str, check: Check) -> Score:
    evaluator = f"{OnlineMind2WebEvaluator.name} {OnlineMind2WebEvaluator.version}"
    return one_verdict(
        check, evidence, rules=rules, evaluator=evaluator, data=task.intent, waits_for=OPEN[rules]
    )
