"""Estimates that stand up in review: rates with intervals, paired differences, pass@k, several tests.

Tasks made from one template are not independent, so intervals and tests can be clustered: whole clusters
are drawn, or have their signs flipped. Everything random takes a seed and gives the same figures again.

SciPy and statsmodels have some of it, and tests hold it against them; to import their statistics takes over
two seconds of processor time, which every table of figures would wait for.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import msgspec

from webbench.core.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVEL = 0.95
RESAMPLES = 10_000
AT_ONCE = 1000
"""Resamples that are in memory together."""
EXACT_CLUSTERS = 14
"""Up to so many clusters every one of the 2^n sign flips is looked at."""


Cluster = tuple[str, str]
"""A kind, "template" or "task", and a name."""


def cluster_of(task: str, template: str) -> Cluster:
    """What a task is drawn together with: its template where it has one, else itself."""
    return ("template", template) if template else ("task", task)


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A figure with its interval.

    Attributes:
        value: None where there is nothing to estimate from.
        low, high: bounds at `level`, None where there are none.
        n: observations; `clusters`: independent groups of them, 0 where each stands for itself.
        method: in words.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    clusters: int = 0
    level: float = LEVEL
    method: str = ""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Two actors on the same tasks.

    Attributes:
        estimate: mean of (first - second) with its interval.
        p: two-sided, of the hypothesis that they do equally well.
        test: its name.
        p_mcnemar: McNemar's exact test (1947) on what was solved, tasks taken as independent.
        p_flips: the paired permutation test on the scores, clusters flipped as wholes.
        only_first, only_second: tasks that one solved and the other did not (values of exactly 1 and below).
    """

    estimate: Estimate
    p: float | None
    test: str
    p_mcnemar: float | None = None
    p_flips: float | None = None
    only_first: int = 0
    only_second: int = 0


def wilson(successes: int, n: int, level: float = LEVEL) -> Estimate:
    """A success rate with Wilson's score interval (1927). Raises `UsageError` for impossible counts."""
    if not 0 <= successes <= n:
        raise UsageError(f"{successes} successes of {n} are impossible", "count them again")
    if not n:
        return Estimate(value=None, level=level, method="Wilson score")
    rate, z = successes / n, normal_quantile((1 + level) / 2)
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return Estimate(
        value=rate,
        low=middle - reach if successes else 0.0,
        high=middle + reach if successes < n else 1.0,
        n=n,
        level=level,
        method="Wilson score",
    )


def clustered_mean(
    values: Sequence[float], clusters: Sequence[Hashable], *, seed: int = 0, level: float = LEVEL
) -> Estimate:
    """A mean with the percentile interval of the cluster bootstrap: clusters are drawn with replacement.

    Args:
        clusters: of each value, e.g. its intent template.
    """
    import numpy as np

    if not values:
        return Estimate(value=None, level=level, method="cluster bootstrap")
    sums, counts = _by_cluster(values, clusters)
    mean = float(sums.sum() / counts.sum())
    if len(sums) < 2:
        told = "one cluster gives no interval"
        return Estimate(value=mean, n=len(values), clusters=1, level=level, method=told)
    if np.allclose(sums / counts, mean):
        told = "clusters that are all alike give no bootstrap interval"
        return Estimate(value=mean, n=len(values), clusters=len(sums), level=level, method=told)
    low, high = np.quantile(_resampled_means(sums, counts, seed), [(1 - level) / 2, (1 + level) / 2])
    return Estimate(
        value=mean,
        low=float(low),
        high=float(high),
        n=len(values),
        clusters=len(sums),
        level=level,
        method=f"cluster bootstrap, {RESAMPLES} resamples, seed {seed}",
    )


def standard_error(values: Sequence[float]) -> float | None:
    """Of the mean, with n - 1; None for fewer than two, and where all are alike: that is no certainty."""
    if len(values) < 2 or min(values) == max(values):
        return None
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def paired_difference(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    seed: int = 0,
    level: float = LEVEL,
) -> Difference:
    """Two actors' scores on the same tasks, in the same order.

    Both tests are made. `p` is McNemar's for outcomes of 0 and 1 that are not clustered, for anything else
    that of flipping the signs of the clusters' differences: all of them up to `EXACT_CLUSTERS`, else at
    random. Raises `UsageError` where the lengths differ.
    """
    if len(first) != len(second) or (clusters is not None and len(clusters) != len(first)):
        raise UsageError("Paired scores must be of the same tasks", "keep the tasks that both attempted")
    differences = [a - b for a, b in zip(first, second, strict=True)]
    groups: Sequence[Hashable] = range(len(first)) if clusters is None else clusters
    estimate = clustered_mean(differences, groups, seed=seed, level=level)
    if clusters is None:
        estimate = msgspec.structs.replace(estimate, clusters=0)
    only_first = sum(a == 1 > b for a, b in zip(first, second, strict=True))
    only_second = sum(b == 1 > a for a, b in zip(first, second, strict=True))
    binary = clusters is None and set(first) | set(second) <= {0, 1}
    p_mcnemar = _mcnemar(only_first, only_second) if first else None
    p_flips, flips = _sign_flips(differences, groups, seed)
    return Difference(
        estimate=estimate,
        p=p_mcnemar if binary else p_flips,
        test="McNemar, exact" if binary else flips,
        p_mcnemar=p_mcnemar,
        p_flips=p_flips,
        only_first=only_first,
        only_second=only_second,
    )


