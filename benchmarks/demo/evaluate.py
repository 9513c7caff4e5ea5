"""Scoring the demo: the state of the sites, the open form, the address, the answer.

Passwords, card numbers and security codes are never part of the evidence.

The live score is what the episode would get if it ended now. A check counts as 0 only where evidence
exists and doesn't fit (no answer given, no order placed, form left empty). Evidence that could not be
read makes the check, and so the whole score, *not scored*.
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.benchmarks.demo import comparisons
from webbench.benchmarks.demo.stage import DemoStage
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question
from webbench.core.score.score import Check, Score, Status, digest, failed
from webbench.core.task import Task
from webbench.core.time_limit import time_limit

PROBE_TIMEOUT = 5.0
READ_PAGE = """() => {
  const form = document.querySelector("form[data-live]");
  const fields = {};
  for (const field of form ? form.elements : []) {
    if (!field.name || field.type === "password" || field.autocomplete.startsWith("cc-")) continue;
    if (field.type === "checkbox") {
      fields[field.name] ??= [];
      if (field.checked) fields[field.name].push(field.value);
    } else if (field.type === "radio") {
      fields[field.name] ??= "";
      if (field.checked) fields[field.name] = field.value;
    } else fields[field.name] = field.value;
  }
  return { path: location.pathname, query: location.search, form: form ? form.dataset.live : "", fields };
}"""


class DemoEvaluator:
    name = "demo"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """The answer, every site's state and, where a task asks for it, what the active tab shows."""
        if not isinstance(stage, DemoStage):
            raise UsageError("The demo's evaluator needs a stage of the demo benchmark")
        evidence: JsonObject = {"answer": answer, **stage.snapshot()}
        if stage.needs_page:
            try:
                async with time_limit(PROBE_TIMEOUT):
                    found = await environment.probe(READ_PAGE)
            except (EnvironmentDown, TimeoutError) as error:
                evidence["page_problem"] = str(error) or "the page did not answer"
            else:
                evidence["page"] = {**found, "path": stage.site_path(found["path"])}
        return evidence

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        """None: rules alone decide."""
        return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        """The mean of the task's checks; `metrics["success"]` is 1 when all of them hold."""
        try:
            found = [_check(rule, task.gold.get("job", ""), evidence) for rule in task.gold["checks"]]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return failed(f"The evidence of {task.id} can't be read: {error!r}", rules=rules)
        return _combined(task, evidence, found, rules)


def _combined(task: Task, evidence: JsonObject, found: Sequence[Check], rules: str) -> Score:
    unknown = [check.why for check in found if check.status is not Status.SCORED]
    values = [check.value for check in found if check.counted and check.value is not None]
    scored = bool(values) and not unknown
    value = sum(values) / len(values) if scored else None
    return Score(
        status=Status.SCORED if scored else Status.NOT_SCORED,
        value=value,
        reason="" if scored else (unknown[0] if unknown else "the task names no check"),
        rules=rules,
        combination="one check" if len(values) == 1 else f"mean of {len(values)} checks",
        checks=tuple(found),
        metrics={"success": None if value is None else float(value == 1.0)},
        evaluator=f"{DemoEvaluator.name} {DemoEvaluator.version}",
        data_sha256=digest(task.gold),
        evidence_sha256=digest(evidence),
    )


def _check(rule: JsonObject, job: str, evidence: JsonObject) -> Check:
    source, _, rest = rule["from"].partition(".")
    if source == "submitted":
        return comparisons.check(rule, job in evidence["annotation"]["submitted"])
    if source == "fields":
        return _form_check(rule, rest, job, evidence["annotation"]["submitted"].get(job), evidence)
    if source == "checkout":
        return _form_check(rule, rest, "checkout", evidence["shop"]["order"], evidence)
    if source not in evidence:
        return comparisons.unknown(rule, _missing(source, evidence))
    return comparisons.check(rule, comparisons.look_up(evidence, rule["from"]))


def _form_check(
    rule: JsonObject, field: str, form: str, sent: JsonObject | None, evidence: JsonObject
) -> Check:
    """What was sent counts; before that, what stands in the form if it is open in the active tab."""
    if sent is not None:
        return comparisons.check(rule, sent.get(field))
    if "page" not in evidence:
        return comparisons.unknown(rule, _missing("page", evidence))
    is_open = evidence["page"]["form"] == form
    return comparisons.check(rule, evidence["page"]["fields"].get(field) if is_open else None)


def _missing(source: str, evidence: JsonObject) -> str:
    problem = evidence.get("page_problem", "") if source == "page" else ""
    return f"the {source} could not be read" + (f": {problem}" if problem else "")
