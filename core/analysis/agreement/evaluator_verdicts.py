"""How far an evaluator's verdicts can be trusted: precision and recall of its successes against people's."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from webbench.core.statistics.estimates import Estimate, wilson


class Reliability(msgspec.Struct, frozen=True, kw_only=True):
    """An evaluator's verdicts beside people's, with Wilson intervals.

    Attributes:
        precision: of what the evaluator holds solved, the share that is.
        recall: of what is solved, the share that the evaluator finds.
        negative_precision: of what the evaluator holds unsolved, the share that is.
        accuracy: share of equal verdicts.
        both, only_evaluator, only_people, neither: episodes by who holds them solved.
    """

    precision: Estimate
    recall: Estimate
    negative_precision: Estimate
    accuracy: Estimate
    both: int
    only_evaluator: int
    only_people: int
    neither: int


def reliability(verdicts: Iterable[tuple[bool, bool]]) -> Reliability:
    """Figures of (solved by the evaluator's verdict, solved by people's) pairs."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for pair in verdicts:
        counts[pair] += 1
    both, only_evaluator = counts[True, True], counts[True, False]
    only_people, neither = counts[False, True], counts[False, False]
    return Reliability(
        precision=wilson(both, both + only_evaluator),
        recall=wilson(both, both + only_people),
        negative_precision=wilson(neither, neither + only_people),
        accuracy=wilson(both + neither, sum(counts.values())),
        both=both,
        only_evaluator=only_evaluator,
        only_people=only_people,
        neither=neither,
    )
