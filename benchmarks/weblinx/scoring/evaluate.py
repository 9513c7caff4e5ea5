"""The WebLINX evaluator: a predicted action beside the recorded one, explained metric by metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.benchmarks.weblinx.scoring.evidence import Compared, Reading, agreed, compared, readings
from webbench.benchmarks.weblinx.scoring.explanation import PAPER_GROUPS, Checks, checks_of, combination
from webbench.benchmarks.weblinx.scoring.loopholes import holding
from webbench.benchmarks.weblinx.scoring.metrics import Measure
from webbench.benchmarks.weblinx.scoring.rules import PAPER, PUBLISHED, RULE_SETS, measured_together
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question
from webbench.core.score.rule_sets import unknown_rules
from webbench.core.score.score import Check, Score, Status, digest, failed
from webbench.core.scoring.metrics.chrf import overlap
from webbench.core.task import Task


class WebLinxEvaluator:
    """Scores one turn: the headline is what it counts in an unconditional mean, 0 for another intent.

    The shapes of evidence and gold are told in `evidence.py`.
    """

    name = "weblinx"
    version = "1"

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:
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
            if isinstance(reading, Reading) and (name == PUBLISHED or reading is not by_rules[PUBLISHED])
            for wanted in reading.references
        )
        return [
            self._score(task, evidence, found, rules, measure)
            for (task, evidence), found in zip(turns, read, strict=True)
        ]

    def _score(
        self, task: Task, evidence: JsonObject, read: _Readings, rules: str, measure: Measure
    ) -> Score:
        found = _compared_by_rules(read, measure)
        checks = _explained(found)
        other = PAPER if rules == PUBLISHED else PUBLISHED
        chosen = msgspec.structs.replace(
            _score(task, found[rules], checks.get(rules, ()), rules),
            beside=(_score(task, found[other], checks.get(other, ()), other),),
            evaluator=f"{self.name} {self.version}",
            data_sha256=digest(task.gold),
            evidence_sha256=digest(evidence),
        )
        loopholes = holding(task, evidence, chosen)
        return msgspec.structs.replace(chosen, loopholes=loopholes) if loopholes else chosen


_Readings = Mapping[str, Reading | BadData]
_Found = dict[str, Compared | BadData]
"""By rule set: all that it finds, or why it can't."""


def _compared_by_rules(read: _Readings, measure: Measure) -> _Found:
    """Compared once where the rule sets agree, as they do on more than half of all turns."""
    published = _compared(read[PUBLISHED], PUBLISHED, measure)
    if read[PAPER] is read[PUBLISHED] and isinstance(published, Compared) and agreed(published):
        return {PUBLISHED: published, PAPER: published}
    return {PUBLISHED: published, PAPER: _compared(read[PAPER], PAPER, measure)}


def _compared(reading: Reading | BadData, rules: str, measure: Measure) -> Compared | BadData:
    if isinstance(reading, BadData):
        return reading
    try:
        return compared(reading, rules, measure)
    except BadData as error:
        return error


def _explained(found: _Found) -> dict[str, Checks]:
    """The checks of the rule sets that can score the turn."""
    published, paper = (one if isinstance(one, Compared) else None for one in map(found.get, RULE_SETS))
    checks: dict[str, Checks] = {}
    if published is not None:
        checks[PUBLISHED] = checks_of(published, paper, PUBLISHED)
    if paper is not None:
        checks[PAPER] = checks_of(paper, published, PAPER, checks.get(PUBLISHED))
    return checks


def _score(task: Task, mine: Compared | BadData, checks: Sequence[Check], rules: str) -> Score:
    if isinstance(mine, BadData):
        return failed(f"{task.id}: {mine}", rules=rules)
    reason = _no_figure(task, mine, rules)
    return Score(
        status=Status.NOT_SCORED if reason else Status.SCORED,
        value=None if reason else mine.metrics.unconditional,
        reason=f"{task.id}: {reason}" if reason else "",
        rules=rules,
        combination="" if reason else combination(mine),
        checks=tuple(checks),
        metrics={} if task.gold.get("dropped") else _by_name(mine),
    )


def _by_name(found: Compared) -> dict[str, float | None]:
    figures = found.metrics.by_name()
    figures["overall"] = found.metrics.overall
    figures["overall-unconditional"] = found.metrics.unconditional
    return figures


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
