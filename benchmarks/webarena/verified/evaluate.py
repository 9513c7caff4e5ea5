"""The evaluator of the verified edition: a response and network events, explained down to each difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.benchmarks.webarena.verified import network, response
from webbench.benchmarks.webarena.verified.canonical_urls import site_bases
from webbench.benchmarks.webarena.verified.compare import shown
from webbench.benchmarks.webarena.verified.events import Event, read_events
from webbench.benchmarks.webarena.verified.response import Verdict
from webbench.benchmarks.webarena.verified.tasks import task_type
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.score.score import Check, Score, Status, digest, failed, not_scored
from webbench.core.task import Task

VERIFIED = "verified"
_TARGETS = {response.NAME: "agent response", network.NAME: "network events"}


class VerifiedEvaluator:
    """1 where every evaluator of the task holds, else 0.

    Evidence: {"response": object or text, "har_events": [...] as `har.read_har` gives them, "sites":
    {"__GITLAB__": address of the site in those events, ...}}. What isn't recorded is left out, and
    "events_problem" may say why; a task that needs it is not scored.
    """

    name = "webarena-verified"
    version = "1"

    def questions(self, task: Task, evidence: JsonObject, rules: str = VERIFIED) -> Sequence[Question]:
        """None: rules alone decide."""
        return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = VERIFIED) -> Score:
        """Never raises."""
        if rules != VERIFIED:
            return failed(f'no rule set "{rules}" in the verified edition; there is {VERIFIED}', rules=rules)
        try:
            score = _score(task, evidence)
        except BadData as error:
            score = failed(f"{task.id}: {error}", rules=VERIFIED)
        return msgspec.structs.replace(
            score,
            evaluator=f"{self.name} {self.version}",
            data_sha256=digest(task.gold),
            evidence_sha256=digest(evidence),
        )


def verdicts(task: Task, evidence: JsonObject) -> list[Verdict]:
    """What each evaluator of the task says. Raises `BadData` where the task or the evidence can't be read."""
    configs = task.gold.get("eval")
    if not isinstance(configs, list) or not configs:
        raise BadData("the task has no evaluators")
    bases = site_bases(evidence.get("sites"))
    events = read_events(evidence["har_events"]) if "har_events" in evidence else None
    return [_verdict(config, evidence, bases, events, task_type(configs)) for config in configs]


def _verdict(
    config: Json,
    evidence: JsonObject,
    bases: Mapping[str, str],
    events: Sequence[Event] | None,
    kind: str,
) -> Verdict:
    name = config.get("evaluator") if isinstance(config, dict) else None
    if name == response.NAME:
        if "response" not in evidence:
            return Verdict(name=name, missing="the agent's response wasn't recorded")
        return response.judge_response(config, evidence["response"], bases)
    if name != network.NAME:
        raise BadData(f'the evaluator "{name}" is unknown')
    lacking = sorted(network.placeholders(config) - bases.keys())
    if events is None:
        missing = str(evidence.get("events_problem") or "no network events were recorded")
        return Verdict(name=name, missing=missing)
    if lacking:
        return Verdict(name=name, missing=f"the address of {', '.join(lacking)} in the events isn't known")
    return network.judge_events(config, events, bases, navigates=kind == "navigate")


def _score(task: Task, evidence: JsonObject) -> Score:
    found = verdicts(task, evidence)
    checks = tuple(map(_check, found))
    if any(verdict.differences for verdict in found):
        value = 0.0
    else:
        missing = next((verdict.missing for verdict in found if verdict.missing), "")
        if missing:
            return not_scored(f"{task.id}: {missing}", rules=VERIFIED, checks=checks)
        value = 1.0
    return Score(
        status=Status.SCORED,
        value=value,
        rules=VERIFIED,
        combination=f"product of {len(checks)}" if len(checks) > 1 else "",
        checks=checks,
    )


def _check(verdict: Verdict) -> Check:
    common: JsonObject = {
        "name": verdict.name,
        "target": _TARGETS[verdict.name],
        "actual": verdict.actual,
        "normalised": shown(verdict.normalised),
        "expected": shown(verdict.expected),
    }
    if verdict.missing:
        return Check(status=Status.NOT_SCORED, why=verdict.missing, **common)
    return Check(
        value=float(verdict.holds),
        why=_why(verdict),
        combination="1 without a difference" if verdict.differences else "",
        checks=tuple(
            Check(name=one.name, target=_TARGETS[verdict.name], value=0.0, why=" ".join(one.messages))
            for one in verdict.differences
        ),
        **common,
    )


def _why(verdict: Verdict) -> str:
    if verdict.holds:
        return "everything is as expected"
    first = verdict.differences[0]
    more = len(verdict.differences) - 1
    return f"{' '.join(first.messages)}" + (f" (and {more} more)" if more else "")
