"""Scoring a task on any page: nothing is known of it but its words, so a judge or a person has to say."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.page.stage import PageStage
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question, reply_to
from webbench.core.score.score import Check, Score, Status, failed, not_scored
from webbench.core.scoring.judges.verdict import one_verdict, read_verdict
from webbench.core.task import Task
from webbench.core.time_limit import time_limit

KIND = "page/done"
DONE, NOT_DONE = "done", "not done"
UNSAID = "the task says nothing that could be judged"
OPEN = "somebody has to judge whether it was done"
PROBE_SECONDS = 5.0
READ_PAGE = """() => ({
  url: location.href, title: document.title, text: (document.body?.innerText ?? '').slice(0, 8000),
})"""


class PageEvaluator:
    """One question: was it done? Evidence: the answer, the steps in words, and the page as it stands.

    The network's exchanges are kept with it for who looks later; nobody judges by them.
    """

    name = "page"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """See `Evaluator.collect`."""
        if not isinstance(stage, PageStage):
            raise UsageError("The evaluator of a page needs a stage of it")
        evidence: JsonObject = {"answer": answer, "steps": list(stage.steps), **await stage.network()}
        if not stage.judged:
            return evidence
        try:
            async with time_limit(PROBE_SECONDS):
                evidence["page"] = await environment.probe(READ_PAGE)
        except (EnvironmentDown, TimeoutError) as error:
            evidence["page_problem"] = str(error) or "the page did not answer"
        return evidence

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        """Whether it was done, where the task says what; nothing once a judge has said so."""
        try:
            question = _question(task, evidence)
            return () if question is None or reply_to(question, evidence) is not None else (question,)
        except (msgspec.ValidationError, AttributeError, TypeError):
            return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        """1 where it was judged done, 0 where not; pending until then, and not scored without an intent."""
        try:
            question = _question(task, evidence)
            if question is None:
                return not_scored(UNSAID, rules=rules)
            reply = reply_to(question, evidence)
            verdict = read_verdict(question, reply) if reply is not None else ""
        except (BadData, msgspec.ValidationError, AttributeError, TypeError) as error:
            return failed(f"The evidence of {task.id} can't be read: {error}", rules=rules)
        why = f"{reply.judge}: {reply.reason or verdict}" if reply is not None else OPEN
        check = Check(
            name="judged",
            target="the whole episode",
            actual=evidence.get("answer") or question.fields["url"],
            expected=task.intent,
            status=Status.SCORED if verdict else Status.PENDING,
            value=float(verdict == DONE) if verdict else None,
            why=why,
        )
        evaluator = f"{self.name} {self.version}"
        return one_verdict(
            check, evidence, rules=rules, evaluator=evaluator, data=task.intent, waits_for=OPEN
        )


def _question(task: Task, evidence: JsonObject) -> Question | None:
    """What is asked of a judge; None where the task says nothing to be done."""
    if not task.data.get("judged"):
        return None
    page = evidence.get("page") or {}
    shown = {name: str(page.get(name, "")) for name in ("url", "title", "text")}
    fields = {
        "intent": task.intent,
        "steps": "\n".join(map(str, evidence.get("steps", ()))) or "none",
        "answer": str(evidence.get("answer", "")) or "none",
        **shown,
    }
    return Question(kind=KIND, fields=fields, verdicts=(DONE, NOT_DONE))
