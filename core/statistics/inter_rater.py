"""Inter-rater agreement: percent, Cohen's kappa, Krippendorff's alpha, each with an interval.

Where nothing else is said, intervals are percentile intervals of a bootstrap over items, or over clusters of
them where items come in clusters, as the steps of an episode do. Only items that two annotators or more
labelled are counted. A measure that is undefined (nobody labelled twice, or everybody always gave one label)
is None, with the reason in `method`; so is an interval that resamples can't tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from webbench.core.statistics.estimates import LEVEL, Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 1000
MOST_UNDEFINED = 0.05
"""Share of resamples in which a measure may be undefined; with more there is no interval."""
UNDEFINED = "nothing to tell agreement from"

Labels = Mapping[str, Mapping[str, Hashable]]
"""Annotator -> item -> label; an item that somebody left out is missing there."""

Item = tuple[Hashable | None, ...]
"""One item's labels, in the order of annotators."""

Clusters = Mapping[str, Hashable]
"""Item -> what it is drawn together with."""


def percent(labels: Labels, *, seed: int = 0, clusters: Clusters | None = None) -> Estimate:
    """Share of pairs of annotators that give an item the same label, over all pairs of all items."""
    items = _items(labels)
    draws = _draws(items, clusters, seed)
    return _with_interval(_percent, _counts(list(items.values())), draws, "share of agreeing pairs")


def cohen_kappa(labels: Labels, *, seed: int = 0, clusters: Clusters | None = None) -> Estimate:
    """Cohen's kappa (1960) of two annotators over the items that both labelled.

    Its interval is the large-sample one (Fleiss, Cohen and Everitt 1969), within -1 and 1; with clusters
    that of the bootstrap.
    """
    if len(labels) != 2:
        return Estimate(value=None, method="Cohen's kappa is for two annotators")
    items = _items(labels)
    known = dict.fromkeys(label for item in items.values() for label in item)
    numbers = {label: at for at, label in enumerate(known)}
    import numpy as np

    pairs = np.array([[numbers[label] for label in item] for item in items.values()], dtype=np.int64)
    if clusters is not None:
        return _with_interval(_kappa, pairs, _draws(items, clusters, seed), "Cohen's kappa")
    method = "Cohen's kappa, large-sample interval"
    if len(numbers) < 2:
        return Estimate(value=None, n=len(items), method=f"{method}: {UNDEFINED}")
    from statsmodels.stats.inter_rater import cohens_kappa

    with np.errstate(invalid="ignore"):
        found = cohens_kappa(_crossed(pairs))
    low, high = max(-1.0, float(found.kappa_low)), min(1.0, float(found.kappa_upp))
    told = math.isfinite(found.var_kappa) and low < high
    return Estimate(
        value=float(found.kappa),
        low=low if told else None,
        high=high if told else None,
        n=len(items),
        method=method if told else f"{method} (none: too few labels, or all agree)",
    )


def krippendorff_alpha(
    labels: Labels, *, seed: int = 0, order: Sequence[Hashable] = (), clusters: Clusters | None = None
) -> Estimate:
    """Krippendorff's alpha (1970); any number of annotators, gaps allowed.

    Args:
        order: labels from lowest to highest, for ordinal alpha; nominal without.
    """
    items = _items(labels)
    counts, draws = _counts(list(items.values()), order), _draws(items, clusters, seed)
    if not order:
        return _with_interval(_alpha, counts, draws, "Krippendorff's alpha, nominal")
    return _with_interval(_ordinal_alpha, counts, draws, "Krippendorff's alpha, ordinal")


def _items(labels: Labels) -> dict[str, Item]:
    """Items with two labels or more, in order of first appearance."""
    names = dict.fromkeys(item for given in labels.values() for item in given)
    found = {name: tuple(given.get(name) for given in labels.values()) for name in names}
    return {name: item for name, item in found.items() if sum(label is not None for label in item) > 1}


class _Draws(msgspec.Struct, frozen=True):
    """Rows of each resample, and in words how they were drawn; `clusters` is 0 where items are drawn."""

    rows: list[NDArray[np.int64]]
    told: str
    clusters: int = 0


def _draws(items: Mapping[str, Item], clusters: Clusters | None, seed: int) -> _Draws:
    """None where there are not two to draw from."""
    import numpy as np

    groups: dict[Hashable, list[int]] = {}
    for row, name in enumerate(items):
        groups.setdefault(name if clusters is None else clusters[name], []).append(row)
    members = [np.array(rows) for rows in groups.values()]
    generator = np.random.default_rng(seed)
    drawn = (generator.integers(len(members), size=len(members)) for _ in range(RESAMPLES))
    rows = [np.concatenate([members[at] for at in one]) for one in drawn] if len(members) > 1 else []
    what = "items" if clusters is None else "clusters"
    told = f"bootstrap over {what}, {RESAMPLES} resamples, seed {seed}"
    return _Draws(rows, told, 0 if clusters is None else len(members))


def _with_interval(
    measure: Callable[[NDArray[np.int64]], float | None], rows: NDArray[np.int64], draws: _Draws, method: str
) -> Estimate:
    import numpy as np

    value = measure(rows) if len(rows) else None
    found = Estimate(value=value, n=len(rows), clusters=draws.clusters, method=f"{method}: {UNDEFINED}")
    if value is None:
        return found
    known = [one for drawn in draws.rows if (one := measure(rows[drawn])) is not None]
    if len(known) < (1 - MOST_UNDEFINED) * RESAMPLES:
        return msgspec.structs.replace(found, method=f"{method}; too few labels for an interval")
    if np.allclose(known, value):
        return msgspec.structs.replace(found, method=f"{method}; where all are alike there is no interval")
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return msgspec.structs.replace(found, low=float(low), high=float(high), method=f"{method}, {draws.told}")


def _counts(items: Sequence[Item], order: Sequence[Hashable] = ()) -> NDArray[np.int64]:
    """How often each item (row) was given each label (column: in their order, then as they appear)."""
    import numpy as np

    known = dict.fromkeys((*order, *(label for item in items for label in item if label is not None)))
    columns = {label: at for at, label in enumerate(known)}
    counts = np.zeros((len(items), len(columns)), dtype=np.int64)
    for row, item in enumerate(items):
        for label in item:
            if label is not None:
                counts[row, columns[label]] += 1
    return counts


def _percent(counts: NDArray[np.int64]) -> float | None:
    given = counts.sum(axis=1)
    pairs = int((given * (given - 1)).sum())
    return int((counts * (counts - 1)).sum()) / pairs if pairs else None


def _alpha(counts: NDArray[np.int64], level: Literal["nominal", "ordinal"] = "nominal") -> float | None:
    import krippendorff

    paired = counts[counts.sum(axis=1) > 1]
    paired = paired[:, paired.any(axis=0)]
    if paired.shape[1] < 2:
        return None
    return float(krippendorff.alpha(value_counts=paired, level_of_measurement=level))


def _crossed(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often the first gave the row's label and the second the column's."""
    import numpy as np

    table = np.zeros((pairs.max() + 1, pairs.max() + 1), dtype=np.int64)
    np.add.at(table, (pairs[:, 0], pairs[:, 1]), 1)
    return table


def _kappa(pairs: NDArray[np.int64]) -> float | None:
    table = _crossed(pairs) / len(pairs)
    chance = float(table.sum(axis=0) @ table.sum(axis=1))
    return (float(table.trace()) - chance) / (1 - chance) if chance < 1 else None


def _ordinal_alpha(counts: NDArray[np.int64]) -> float | None:
    return _alpha(counts, "ordinal")
