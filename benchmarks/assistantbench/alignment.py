"""Two lists of answers compared item by item, in the pairing that scores best."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import fsum

from webbench.benchmarks.assistantbench.rules import PAPER
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.metrics.assignment import best_pairs
from webbench.core.score import Check, Status

MOST_PAIRS = 250_000
"""Every item of one list is compared with every item of the other."""
LEFT_OVER_SHOWN = 20
LISTS_NAME = "aligned lists"


def aligned(
    prediction: Sequence[Json],
    gold: Sequence[Json],
    compare: Callable[[int, int], Check],
    *,
    rules: str,
    target: str,
    values: Callable[[int, int], float] | None = None,
) -> Check:
    """The mean over the longer list of the scores of the best one-to-one pairing.

    Two empty lists are undefined as published (a check in error state, without a value), and 1 by the paper.

    Args:
        compare: the check of answer item i against gold item j.
        values: the same check's value alone, where that is cheaper.

    Raises `BadData` for lists with more than `MOST_PAIRS` pairs, and where a pair has no finite value.
    """
    if len(prediction) * len(gold) > MOST_PAIRS:
        lists = f"{_items(len(prediction))} and {len(gold)} gold items"
        raise BadData(f"{target}: {lists} make more than {MOST_PAIRS:,} pairs, too many to compare")
    if not prediction and not gold:
        return _nothing(rules, target)
    value = values or (lambda answer, wanted: _value(compare(answer, wanted)))
    scores = [[value(answer, wanted) for answer in range(len(prediction))] for wanted in range(len(gold))]
    try:
        partner = dict(best_pairs(scores))
    except ValueError as error:
        raise BadData(f"{target}: the items can't be paired, as some have no finite score") from error
    checks = [
        compare(partner[wanted], wanted) if wanted in partner else _missing(gold[wanted], wanted)
        for wanted in range(len(gold))
    ]
    longer = max(len(prediction), len(gold))
    return Check(
        name=LISTS_NAME,
        target=target,
        actual=list(prediction),
        expected=list(gold),
        value=fsum(_value(check) for check in checks) / longer,
        why=f"{_items(len(prediction))} answered, {len(gold)} wanted, paired so that the sum is largest",
        combination=f"sum of the pairs over the longer list, {_items(longer)}",
        checks=(*checks, *_left_over(prediction, set(partner.values()))),
    )


def _nothing(rules: str, target: str) -> Check:
    common: dict[str, Json] = {"name": LISTS_NAME, "target": target, "actual": [], "expected": []}
    if rules == PAPER:
        return Check(value=1.0, why="both lists are empty", **common)
    return Check(status=Status.ERROR, why="both lists are empty, so there is nothing to average", **common)


def _value(check: Check) -> float:
    if check.value is None:
        raise BadData(f"{check.target}: {check.why}")
    return check.value


def _missing(item: Json, place: int) -> Check:
    return Check(
        name="not answered",
        target=f"gold item {place + 1}",
        expected=item,
        value=0.0,
        why="no item of the answer is left for it",
    )


def _left_over(prediction: Sequence[Json], paired: Collection[int]) -> list[Check]:
    """A check for each of the first items without a gold item, and one for all others."""
    places = [place for place in range(len(prediction)) if place not in paired]
    checks = [
        Check(
            name="not wanted",
            target=f"answer item {place + 1}",
            actual=prediction[place],
            value=0.0,
            why="no item of the gold answer is left for it",
        )
        for place in places[:LEFT_OVER_SHOWN]
    ]
    more = len(places) - len(checks)
    if more:
        why = "no item of the gold answer is left for any of them"
        checks.append(Check(name="not wanted", target=f"{more} more answer items", value=0.0, why=why))
    return checks


def _items(count: int) -> str:
    return f"{count} item{'s' * (count != 1)}"
