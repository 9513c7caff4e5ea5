"""Key nodes by the function that matches them, over any attempts."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.aggregates import Attempt, Breakdown, Measured
from webbench.core.score import Status


def by_function(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """What each key node came to; figures of the whole episode are none."""
    for check in attempt.under(rules).checks:
        if check.counted and check.status is Status.SCORED and check.value is not None:
            yield Measured(check.name, check.value)


BREAKDOWNS = (Breakdown(name="match function", source="", measures=by_function),)