def unpaired_difference(first: Estimate, second: Estimate) -> Estimate:
    """First minus second of two independent estimates, in their common unit.

    The interval is made of theirs (Zou and Donner 2008; of Wilson's intervals that is Newcombe's tenth
    method, 1998); without both there is none. No value where one of them has none.
    """
    method = "of two independent intervals"
    if first.value is None or second.value is None:
        return Estimate(value=None, level=first.level, method=method)
    value, n = first.value - second.value, first.n
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return Estimate(value=value, n=n, level=first.level, method=method)
    return Estimate(
        value=value,
        low=value - math.hypot(first.value - first.low, second.high - second.value),
        high=value + math.hypot(first.high - first.value, second.value - second.low),
        n=n,
        level=first.level,
        method=method,
    )


def pass_at_k(n: int, successes: int, k: int) -> float:
    """The chance that of k attempts, drawn from n with so many successes, one succeeds (Chen et al. 2021).

    1 - C(n - c, k) / C(n, k). Raises `UsageError` unless 0 <= successes <= n and 1 <= k <= n.
    """
    if not (0 <= successes <= n and 1 <= k <= n):
        raise UsageError(f"pass@{k} of {n} attempts with {successes} successes is undefined", "use k <= n")
    return 1.0 - math.comb(n - successes, k) / math.comb(n, k)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for there being several of them (Holm 1979), in the given order.

    The smallest of m is multiplied by m, the next by m - 1 and so on; none gets below one before it.
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[at] * (len(p_values) - rank)))
        corrected[at] = largest
    return corrected


def normal_quantile(share: float) -> float:
    """Where a standard normal distribution has this share below it: 1.96 for 0.975."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(share)


def _by_cluster(
    values: Sequence[float], clusters: Sequence[Hashable]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and count of each cluster, in the order of first appearance."""
    import numpy as np

    numbers: dict[Hashable, int] = {}
    places = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    sums = np.bincount(places, weights=list(values), minlength=len(numbers)).astype(np.float64)
    return sums, np.bincount(places, minlength=len(numbers)).astype(np.float64)


def _resampled_means(
    sums: NDArray[np.float64], counts: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    """Mean of each resample, in which as many clusters are drawn with replacement as there are."""
    import numpy as np

    generator = np.random.default_rng(seed)
    means = []
    for _ in range(RESAMPLES // AT_ONCE):
        drawn = generator.integers(len(sums), size=(AT_ONCE, len(sums)), dtype=np.int32)
        means.append(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    return np.concatenate(means)


def _mcnemar(only_first: int, only_second: int) -> float:
    """Twice the smaller tail of a fair coin, in whole numbers until the end."""
    n = only_first + only_second
    tail = sum(math.comb(n, count) for count in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / (1 << n))


def _sign_flips(
    differences: Sequence[float], clusters: Sequence[Hashable], seed: int
) -> tuple[float | None, str]:
    """Share of sign flips whose sum is at least as far from 0; at random the given one counts as drawn."""
    import numpy as np

    if not differences:
        return None, "sign flips"
    sums, _ = _by_cluster(differences, clusters)
    sums = sums[sums != 0]
    exact = len(sums) <= EXACT_CLUSTERS
    if exact:
        codes = np.arange(1 << len(sums))[:, None] >> np.arange(len(sums))[None, :] & 1
        signs = 1.0 - 2.0 * codes
    else:
        signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(RESAMPLES, len(sums)))
    far = int((np.abs(signs @ sums) >= abs(sums.sum()) - 1e-12).sum())
    if exact:
        return far / len(signs), f"sign flips, all {len(signs)}"
    return (far + 1) / (len(signs) + 1), f"sign flips, {RESAMPLES} at random, seed {seed}"
