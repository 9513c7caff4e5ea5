"""TurkingBench's table by field type, over any attempts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webbench.core.aggregates import Attempt, Breakdown, Measured


def by_field_type(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """The instance's mean over its fields of each type, by the rule's own value: a range not always 1."""
    for kind, value in attempt.under(rules).metrics.items():
        if value is not None:
            yield Measured(kind, value)


def by_task(attempt: Attempt, rules: str) -> Iterable[Measured]:
    """The same under the name of the task, as upstream's files of results have their rows."""
    return [Measured(attempt.task.name, one.value, one.group) for one in by_field_type(attempt, rules)]


BREAKDOWNS = (
    Breakdown(
        name="field type", source="TurkingBench, table 5; instances weigh the same", measures=by_field_type
    ),
    Breakdown(name="task", source="upstream's result files", measures=by_task),
)
