"""The AssistantBench evaluator: one final answer against one gold answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from webbench.benchmarks.assistantbench.scoring.clauses import clause_of_failure, with_clause, with_clauses
from webbench.benchmarks.assistantbench.scoring.loopholes import CONDITIONS
from webbench.benchmarks.assistantbench.scoring.question import Question, question_score
from webbench.benchmarks.assistantbench.scoring.rules import PAPER, PUBLISHED, RULE_SETS
from webbench.benchmarks.assistantbench.stage import WebStage
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question as JudgeQuestion
from webbench.core.score.loopholes import load_loopholes, loopholes_of
from webbench.core.score.rule_sets import unknown_rules
from webbench.core.score.score import Check, Score, Status, digest, failed, not_scored
from webbench.core.task import SOLUTION, Task

OFFLINE = "look whether there is a network, and what search_engine or search_api says"
ANSWERED, EXACT = "answered", "exact_match"
"""Metrics of a score, 1 or 0: whether there was an answer, and whether it scores exactly 1."""


class AssistantBenchEvaluator:
    """Scores the actor's final answer; no page is looked at."""

    name = "assistantbench"
    version = "1"

    async def collect(
        self,
        environment: Environment,
        stage: Stage,
        answer: str,
    ) -> JsonObject:
        """The answer as it was given; "" before there is one.

        Raises `EnvironmentDown` where no page of the web could be opened: an answer that nobody could look
        for says nothing of the actor.
        """
        if isinstance(stage, WebStage):
            await stage.look(environment)
            if not stage.reached:
                start = ", ".join(stage.setup.start_urls)
                raise EnvironmentDown(f"no page of the web could be opened, beginning with {start}", OFFLINE)
        return {"answer": answer}

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[JudgeQuestion]:
        """None: rules alone decide."""
        return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """The answer's score under `rules`, with the other rule set beside it. Never raises.

        Args:
            task: its gold is {"answer": text or list; None where it isn't public}.
            evidence: {"answer": text or any other JSON value, "" for no answer}.
        """
        if rules not in RULE_SETS:
            return unknown_rules(rules, RULE_SETS)
        try:
            scores = _scores(task, evidence)
            # How it is solved decides nothing, so it is no part of what was compared.
            gold = {key: value for key, value in task.gold.items() if key != SOLUTION}
            marks = {"data_sha256": digest(gold), "evidence_sha256": digest(evidence)}
        except BadData as error:
            return failed(f"{task.id}: {error}", rules=rules)
        except (RecursionError, ValueError) as error:
            reason = f"the evidence or the gold answer can't be written as JSON: {error}"
            return failed(f"{task.id}: {reason}", rules=rules)
        beside = tuple(score for name, score in scores.items() if name != rules)
        evaluator = f"{self.name} {self.version}"
        return msgspec.structs.replace(scores[rules], beside=beside, evaluator=evaluator, **marks)


def _scores(task: Task, evidence: JsonObject) -> dict[str, Score]:
    """By rule set."""
    for key, source, whole in (("answer", evidence, "evidence"), ("answer", task.gold, "task's gold data")):
        if key not in source:
            raise BadData(f'the {whole} holds no "{key}"')
    prediction, gold = evidence["answer"], task.gold["answer"]
    if gold is None:
        reason = f"{task.id}: its gold answer is not public"
        return {rules: not_scored(reason, rules=rules) for rules in RULE_SETS}
    outcomes = {rules: _outcome(prediction, gold, rules) for rules in RULE_SETS}
    checks = _checks(prediction, gold, outcomes)
    scores = {rules: _score(task, rules, outcomes[rules], checks[rules]) for rules in RULE_SETS}
    return {rules: _with_loopholes(task, evidence, score) for rules, score in scores.items()}


def _outcome(prediction: Json, gold: Json, rules: str) -> Question | str:
    """The scored question, or why it can't be scored."""
    try:
        question = question_score(prediction, gold, rules)
    except BadData as error:
        return str(error)
    if question.value is None or not math.isfinite(question.value):
        return f"the formula gives no finite score: {question.explain().why}"
    return question


def _checks(prediction: Json, gold: Json, outcomes: dict[str, Question | str]) -> dict[str, Check]:
    """The top check under each rule set."""
    published, paper = outcomes[PUBLISHED], outcomes[PAPER]
    if isinstance(published, Question) and isinstance(paper, Question):
        return dict(zip((PUBLISHED, PAPER), with_clauses(published, paper), strict=True))
    clause = clause_of_failure(paper) if isinstance(paper, Question) else ""
    return {
        rules: with_clause(
            outcome.explain() if isinstance(outcome, Question) else _failed_check(prediction, gold, outcome),
            clause,
        )
        for rules, outcome in outcomes.items()
    }


def _failed_check(prediction: Json, gold: Json, why: str) -> Check:
    return Check(
        name="answer", target="answer", actual=prediction, expected=gold, status=Status.ERROR, why=why
    )


def _score(task: Task, rules: str, outcome: Question | str, check: Check) -> Score:
    if isinstance(outcome, str):
        return failed(f"{task.id}: {outcome}", rules=rules, checks=(check,))
    return Score(
        status=Status.SCORED,
        value=outcome.value,
        rules=rules,
        combination=check.combination or check.name,
        checks=(check,),
        metrics={ANSWERED: float(outcome.answer.given), EXACT: float(outcome.value == 1)},
    )


def _with_loopholes(task: Task, evidence: JsonObject, score: Score) -> Score:
    entries = load_loopholes("webbench.benchmarks.assistantbench")
    return msgspec.structs.replace(score, loopholes=loopholes_of(entries, CONDITIONS, task, evidence, score))
