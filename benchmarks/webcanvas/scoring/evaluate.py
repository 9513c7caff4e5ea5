"""The WebCanvas evaluator: recorded steps held against the key nodes of a task."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.common.blocked import NOT_EXECUTABLE
from webbench.benchmarks.webcanvas.scoring.judge_replies import reply_value, semantic_question
from webbench.benchmarks.webcanvas.scoring.key_nodes import (
    is_recorded,
    looked_for,
    task_alternatives,
    task_nodes,
)
from webbench.benchmarks.webcanvas.scoring.loopholes import CONDITIONS
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PAPER, PUBLISHED, RULE_SETS, Event
from webbench.benchmarks.webcanvas.scoring.metrics import (
    FINISHED,
    efficiency,
    human_alignment_score,
    paper_efficiency,
    task_length_score,
)
from webbench.benchmarks.webcanvas.scoring.outcomes import Outcome, Verdict, VerdictMissing, check
from webbench.benchmarks.webcanvas.scoring.progress import outcomes
from webbench.benchmarks.webcanvas.stage import WebCanvasStage
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question, reply_to
from webbench.core.score.loopholes import load_loopholes, loopholes_of
from webbench.core.score.rule_sets import unknown_rules
from webbench.core.score.score import Check, Score, Status, digest, failed, not_scored
from webbench.core.task import Task

SUCCESS_CLAUSE = "success: published = the framework's status is finished; paper = every key node is reached"
"""How the reason of a score begins where the site kept the actor out: a third outcome, no failure."""
RECORDED = "a new task is being recorded: it has no key nodes yet"
EFFICIENCY_CLAUSE = "efficiency: published = 0 where no key node is reached; paper = not defined there"


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What an episode left behind.

    Attributes:
        steps: in order; see `Event`.
        status: how the framework says it ended, "" = not told.
        signal: the agent said that it was finished.
        scores: one per key node in [0, 1] as the framework recorded them; they win over the steps.
        taken: how many steps were counted, where that isn't the number of those listed.
        wall: what kept the actor out of the task's site to the end, "" = nothing.
    """

    steps: tuple[Event, ...]
    status: str = ""
    signal: bool = False
    scores: tuple[float, ...] | None = None
    taken: int | None = None
    wall: str = ""

    @property
    def count(self) -> int:
        return len(self.steps) if self.taken is None else self.taken


class WebCanvasEvaluator:
    """Scores the share of a task's key nodes that an episode reached."""

    name = "webcanvas"
    version = "2"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """Addresses, elements acted on, answer and walls so far; see `Evidence`."""
        if not isinstance(stage, WebCanvasStage):
            raise UsageError("WebCanvas's evaluator needs a stage of its own benchmark")
        return await stage.evidence(environment, answer)

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:
        """What a judge has to be asked for the semantic key nodes that nothing has decided yet."""
        try:
            found = _outcomes(task, evidence, rules)
        except BadData:
            return ()
        open_ones = [q for one in found if one.status is Status.PENDING for q in one.open_questions]
        return tuple({question.key: question for question in open_ones}.values())

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """The task's score under `rules`, with the other rule set beside it. Never raises."""
        if rules not in RULE_SETS:
            return unknown_rules(rules, RULE_SETS)
        scores = {name: self._score(task, evidence, name) for name in RULE_SETS}
        return msgspec.structs.replace(
            scores[rules], beside=tuple(score for name, score in scores.items() if name != rules)
        )

    def _score(self, task: Task, evidence: JsonObject, rules: str) -> Score:
        try:
            recorded = is_recorded(task)
            score = not_scored(RECORDED, rules=rules) if recorded else _combined(task, evidence, rules)
        except BadData as error:
            score = failed(f"{task.id}: {error}", rules=rules)
        told = msgspec.structs.replace(
            score,
            evaluator=f"{self.name} {self.version}",
            data_sha256=digest(task.gold),
            evidence_sha256=digest(evidence),
        )
        entries = load_loopholes("webbench.benchmarks.webcanvas")
        return msgspec.structs.replace(
            told, loopholes=loopholes_of(entries, CONDITIONS, task, evidence, told)
        )


def read_evidence(evidence: JsonObject) -> Evidence:
    """Raises `BadData` for another shape."""
    try:
        return msgspec.convert(evidence, Evidence)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise BadData(f"the evidence has another shape: {error}") from error


def _outcomes(task: Task, evidence: JsonObject, rules: str) -> list[Outcome]:
    nodes, given = task_nodes(task), read_evidence(evidence)
    alternatives = task_alternatives(task)
    if given.scores is not None and len(given.scores) != len(nodes):
        raise BadData(f"{len(given.scores)} scores are recorded for {len(nodes)} key nodes")
    for score in (*(given.scores or ()), *(node.score for node in looked_for(task))):
        if not 0 <= score <= 1:
            raise BadData(f"a key node has the score {score:g}, which is not within 0 and 1")
    return outcomes(nodes, given.steps, _verdicts(evidence, rules), rules, alternatives, given.scores)


