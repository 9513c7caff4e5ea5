"""The WebLINX evaluator: a predicted action beside the recorded one, explained metric by metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.benchmarks.weblinx.checks import PAPER_GROUPS, checks_of, combination
from webbench.benchmarks.weblinx.evidence import Compared, Reading, compared, readings
from webbench.benchmarks.weblinx.loopholes import CONDITIONS
from webbench.benchmarks.weblinx.metrics import Measure
from webbench.benchmarks.weblinx.rules import PAPER, PUBLISHED, RULE_SETS, measured_together
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.judge.contract import Question
from webbench.core.loopholes import load_loopholes, loopholes_of
from webbench.core.metrics.chrf import overlap
from webbench.core.rule_sets import unknown_rules
from webbench.core.score import Score, Status, digest, failed
from webbench.core.task import Task

PACKAGE = "webbench.benchmarks.weblinx"


class WebLinxEvaluator:
    """Scores one turn: the headline is what it counts in an unconditional mean, 0 for another intent.

    The shapes of evidence and gold are told in `evidence.py`.
    """

    name = "weblinx"
    version = "1"

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:  # noqa: ARG002
        """None: rules alone decide."""
        return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """The turn's score under `rules`, with the other rule set beside it. Never raises."""
        if rules not in RULE_SETS:
            return unknown_rules(rules, RULE_SETS)
        return self._score(task, evidence, readings(task, evidence), rules, overlap)

    def score_many(self, turns: Sequence[tuple[Task, JsonObject]], rules: str = PUBLISHED) -> list[Score]:
        """What `score` gives for each (task, evidence), with all their texts compared together."""
        if rules not in RULE_SETS:
            return [self.score(*turn, rules) for turn in turns]
        read = [readings(*turn) for turn in turns]
        measure = measured_together(
            (reading.predicted, wanted, name)
            for by_rules in read
            for name, reading in by_rules.items()
            if isinstance(reading, Reading)
            for wanted in reading.references
        )
        return [
            self._score(task, evidence, found, rules, measure)
            for (task, evidence), found in zip(turns, read, strict=True)
        ]

    def _score(
        self, task: Task, evidence: JsonObject, read: _Readings, rules: str, measure: Measure
    ) -> Score:
        found = {name: _compared(read[name], name, measure) for name in RULE_SETS}
        scores = {name: _score(task, found, name) for name in RULE_SETS}
        chosen = msgspec.structs.replace(
            scores[rules],
            beside=tuple(score for name, score in scores.items() if name != rules),
            evaluator=f"{self.name} {self.version}",
            data_sha256=digest(task.gold),
            evidence_sha256=digest(evidence),
        )
        loopholes = loopholes_of(load_loopholes(PACKAGE), CONDITIONS, task, evidence, chosen)
        return msgspec.structs.replace(chosen, loopholes=loopholes) if loopholes else chosen


_Readings = Mapping[str, Reading | BadData]
_Found = dict[str, Compared | BadData]
"""By rule set: all that it finds, or why it can't."""


def _compared(reading: Reading | BadData, rules: str, measure: Measure) -> Compared | BadData:
    if isinstance(reading, BadData):
        return reading
    try:
        return compared(reading, rules, measure)
    except BadData as error:
        return error


def _score(task: Task, found: _Found, rules: str) -> Score:
    mine, other = found[rules], found[PAPER if rules == PUBLISHED else PUBLISHED]
    if isinstance(mine, BadData):
        return failed(f"{task.id}: {mine}", rules=rules)
    checks = checks_of(mine, other if isinstance(other, Compared) else None, rules)
    reason = _no_figure(task, mine, rules)
    return Score(
        status=Status.NOT_SCORED if reason else Status.SCORED,
        value=None if reason else mine.metrics.unconditional,
        reason=f"{task.id}: {reason}" if reason else "",
        rules=rules,
        combination="" if reason else combination(mine),
        checks=checks,
        metrics={} if task.gold.get("dropped") else _by_name(mine),
    )


def _by_name(found: Compared) -> dict[str, float | None]:
    metrics = found.metrics
    overall = {"overall": metrics.overall, "overall-unconditional": metrics.unconditional}
    return metrics.by_name() | overall


def _no_figure(task: Task, found: Compared, rules: str) -> str:
    """Why there is no figure, "" where there is one."""
    left_out = task.gold.get("dropped")
    if left_out:
        return f"the turn takes no part in the evaluation: {left_out}"
    wanted = found.wanted.intent
    if rules == PAPER and wanted not in PAPER_GROUPS:
        return f"the paper's overall score leaves out turns of intent {wanted}"
    if found.metrics.unconditional is None:
        return f"no metric exists for two actions of intent {wanted}"
    return ""
