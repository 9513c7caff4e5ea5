"""Scores an episode by the rewards that its environment gave when it was asked after each action."""

from __future__ import annotations

import json

import msgspec

from webbench.benchmarks.browsergym.stage import GymStage
from webbench.benchmarks.browsergym.tasks import RULE_SETS, parts_of
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import WebbenchError
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.score.rule_sets import require_rules
from webbench.core.score.score import Check, Score, Status, digest, failed, not_scored
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_clip

TITLE = "BrowserGym"
_COUNTED = {"published": "sum of the rewards", "last": "the last reward"}
MOST_TOLD = 40
"""Entries of what the environment tells besides that become checks."""

LONGEST_TOLD = 2000

HIDDEN = {
    "assistantbench.test": "the answers of AssistantBench's test set are not public: its package compares "
    "with an empty one, and its reward of 0 says nothing"
}
"""Parts whose package gives rewards without knowing what is right, and why they are no score."""


class Message(msgspec.Struct, frozen=True):
    """A line of the environment's chat."""

    role: str
    text: str


class Verdicts(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence: what the environment answered.

    Attributes:
        asked: how often it was.
        total, last: the sum of its rewards, and the last one.
        done: it ended the episode.
        infeasible: the actor reported that the task can't be done, which ends it too.
        message: its last message.
        info: what it told besides.
        chat: what was said since the task was given.
        disturbed: what its validation did to the actor's tabs, the latest; `disturbances` counts all.
        problem: why it could not answer the last time.
        answer: the actor's last words.
    """

    asked: int = 0
    total: float = 0.0
    last: float = 0.0
    done: bool = False
    infeasible: bool = False
    message: str = ""
    info: Json = None
    chat: tuple[Message, ...] = ()
    disturbed: tuple[str, ...] = ()
    disturbances: int = 0
    problem: str = ""
    answer: str = ""


class RewardEvaluator:
    """See `Evaluator`. No judge is needed: the environment has told its rewards."""

    name = "browsergym"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        assert isinstance(stage, GymStage)
        if stage.thorough and not stage.asked:
            await stage.ask()
        return {**stage.evidence, "answer": answer}

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> list[Question]:
        """None: the environment decides."""
        return []

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        """See `Evaluator`."""
        try:
            require_rules(rules, RULE_SETS, TITLE)
            found = msgspec.convert(evidence, Verdicts)
        except (WebbenchError, msgspec.ValidationError, UnicodeEncodeError) as error:
            return failed(f"the evidence can't be scored: {error}", rules=rules)
        if found.problem:
            return failed(found.problem, rules=rules, checks=_checks(found, rules))
        if not found.asked:
            return not_scored("the environment was not asked yet: nothing was done", rules=rules)
        if reason := HIDDEN.get(parts_of(task.name)[-1]):
            return not_scored(reason, rules=rules, checks=_checks(found, rules)[1:])
        others = tuple(self._under(found, evidence, other) for other in RULE_SETS if other != rules)
        return msgspec.structs.replace(self._under(found, evidence, rules), beside=others)

    def _under(self, found: Verdicts, evidence: JsonObject, rules: str) -> Score:
        return Score(
            status=Status.SCORED,
            value=_value(found, rules),
            rules=rules,
            combination=_COUNTED[rules],
            checks=_checks(found, rules),
            metrics={"reward": found.last, "sum of rewards": found.total},
            evaluator=f"{self.name} {self.version}",
            evidence_sha256=digest(evidence),
        )


def _value(found: Verdicts, rules: str) -> float:
    reward = found.last if rules == "last" else found.total
    return min(1.0, max(0.0, reward))


def _checks(found: Verdicts, rules: str) -> tuple[Check, ...]:
    """The reward that counts, then what was said and told, which does not."""
    given = found.last if rules == "last" else found.total
    value = _value(found, rules)
    reward = Check(
        name=_COUNTED[rules],
        target="validate()",
        actual=given if found.asked else None,
        normalised=value if value != given else None,
        expected=1,
        value=None if found.problem else value,
        status=Status.ERROR if found.problem else Status.SCORED,
        why=found.problem or _why(found, outside=value != given),
    )
    said = [_uncounted(f"said by {one.role}", "chat", one.text) for one in found.chat]
    entries = list(found.info.items()) if isinstance(found.info, dict) else [("info", found.info)]
    told = [
        _uncounted("told by validate()", key, value) for key, value in entries if value not in (None, "", {})
    ]
    left = [_uncounted("left out", "info", f"{len(told) - MOST_TOLD} more")] if len(told) > MOST_TOLD else []
    disturbed = [_uncounted("validate() disturbed the page", "tabs", one) for one in found.disturbed]
    earlier = found.disturbances - len(found.disturbed)
    disturbed += [_uncounted("left out", "tabs", f"{earlier} earlier disturbances")] if earlier > 0 else []
    return (reward, *said, *told[:MOST_TOLD], *left, *disturbed)


def _why(found: Verdicts, *, outside: bool) -> str:
    ended = (
        "it ended the episode"
        if found.done
        else "the report that it can't be done ended the episode"
        if found.infeasible
        else "it has not ended the episode"
    )
    told = f"asked {found.asked} times, the last reward was {found.last:g}; {ended}"
    said = f"{told}: {plain_clip(found.message, 300)}" if found.message else told
    return f"{said}; a reward outside 0 to 1 counts as the nearest of these" if outside else said


def _uncounted(name: str, target: str, actual: Json) -> Check:
    """What is shown and not counted."""
    # Python's encoder, as lone surrogates are no text for the other one.
    text = actual if isinstance(actual, str) else json.dumps(actual, default=str)
    kept = actual if len(text) <= LONGEST_TOLD else plain_clip(text, LONGEST_TOLD)
    return Check(name=name, target=target, actual=kept, status=Status.NOT_SCORED, counted=False)