def _verdicts(evidence: JsonObject, rules: str) -> Verdict:
    """Recorded verdicts; what wasn't asked yet raises `VerdictMissing`, and so does a reply that failed."""

    def verdict(answer: str, requirement: str) -> float:
        question = semantic_question(answer, requirement)
        try:
            reply = reply_to(question, evidence)
        except (msgspec.ValidationError, UnicodeEncodeError) as error:
            raise BadData(f"a recorded reply has another shape: {error}") from error
        if reply is None:
            raise VerdictMissing(question)
        return reply_value(question, reply, rules)

    return verdict


def _combined(task: Task, evidence: JsonObject, rules: str) -> Score:
    found, given = _outcomes(task, evidence, rules), read_evidence(evidence)
    checks = tuple(check(one, number, rules) for number, one in enumerate(found, start=1))
    if given.wall and not all(one.value >= 1 for one in found):
        return not_scored(f"{NOT_EXECUTABLE}: {given.wall}", rules=rules, checks=checks)
    worst = {one.status for one in checks}
    if Status.ERROR in worst:
        return failed(f"{task.id}: {_first(checks, Status.ERROR)}", rules=rules, checks=checks)
    if Status.NOT_SCORED in worst:
        return not_scored(f"{task.id}: {_first(checks, Status.NOT_SCORED)}", rules=rules, checks=checks)
    count = len(found)
    reached = sum(one.counted(rules) for one in found)
    if Status.PENDING in worst:
        open_nodes = sum(one.status is Status.PENDING for one in found)
        low = sum(one.counted(rules) for one in found if one.status is Status.SCORED)
        return Score(
            status=Status.PENDING,
            reason=f"a judge has to answer for {open_nodes} of {count} key nodes",
            rules=rules,
            checks=checks,
            interval=(_floor(found, rules) / count, (low + open_nodes) / count),
        )
    return Score(
        status=Status.SCORED,
        value=reached / count,
        rules=rules,
        combination=f"mean of {count} key node{'s' * (count > 1)}",
        checks=(*checks, *_episode_checks(given, reached, count, rules)),
        metrics=_metrics(task, given, reached, count, rules),
    )


def _floor(found: Sequence[Outcome], rules: str) -> float:
    """What is certain already, parts of pending key nodes included."""
    return sum(one.counted(rules) for one in found)


def _first(checks: Sequence[Check], status: Status) -> str:
    found = next(one for one in checks if one.status is status)
    return f"{found.target} ({found.name}): {found.why}"


def _success(given: Evidence, reached: float, count: int, rules: str) -> bool:
    if rules == PUBLISHED and given.status:
        return given.status == FINISHED
    return reached == count


def _efficiency(given: Evidence, reached: float, rules: str) -> float | None:
    steps = given.count
    return paper_efficiency(steps, reached) if rules == PAPER else efficiency(steps, reached)


def _episode_checks(given: Evidence, reached: float, count: int, rules: str) -> tuple[Check, ...]:
    """Figures of the whole episode: shown, but no part of the mean."""
    success, steps = _success(given, reached, count, rules), given.count
    per_point = _efficiency(given, reached, rules)
    differs = given.status != "" and (given.status == FINISHED) != (reached == count)
    return (
        Check(
            name="task success",
            target="episode",
            actual={"status": given.status, "reached": reached},
            expected={"status": FINISHED, "reached": count},
            value=float(success),
            counted=False,
            why=f'{reached:g} of {count} key nodes, status "{given.status or "not told"}"',
            clause=SUCCESS_CLAUSE if differs else "",
        ),
        Check(
            name="efficiency",
            target="episode",
            actual=steps,
            status=Status.NOT_SCORED if per_point is None else Status.SCORED,
            value=per_point,
            counted=False,
            why=f"{steps} steps for {reached:g} points, fewer are better",
            clause="" if reached else EFFICIENCY_CLAUSE,
        ),
    )


def _metrics(task: Task, given: Evidence, reached: float, count: int, rules: str) -> dict[str, float | None]:
    return {
        "step_score": reached,
        "key_nodes": float(count),
        "task_success": float(_success(given, reached, count, rules)),
        "efficiency": _efficiency(given, reached, rules),
        "task_length_score": _length_score(task.gold.get("reference_length"), given.count)
        if rules == PUBLISHED
        else None,
        "human_alignment_score": human_alignment_score(reached, count, reached == count, given.signal),
    }


def _length_score(reference: Json, steps: int) -> float | None:
    if not isinstance(reference, int | float) or not (reference or steps):
        return None
    return task_length_score(reference, steps)
