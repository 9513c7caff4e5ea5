"""Success rates of Online-Mind2Web: by level and over all, as its leaderboard has them."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.benchmarks.common.counted_scores import in_state, success_rate
from webbench.benchmarks.online_mind2web.tasks import LEVELS
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import Status


def summary(attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    """Rates over what is settled under a rule set; what is not executable is in none."""
    by_level = {level: [one.under(rules) for one in attempts if one.task.kind == level] for level in LEVELS}
    scores = [one.under(rules) for one in attempts]
    found = success_rate(scores)
    for level, members in by_level.items():
        if members:
            found |= success_rate(members, f"success_rate_{level}")
    return {
        **found,
        "n": sum(score.value is not None for score in scores),
        "not_scored": in_state(scores, Status.NOT_SCORED),
        "errors": in_state(scores, Status.ERROR),
    }
