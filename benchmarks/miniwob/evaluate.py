"""Scores a MiniWoB++ episode by the rewards that its page gave.

A page gives a raw reward from -1 to 1, and the same discounted: times the share of its time limit that was
left, where it is positive. The rule sets differ in which of them counts.
"""

from __future__ import annotations

import msgspec

from webbench.benchmarks.miniwob.stage import MiniWobStage
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question
from webbench.core.score.rule_sets import require_rules
from webbench.core.score.score import Check, Score, Status, digest, failed
from webbench.core.task import Task

RULE_SETS = ("published", "discounted", "browsergym")
TITLE = "MiniWoB++"
_COUNTED = {
    "published": "the raw reward, a negative one as 0",
    "discounted": "the reward discounted by the time taken, a negative one as 0",
    "browsergym": "1 for any positive raw reward",
}


class Rewards(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence.

    Attributes:
        done: the page has ended the episode.
        raw, reward: before and after the discount; 0 as long as it has not.
        seconds: from start to end, by the page's clock.
        limit: the page's time limit in seconds; `clock` tells whether it ends an episode.
        starts: how often the page drew the task: more than once where it was loaded again.
    """

    done: bool = False
    raw: float = 0.0
    reward: float = 0.0
    reason: str = ""
    seconds: float = 0.0
    limit: float = 0.0
    clock: bool = False
    starts: int = 1


class MiniWobEvaluator:
    """See `Evaluator`. No judge is needed, and nothing of the page is read: it has told its rewards."""

    name = "miniwob"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        assert isinstance(stage, MiniWobStage)
        ended = stage.ended_by
        found = Rewards(
            done=ended is not None,
            raw=ended.raw if ended else 0.0,
            reward=ended.reward if ended else 0.0,
            reason=ended.reason if ended else "",
            seconds=ended.seconds if ended else 0.0,
            limit=stage.begun.limit if stage.begun else 0.0,
            clock=bool(stage.task.data.get("clock")),
            starts=stage.starts,
        )
        evidence: JsonObject = msgspec.to_builtins(found)
        return evidence

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> list[Question]:
        """None: the page decides."""
        return []

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        """See `Evaluator`."""
        try:
            require_rules(rules, RULE_SETS, TITLE)
            found = msgspec.convert(evidence, Rewards)
        except (WebbenchError, msgspec.ValidationError, UnicodeEncodeError) as error:
            return failed(f"the evidence can't be scored: {error}", rules=rules)
        others = tuple(self._under(found, evidence, other) for other in RULE_SETS if other != rules)
        return msgspec.structs.replace(self._under(found, evidence, rules), beside=others)

    def _under(self, found: Rewards, evidence: JsonObject, rules: str) -> Score:
        checks = _checks(found, rules)
        value = next(check.value for check in checks if check.counted)
        return Score(
            status=Status.SCORED,
            value=value,
            rules=rules,
            combination=_COUNTED[rules],
            checks=checks,
            metrics={"raw reward": found.raw, "discounted reward": found.reward} if found.done else {},
            evaluator=f"{self.name} {self.version}",
            evidence_sha256=digest(evidence),
        )


def _checks(found: Rewards, rules: str) -> tuple[Check, ...]:
    """Both rewards; the one that doesn't count is shown too."""
    raw = Check(
        name="raw reward",
        target="page",
        actual=found.raw if found.done else None,
        expected=1,
        value=float(found.raw > 0) if rules == "browsergym" else max(0.0, found.raw),
        counted=rules != "discounted",
        why=_why_raw(found),
    )
    discounted = Check(
        name="discounted reward",
        target="page",
        actual=found.reward if found.done else None,
        expected=1,
        value=max(0.0, found.reward),
        counted=rules == "discounted",
        why=_why_discounted(found),
    )
    return raw, discounted


def _why_raw(found: Rewards) -> str:
    if not found.done:
        return "the page has not ended the episode"
    told = f"the page gave {found.raw:g}"
    return f"{told}: {found.reason}" if found.reason else told


def _why_discounted(found: Rewards) -> str:
    if not found.done:
        return "the page has not ended the episode"
    again = f"; the page was loaded {found.starts} times" if found.starts > 1 else ""
    if found.reward == found.raw:
        return f"after {found.seconds:.1f} s; this page takes nothing off for time{again}"
    return f"after {found.seconds:.1f} of {found.limit:g} s{again}"
