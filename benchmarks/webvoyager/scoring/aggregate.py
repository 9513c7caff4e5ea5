"""Success rates of WebVoyager: over all, and by web site as in its main table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webbench.benchmarks.common.counted_scores import in_state, success_rate
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt, Breakdown, Measured
from webbench.core.score.score import Status


def summary(attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    """The rate over what is settled under a rule set, and how many others there are by state."""
    scores = [one.under(rules) for one in attempts]
    return {
        **success_rate(scores),
        "n": sum(score.value is not None for score in scores),
        "not_scored": in_state(scores, Status.NOT_SCORED),
        "errors": in_state(scores, Status.ERROR),
    }


def _by_site(attempt: Attempt, rules: str) -> Iterable[Measured]:
    value = attempt.under(rules).value
    if value is not None:
        yield Measured(attempt.task.site or "unknown", value)


BREAKDOWNS = (Breakdown(name="web site", source="WebVoyager, table 1", measures=_by_site),)
