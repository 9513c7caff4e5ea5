"""Statistical power: how many tasks a comparison takes, and what a planned number of them can show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from webbench.core.errors import UsageError
from webbench.core.statistics.estimates import LEVEL, normal_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEGLIGIBLE = 1e-15
"""Chance of a number of differing tasks that adds nothing to a power."""
POWER = 0.8
"""What studies are planned for where nothing else is said."""


def smallest_difference(n: int, rate: float, *, power: float = POWER, level: float = LEVEL) -> float | None:
    """The smallest rise of a success rate that n tasks for each of two actors show with this power.

    Cohen's h = 2 arcsin sqrt(p1) - 2 arcsin sqrt(p2) for two independent rates (Cohen 1988, chapter 6); pairs
    on the same tasks need fewer. None where no rise would be enough.
    """
    if n < 1 or not 0 <= rate <= 1:
        raise UsageError("Power needs at least one task, and a rate between 0 and 1", "")
    angle = 2 * math.asin(math.sqrt(rate)) + _noncentrality(power, level) * math.sqrt(2 / n)
    return math.sin(angle / 2) ** 2 - rate if angle <= math.pi else None


def tasks_needed(first: float, second: float, *, power: float = POWER, level: float = LEVEL) -> int | None:
    """Tasks for each of two actors that show this difference of rates with this power; None for none."""
    if not (0 <= first <= 1 and 0 <= second <= 1):
        raise UsageError("Rates lie between 0 and 1", "")
    h = abs(2 * math.asin(math.sqrt(first)) - 2 * math.asin(math.sqrt(second)))
    return math.ceil(2 * (_noncentrality(power, level) / h) ** 2) if h else None


def paired_power(n: int, only_first: float, only_second: float, *, level: float = LEVEL) -> float:
    """The chance that McNemar's exact test on n common tasks finds a difference.

    Exact: over how many tasks differ, and how these fall, for the given shares of tasks that only the first
    and only the second actor solves. Raises `UsageError` for shares that are none.
    """
    if n < 1 or min(only_first, only_second) < 0 or only_first + only_second > 1:
        raise UsageError("The shares of tasks that only one solves are from 0 to 1 together", "")
    import numpy as np

    differing = only_first + only_second
    if not differing:
        return 0.0
    found = 0.0
    for count, chance in enumerate(_binomial(n, differing)):
        if chance > NEGLIGIBLE:
            fewest = np.arange(count + 1)
            fewest = np.minimum(fewest, count - fewest)
            rejected = 2 * np.cumsum(_binomial(count, 0.5))[fewest] <= 1 - level
            found += float(chance * _binomial(count, only_first / differing)[rejected].sum())
    return min(1.0, found)


def intraclass_correlation(values: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """How alike values of one cluster are: the analysis-of-variance estimate, from -1 to 1.

    None where clusters can't be told apart from their members, or nothing varies.
    """
    groups: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        groups.setdefault(cluster, []).append(value)
    n, k = len(values), len(groups)
    if k < 2 or n == k:
        return None
    mean = sum(values) / n
    means = {cluster: sum(group) / len(group) for cluster, group in groups.items()}
    between = sum(len(group) * (means[cluster] - mean) ** 2 for cluster, group in groups.items()) / (k - 1)
    within = sum((value - means[cluster]) ** 2 for cluster, group in groups.items() for value in group)
    within /= n - k
    size = (n - sum(len(group) ** 2 for group in groups.values()) / n) / (k - 1)
    spread = between + (size - 1) * within
    return (between - within) / spread if spread else None


def design_effect(cluster_size: float, correlation: float) -> float:
    """By how much tasks that come in clusters count for less: 1 + (m - 1) rho (Kish 1965).

    Where clusters are not of one size, m is `weighted_size`.
    """
    return 1 + (cluster_size - 1) * correlation


def weighted_size(clusters: Sequence[Hashable]) -> float:
    """Size of the cluster that an observation is in, on average: large clusters weigh more (Kish 1965).

    Args:
        clusters: of each observation, at least one.
    """
    return sum(count**2 for count in Counter(clusters).values()) / len(clusters)


def _binomial(n: int, share: float) -> NDArray[np.float64]:
    """The chance of each count from 0 to n."""
    import numpy as np

    counts = np.arange(n + 1)
    if share in (0.0, 1.0):
        return np.asarray(counts == share * n, dtype=np.float64)
    ways = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    logs = ways[n] - ways - ways[::-1] + counts * math.log(share) + (n - counts) * math.log1p(-share)
    return np.asarray(np.exp(logs), dtype=np.float64)


def _noncentrality(power: float, level: float) -> float:
    return normal_quantile((1 + level) / 2) + normal_quantile(power)
