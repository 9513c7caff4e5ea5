"""Products of checks: value, status, and the interval a pending product can still end in."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from webbench.core.json_types import Json
from webbench.core.score.score import Check, Status

_WORST_FIRST = (Status.ERROR, Status.NOT_SCORED, Status.PENDING)


def product(name: str, target: str, checks: Sequence[Check], *, actual: Json = None) -> Check:
    """One check whose value is the product of its counted ones; it has a value only if all of them have.

    Of no checks the product is 1, as published.
    """
    counted = [check for check in checks if check.counted]
    status = worst(counted)
    return Check(
        name=name,
        target=target,
        actual=actual,
        status=status,
        value=prod([check.value or 0.0 for check in counted]) if status is Status.SCORED else None,
        why=reason(counted),
        combination=combination(counted),
        checks=tuple(checks),
    )


def worst(checks: Sequence[Check]) -> Status:
    """Error before not scored before pending before scored."""
    found = {check.status for check in checks}
    return next((status for status in _WORST_FIRST if status in found), Status.SCORED)


def reason(checks: Sequence[Check]) -> str:
    """Why the product is what it is: the first check that decides it."""
    status = worst(checks)
    if status is Status.SCORED:
        failing = next((check for check in checks if check.value != 1), None)
        return failing.why if failing else ""
    return next(check.why for check in checks if check.status is status)


def combination(checks: Sequence[Check]) -> str:
    """ "product of 2", "" for one check alone, "1 because nothing is checked" for none."""
    if not checks:
        return "1 because nothing is checked"
    return f"product of {len(checks)}"


def bounds(check: Check) -> tuple[float, float]:
    """Lowest and highest value a check can still take, in [0, 1]."""
    if check.status is Status.SCORED and check.value is not None:
        return check.value, check.value
    if check.checks and check.combination.startswith("product"):
        return bounds_of(check.checks)
    return 0.0, 1.0


def bounds_of(checks: Sequence[Check]) -> tuple[float, float]:
    """The same of a product of checks."""
    limits = [bounds(check) for check in checks if check.counted]
    return prod(low for low, _ in limits), prod(high for _, high in limits)
