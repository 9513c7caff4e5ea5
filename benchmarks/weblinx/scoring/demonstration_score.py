"""Scoring a demonstration while it is stepped: every predicted turn by its own evaluator, then their average.

Evidence: {"demonstration", "of": turns that are to be predicted, "turns": [{"turn", "intent", "gold", and
the prediction as `evidence` has it}]}. The references are part of it, and so is shown only what has been
predicted: any record can be scored again without the data set.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.weblinx.demonstrations.course import text_of
from webbench.benchmarks.weblinx.scoring.aggregate import TURNS_LEFT, averages_of, row_of_score
from webbench.benchmarks.weblinx.scoring.evaluate import WebLinxEvaluator
from webbench.benchmarks.weblinx.scoring.rules import PUBLISHED, RULE_SETS
from webbench.benchmarks.weblinx.stage import DemonstrationStage
from webbench.benchmarks.weblinx.turns.action import action_of
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.score.rule_sets import unknown_rules
from webbench.core.score.score import Check, Score, Status, digest, failed, not_scored
from webbench.core.task import Task


class ScoredTurn(msgspec.Struct, frozen=True):
    """A predicted turn under one rule set."""

    index: int
    intent: str
    score: Score
    predicted: str
    done: str
    """Prediction and reference in WebLINX's grammar."""


class DemonstrationEvaluator:
    """The headline is the literature's "overall" over the turns predicted so far: another intent counts 0."""

    name = "weblinx"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:  # noqa: ARG002 - the demonstration has all
        """Every prediction so far, beside what was really done."""
        if not isinstance(stage, DemonstrationStage):
            raise BadData("a demonstration is scored on its own stage")
        world = stage.world
        turns = []
        for index, prediction in world.predictions.items():
            turn = world.course.turns[index]
            intent = turn.wanted.intent if turn.wanted else None
            turns.append({"turn": index, "intent": intent, "gold": turn.gold(), **prediction.evidence()})
        return {"demonstration": world.course.name, "of": len(world.course.predicted), "turns": turns}

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:  # noqa: ARG002 - rules alone decide
        """None: rules alone decide."""
        return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """The demonstration's score under `rules`, with the other rule set beside it. Never raises."""
        if rules not in RULE_SETS:
            return unknown_rules(rules, RULE_SETS)
        try:
            turns = scored_turns(evidence, rules)
        except BadData as error:
            return failed(f"{task.id}: {error.message}", rules=rules)
        if not turns:
            return not_scored(f"{task.id}: no turn has been predicted", rules=rules)
        told = evidence.get("of")
        of = told if isinstance(told, int) else len(turns)
        found = _combined(turns, of, rules)
        others = [name for name in RULE_SETS if name != rules]
        beside = tuple(_combined(_under(turns, name), of, name) for name in others)
        return msgspec.structs.replace(
            found,
            beside=beside,
            evaluator=f"{self.name} {self.version}",
            data_sha256=digest([turn.get("gold") for turn in evidence["turns"]]),
            evidence_sha256=digest(evidence),
        )


def scored_turns(evidence: JsonObject, rules: str) -> list[ScoredTurn]:
    """Each predicted turn with its score, in the order of the demonstration.

    Raises `BadData` for evidence of another shape.
    """
    turns = evidence.get("turns")
    if not isinstance(turns, list):
        raise BadData('the evidence holds no list "turns"')
    name = str(evidence.get("demonstration", ""))
    pairs = [_turn(turn, name) for turn in turns]
    scores = WebLinxEvaluator().score_many(pairs, rules)
    found = [
        ScoredTurn(task.instance or 0, task.kind, score, _predicted(evidence), _done(task))
        for (task, evidence), score in zip(pairs, scores, strict=True)
    ]
    return sorted(found, key=lambda turn: turn.index)


def _turn(turn: object, name: str) -> tuple[Task, JsonObject]:
    """The turn as the evaluator of single turns takes it."""
    if not isinstance(turn, dict):
        raise BadData("a turn of the evidence is no object")
    index, gold = turn.get("turn"), turn.get("gold")
    if not isinstance(index, int) or not isinstance(gold, dict):
        raise BadData("a turn of the evidence lacks its number or its references")
    intent = turn.get("intent")
    task = Task(benchmark="weblinx", name=name, instance=index, kind=str(intent or ""), gold=gold)
    return task, {key: value for key, value in turn.items() if key in ("output", "element", "action")}


def _predicted(evidence: JsonObject) -> str:
    output = evidence.get("output")
    return output if isinstance(output, str) else _text(evidence.get("action"))


def _done(task: Task) -> str:
    references = task.gold.get("references")
    return _text(references[0]) if isinstance(references, list) and references else ""


def _text(action: Json) -> str:
    """In WebLINX's grammar; "" for what is no action."""
    try:
        return text_of(action_of(action))
    except BadData:
        return ""


def _combined(turns: Sequence[ScoredTurn], of: int, rules: str) -> Score:
    """The average, and one check for each turn, the latest first."""
    averages = averages_of([(turn.intent, turn.score) for turn in turns], rules)
    figures = averages.headline()
    value = figures["overall"]
    counted = [turn for turn in turns if _counts(turn, rules)]
    checks = tuple(_check(turn, _counts(turn, rules)) for turn in reversed(turns))
    metrics = {name: figure for name, figure in figures.items() if name not in ("left_out", "errors")}
    metrics |= {"turns": float(len(turns)), TURNS_LEFT: float(max(0, of - len(turns)))}
    if value is None:
        latest = turns[-1].score.reason or "the predicted turns have no figure under these rules"
        return not_scored(latest, rules=rules, checks=checks)
    return Score(
        status=Status.SCORED,
        value=value,
        rules=rules,
        combination=_combination_text(len(counted), of, rules),
        checks=checks,
        metrics=metrics,
    )


def _combination_text(counted: int, of: int, rules: str) -> str:
    rounded = ", rounded to two decimals" if rules == PUBLISHED else ""
    return f"mean of {counted} predicted turn{'' if counted == 1 else 's'} of {of}{rounded}"


def _counts(turn: ScoredTurn, rules: str) -> bool:
    return turn.score.value is not None and row_of_score(turn.intent, turn.score, rules) is not None


def _check(turn: ScoredTurn, counts: bool) -> Check:
    score = turn.score
    return Check(
        name=turn.intent,
        target=f"turn {turn.index}",
        actual=turn.predicted,
        expected=turn.done,
        status=score.status,
        value=score.value,
        counted=counts,
        why=score.reason or ("" if counts else "turns of this intent are in no published average"),
        combination=score.combination,
        checks=score.checks,
    )


def _under(turns: Sequence[ScoredTurn], rules: str) -> list[ScoredTurn]:
    return [msgspec.structs.replace(turn, score=_other(turn.score, rules)) for turn in turns]


def _other(score: Score, rules: str) -> Score:
    return next((one for one in score.beside if one.rules == rules), score)
