"""Rule sets by name: what is said of one that a benchmark doesn't have."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.errors import UsageError
from webbench.core.score.score import Score, failed


def require_rules(rules: str, rule_sets: Sequence[str], benchmark: str) -> None:
    """Raises `UsageError` for a rule set that the benchmark doesn't have."""
    if rules not in rule_sets:
        raise UsageError(f'{benchmark} has no rule set "{rules}"', f"it has {', '.join(rule_sets)}")


def unknown_rules(rules: str, rule_sets: Sequence[str]) -> Score:
    """The error that an evaluator gives for such a rule set, since scoring never raises."""
    return failed(f'no rule set "{rules}"; there are {" and ".join(rule_sets)}', rules=rules)
