"""Results as the WebCanvas framework writes them, per task or summed up, turned into a task and its evidence.

The framework scores a step before it acts, so the address that a step was scored on is the one that the step
before ended on; that of the first step is a blank page.

Scores are sums over key nodes that each lie in [0, 1], step numbers begin at 0: a result that holds other
figures is refused, since no episode can come to them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode, key_node
from webbench.benchmarks.webcanvas.scoring.metrics import TaskResult, score_parts, score_rate
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.task import Task

MOST_STEPS = 10**6
"""Above which a reference length is no number of steps."""
BLANK_PAGE = "about:blank"
SAYS_FINISHED = "llm_finished"
_DETAIL = {"status": "status", "nodes": "evaluate_steps", "score": "score", "url": "step_url"}
_SUMMARY = {"status": "task_status", "nodes": "evaluation", "score": "task_score", "url": "url"}


class FrameworkResult(msgspec.Struct, frozen=True, kw_only=True):
    """One episode.

    Attributes:
        name: the task's text.
        id: the task's number, as the framework numbered it; "" if it didn't.
        result: what the framework's summary is made of.
        nodes: key nodes with the score that they ended with.
        evidence: for `WebCanvasEvaluator`, with those scores.
        reference_length: steps that a person needs, None = not told.
        odd_length: what is told instead and is no number of steps, "" where nothing is.
    """

    name: str
    id: str
    result: TaskResult
    nodes: tuple[KeyNode, ...]
    evidence: JsonObject
    reference_length: float | None = None
    odd_length: str = ""

    def task(self, known: Task | None = None) -> Task:
        """The task that was scored: its key nodes as they stand in the result."""
        gold: JsonObject = {"key_nodes": key_nodes_as_gold(self.nodes)}
        length = self.reference_length
        if length is None and known is not None:
            length = known.gold.get("reference_length")
        if length is not None:
            gold["reference_length"] = length
        if known is not None and "alternatives" in known.gold and not self.differs_from(known):
            gold["alternatives"] = known.gold["alternatives"]
        base = known or Task(benchmark="webcanvas", name=self.id or self.name, intent=self.name)
        return msgspec.structs.replace(base, gold=gold)

    def differs_from(self, known: Task) -> bool:
        """Its key nodes are not those of the task file."""
        return bool(key_nodes_as_gold(self.nodes) != known.gold.get("key_nodes"))

    def trouble(self) -> str:
        """How the file contradicts itself, "" where it doesn't. Its key nodes and its steps' count win."""
        if self.odd_length:
            return f"its reference length {self.odd_length} is no number of steps, and is left out"
        total, listed = sum(node.score for node in self.nodes), len(self.evidence["steps"])
        if abs(total - self.result.score) > 1e-9:
            return f"the last step says {self.result.score:g} points, its key nodes {total:g}, which are used"
        if self.result.possible != len(self.nodes):
            return (
                f"the last step counts {self.result.possible:g} key nodes, the file lists {len(self.nodes)}, "
                "which are used"
            )
        if self.result.steps != listed:
            return (
                f"the last step has number {self.result.steps}, which is used; the file lists {listed} steps"
            )
        return ""


def key_nodes_as_gold(nodes: Sequence[KeyNode]) -> list[Json]:
    """Key nodes of a result as a task's gold: without what the run reached."""
    return [msgspec.to_builtins(msgspec.structs.replace(node, score=0)) for node in nodes]


def is_framework_result(data: JsonObject) -> bool:
    """Whether it is a result of one task, as the framework writes it."""
    return "step_list" in data


def framework_result(data: JsonObject) -> FrameworkResult:
    """A result file of one task, or one task of a summary. Raises `BadData` naming the field."""
    names = _DETAIL if "evaluate_steps" in data else _SUMMARY
    name, status = data.get("task_name"), data.get(names["status"])
    if not isinstance(name, str) or not name:
        raise BadData('it has no text "task_name"')
    if not isinstance(status, str):
        raise BadData(f'it has no text "{names["status"]}"')
    steps, nodes = _objects(data, "step_list"), _objects(data, names["nodes"])
    if not steps or not nodes:
        raise BadData(f'"step_list" or "{names["nodes"]}" is empty, so there is nothing to score')
    read = tuple(map(key_node, nodes))
    result = _result(status, steps[-1], names["score"])
    for number, node in enumerate(read, start=1):
        if not 0 <= node.score <= 1:
            raise BadData(f"key node {number} has the score {node.score:g}, which is not within 0 and 1")
    identity, length = data.get("id", data.get("task_id", "")), data.get("reference_task_length")
    known = isinstance(length, int | float) and not isinstance(length, bool) and 0 < length < MOST_STEPS
    return FrameworkResult(
        name=name,
        id=str(identity) if isinstance(identity, int | str) else "",
        result=result,
        nodes=read,
        evidence={
            "steps": _events(steps, names["url"]),
            "status": status,
            "signal": status == SAYS_FINISHED or _says_finished(steps[-1].get("step_reward")),
            "scores": [node.score for node in read],
            "taken": result.steps,
        },
        reference_length=length if known else None,
        odd_length="" if known or length is None else repr(length)[:40],
    )


def _objects(data: JsonObject, name: str) -> list[JsonObject]:
    listed = data.get(name)
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise BadData(f'"{name}" is no list of objects')
    return listed


def _result(status: str, last: JsonObject, score_name: str) -> TaskResult:
    index, text = last.get("step_index"), last.get(score_name)
    if isinstance(index, bool) or not isinstance(index, int):
        raise BadData('its last step has no number "step_index"')
    if index < 0:
        raise BadData(f'its last step has the "step_index" {index}, and counting begins at 0')
    score, possible = score_parts(text)
    if not (0 < possible < math.inf and 0 <= score <= possible):
        raise BadData(f"the score {text!r} of its last step is no share of a number of key nodes")
    return TaskResult(status=status, steps=index + 1, score=score, possible=possible, rate=score_rate(text))


def _events(steps: Sequence[JsonObject], url_name: str) -> list[Json]:
    urls = [BLANK_PAGE, *(step.get(url_name) or BLANK_PAGE for step in steps)]
    return [
        {
            "url": url,
            "path": step.get("selector") or None,
            "value": step.get("element_value"),
            "text": step.get("text_content"),
        }
        for url, step in zip(urls, steps, strict=False)
    ]


def _says_finished(reward: Json) -> bool:
    return isinstance(reward, dict) and reward.get("status") == "finished"
