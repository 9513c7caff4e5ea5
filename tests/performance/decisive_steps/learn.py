"""Weights of signals and places, learnt from the half to tune on: a choice among the turns of each run.

The likelihood of the decisive step is a softmax over the turns in which somebody decides something, as in
`webbench.core.analysis.decisive.ranking`; large weights are punished (`PENALTY`), as runs are few.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from tests.performance.decisive_steps.failure import Failure
from webbench.core.analysis.decisive.ranking import Weight, all_features
from webbench.core.analysis.decisive.signal import Signal

PENALTY = 2.0
PLACES = ("later", "second-work", "plan", "instruction")
LEARNT = (
    *PLACES,
    "first-failed",
    "first-unseen-claim",
    "unseen-claim",
    "part-of-page",
)
"""Of all signals and places those that bought something in the half to tune on, or were needed by others."""
Table = NDArray[np.float64]


def weights_of(failures: Sequence[Failure], names: Sequence[str]) -> dict[str, float]:
    """By name; failures whose decisive turn is none in which somebody decides teach nothing."""
    tables = [_table(one, names) for one in failures if _decisive(one) is not None]
    told = [at for one in failures if (at := _decisive(one)) is not None]

    def loss(weights: Table) -> tuple[float, Table]:
        value, slope = PENALTY / 2 * float(weights @ weights), PENALTY * weights
        for table, at in zip(tables, told, strict=True):
            sums = table @ weights
            shares = np.exp(sums - logsumexp(sums))
            value -= float(np.log(shares[at]))
            slope = slope + shares @ table - table[at]
        return value, slope

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B")
    return dict(zip(names, map(float, found.x), strict=True))


def left_out(failures: Sequence[Failure], names: Sequence[str]) -> dict[str, dict[str, float]]:
    """By question the weights learnt without its runs."""
    questions = {_question(one) for one in failures}
    return {
        question: weights_of([one for one in failures if _question(one) != question], names)
        for question in sorted(questions)
    }


def likelihood(failures: Sequence[Failure], names: Sequence[str]) -> float:
    """Mean log-likelihood of the decisive step, each question predicted from the others."""
    without = left_out(failures, names)
    sums = []
    for one in failures:
        at = _decisive(one)
        if at is not None:
            weights = np.array([without[_question(one)][name] for name in names])
            scores = _table(one, names) @ weights
            sums.append(float(scores[at] - logsumexp(scores)))
    return float(np.mean(sums))


def learnt(failures: Sequence[Failure]) -> dict[str, Weight]:
    """What there is in these runs, weighed, with how often it was right and what it buys."""
    names = LEARNT
    fitted, whole = weights_of(failures, names), likelihood(failures, names)
    found = {}
    for name in names:
        made, hits = 0, 0
        for one in failures:
            for turn, features in zip(one.turns, _features(one), strict=True):
                made += name in features
                hits += name in features and turn.step == one.step
        buys = whole - likelihood(failures, [other for other in names if other != name])
        found[name] = Weight(weight=round(fitted[name], 2), hits=hits, made=made, buys=round(buys, 3))
    return found


def _features(failure: Failure) -> list[dict[str, float]]:
    by_step: dict[int, list[Signal]] = {}
    for one in failure.signals:
        by_step.setdefault(one.step, []).append(one)
    return all_features(failure.turns, by_step, is_talk=True)


def _own(failure: Failure) -> list[tuple[int, Mapping[str, float]]]:
    both = zip(failure.turns, _features(failure), strict=True)
    return [(turn.step, features) for turn, features in both if turn.is_own]


def _table(failure: Failure, names: Sequence[str]) -> Table:
    return np.array([[features.get(name, 0.0) for name in names] for _, features in _own(failure)])


def _decisive(failure: Failure) -> int | None:
    steps = [step for step, _ in _own(failure)]
    return steps.index(failure.step) if failure.step in steps else None


def _question(failure: Failure) -> str:
    return failure.trajectory.header.task.name
