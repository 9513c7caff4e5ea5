"""chrF: how alike two texts are by the character n-grams they share.

M. Popović, "chrF: character n-gram F-score for automatic MT evaluation", WMT 2015. The figures are those of
sacrebleu 2 (`sentence_chrf` with its defaults: orders 1 to 6, white space removed, case kept, no smoothing),
which a test checks over random pairs.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from operator import add
from typing import NamedTuple

ORDERS = 6


class Overlap(NamedTuple):
    """Mean n-gram precision and recall over the orders that both texts are long enough for."""

    precision: float
    recall: float


def chrf(prediction: str, reference: str, beta: float = 2) -> float:
    """chrF in [0, 1]; `beta` 2 weighs recall twice as much as precision, 1 weighs them alike.

    F = (1 + beta²) P R / (beta² P + R). Texts without a common character score 0, and so do empty ones,
    even two equal ones.
    """
    return f_measure(overlap(prediction, reference), beta)


def f_measure(found: Overlap, beta: float = 2) -> float:
    """The F-measure of precision and recall, 0 where both are 0."""
    precision, recall = found
    if precision + recall == 0:
        return 0.0
    weight = beta**2
    score = (1 + weight) * precision * recall / (weight * precision + recall)
    # The figures of record are percentages: scaling there and back keeps their last digit.
    return 100 * score / 100


@lru_cache(maxsize=4096)
def overlap(prediction: str, reference: str) -> Overlap:
    """Precision = shared n-grams / n-grams of `prediction`, recall = the same over `reference`, as means."""
    predicted, wanted = "".join(prediction.split()), "".join(reference.split())
    orders = min(len(predicted), len(wanted), ORDERS)
    if orders == 0:
        return Overlap(0.0, 0.0)
    if predicted == wanted:
        return Overlap(1.0, 1.0)
    precision = recall = 0.0
    for order, shared in enumerate(_shared(predicted, wanted, orders)):
        precision += shared / (len(predicted) - order)
        recall += shared / (len(wanted) - order)
    return Overlap(precision / orders, recall / orders)


def _shared(first: str, second: str, orders: int) -> list[int]:
    """How many n-grams two texts share, by order; stops at the first order at which they share none."""
    counts: list[int] = []
    left, right = list(first), list(second)
    for order in range(1, orders + 1):
        shared = _common(left, right)
        if shared == 0:
            break
        counts.append(shared)
        # An n-gram and the character after it make the next order; map ends with the shorter of the two.
        left, right = list(map(add, left, first[order:])), list(map(add, right, second[order:]))
    return counts


def _common(first: list[str], second: list[str]) -> int:
    """Size of the intersection of two multisets."""
    left, right = set(first), set(second)
    common = left & right
    if len(left) == len(first) or len(right) == len(second):
        return len(common)
    often, wanted = Counter(first), Counter(second)
    return sum(min(often[gram], wanted[gram]) for gram in common)
