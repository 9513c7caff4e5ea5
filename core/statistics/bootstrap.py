"""The bootstrap over items: items, or whole clusters of them, are drawn with replacement.

A figure is made of sums over items. A resample is then a weighted sum of the same rows, and thousands of them
are one product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from webbench.core.statistics.estimates import LEVEL, Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Figure = Callable[[NDArray[np.float64]], NDArray[np.float64]]

RESAMPLES = 2000
AT_ONCE = 250
"""Resamples whose figures are in memory together."""
MOST_UNDEFINED = 0.05
"""Share of resamples in which a figure may be undefined; with more there is no interval."""
UNDEFINED = "nothing to tell agreement from"


def bootstrapped(
    parts: NDArray[np.float64],
    figure: Figure,
    method: str,
    *,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
) -> Estimate:
    """A figure of items with its percentile interval.

    There is no interval, and `method` says why, where the figure is undefined in more than 5 % of the
    resamples, where all resamples are alike, and where there is but one item or cluster.

    Args:
        parts: a row for each item; the figure is made of their sums.
        figure: sums (a row for each resample) to figures, NaN where it is undefined.
        clusters: of each item, what it is drawn together with.
    """
    import numpy as np

    groups: dict[Hashable, int] = {}
    names = range(len(parts)) if clusters is None else clusters
    places = [groups.setdefault(name, len(groups)) for name in names]
    found = Estimate(
        value=None,
        n=len(parts),
        clusters=0 if clusters is None else len(groups),
        method=f"{method}: {UNDEFINED}",
    )
    value = float(figure(parts.sum(axis=0, keepdims=True))[0]) if len(parts) else float("nan")
    if np.isnan(value):
        return found
    found = msgspec.structs.replace(found, value=value)
    what = "item" if clusters is None else "cluster"
    if len(groups) < 2:
        return msgspec.structs.replace(found, method=f"{method}; one {what} gives no interval")
    sums = np.zeros((len(groups), parts.shape[1]))
    np.add.at(sums, places, parts)
    known = np.concatenate([figure(drawn @ sums) for drawn in _weights(len(groups), seed)])
    known = known[~np.isnan(known)]
    if len(known) < (1 - MOST_UNDEFINED) * RESAMPLES:
        return msgspec.structs.replace(found, method=f"{method}; too few labels for an interval")
    if np.allclose(known, value):
        return msgspec.structs.replace(found, method=f"{method}; where all are alike there is no interval")
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    told = f"percentile bootstrap over {what}s, {RESAMPLES} resamples, seed {seed}"
    return msgspec.structs.replace(found, low=float(low), high=float(high), method=f"{method}, {told}")


def ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """NaN where there is nothing to divide by."""
    import numpy as np

    found: NDArray[np.float64] = np.full(len(below), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found


def share(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first column over the second."""
    return ratio(sums[:, 0], sums[:, 1])


@lru_cache(maxsize=8)
def _weights(count: int, seed: int) -> list[NDArray[np.float32]]:
    """How often each of so many clusters is in each resample; kept, as many figures are of the same items."""
    import numpy as np

    generator = np.random.default_rng(seed)
    share = np.full(count, 1 / count)
    return [
        generator.multinomial(count, share, size=AT_ONCE).astype(np.float32)
        for _ in range(RESAMPLES // AT_ONCE)
    ]
