"""The TurkingBench evaluator: evidence from the live page, scored field by field against all workers."""

from __future__ import annotations

from webbench.core.environment import Environment
from webbench.core.json_types import JsonObject
from webbench.core.score import Score, not_scored
from webbench.core.task import Stage, Task


class TurkingEvaluator:
    """Scores the form fields that the workers answered."""

    name = "turkingbench"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:  # noqa: ARG002
        """Name, type, visibility and values of every answer field on the page.

        Returns:
            {"fields": [{"name", "type", "displayed", "values": [...]}, ...]}
        """
        from webbench.benchmarks.turkingbench.fields import collect

        return await collect(environment, stage.task.data["answers"])  # type: ignore[attr-defined]

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        del task, evidence
        return not_scored("nothing was read", rules=rules)
