"""Inter-rater agreement: percent, Cohen's kappa, Krippendorff's alpha, confusion matrices of two raters.

Intervals are those of a bootstrap over items, or over clusters of them where items come in clusters, as the
steps of an episode do. Only items that two raters or more labelled are counted. A measure that is undefined
(nobody labelled twice, or everybody always gave one label) is None, with the reason in `method`; so is an
interval that resamples can't tell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from webbench.core.statistics.bootstrap import bootstrapped, ratio, share
from webbench.core.statistics.estimates import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Labels = Mapping[str, Mapping[str, Hashable]]
"""Rater -> item -> label; an item that somebody left out is missing there."""

Item = tuple[Hashable | None, ...]
"""One item's labels, in the order of raters."""

Clusters = Mapping[str, Hashable]
"""Item -> what it is drawn together with."""


class ConfusionMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """The labels of two raters crossed, over the items that both labelled.

    Attributes:
        first, second: the raters; `first` is the row's, `second` the column's.
        codes: of rows and columns alike, in their order.
        counts: one tuple for each row.
        percent, kappa: share of items with the same label, and Cohen's. Where labels are ordered they are
            over the items that both gave a rank, and kappa is weighted.
    """

    first: str
    second: str
    codes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    percent: Estimate
    kappa: Estimate

    @property
    def n(self) -> int:
        """Items."""
        return sum(map(sum, self.counts))


def percent(labels: Labels, *, seed: int = 0, clusters: Clusters | None = None) -> Estimate:
    """Share of pairs of raters that give an item the same label, over all pairs of all items."""
    import numpy as np

    items = _items(labels)
    counts = _counts(list(items.values()))
    given = counts.sum(axis=1)
    parts = np.stack([(counts * (counts - 1)).sum(axis=1), given * (given - 1)], axis=1)
    return _estimate(parts, share, "share of agreeing pairs", items, clusters, seed)


def cohen_kappa(
    labels: Labels, *, seed: int = 0, order: Sequence[Hashable] = (), clusters: Clusters | None = None
) -> Estimate:
    """Cohen's kappa (1960) of two raters over the items that both labelled.

    Args:
        order: labels from lowest to highest, for weighted kappa (Cohen 1968) with quadratic weights.
    """
    if len(labels) != 2:
        return Estimate(value=None, method="Cohen's kappa is for two raters")
    import numpy as np

    items = _items(labels)
    columns = _columns(list(items.values()), order)
    size = len(columns)
    ranks = np.arange(size)
    weights = (ranks[:, None] - ranks) ** 2 if order else (ranks[:, None] != ranks).astype(np.int64)
    parts = np.zeros((len(items), 1 + 2 * size))
    for row, (one, other) in enumerate(items.values()):
        first, second = columns[one], columns[other]
        parts[row, 0] = weights[first, second]
        parts[row, 1 + first] += 1
        parts[row, 1 + size + second] += 1

    def kappa(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        first, second = sums[:, 1 : 1 + size], sums[:, 1 + size :]
        by_chance = ((first @ weights) * second).sum(axis=1)
        return 1 - ratio(sums[:, 0] * first.sum(axis=1), by_chance)

    method = "Cohen's kappa, quadratic weights" if order else "Cohen's kappa"
    return _estimate(parts, kappa, method, items, clusters, seed)


def krippendorff_alpha(
    labels: Labels, *, seed: int = 0, order: Sequence[Hashable] = (), clusters: Clusters | None = None
) -> Estimate:
    """Krippendorff's alpha (1970); any number of raters, gaps allowed.

    Ordinal differences are those between mid-ranks, which are counted anew for each resample (Krippendorff
    2011, Computing Krippendorff's alpha-reliability).

    Args:
        order: labels from lowest to highest, for ordinal alpha; nominal without.
    """
    items = _items(labels)
    counts = _counts(list(items.values()), order)
    if not order:
        return _estimate(
            _disagreeing(counts), _nominal_alpha, "Krippendorff's alpha, nominal", items, clusters, seed
        )
    method = "Krippendorff's alpha, ordinal"
    return _estimate(_coincidences(counts), _ordinal_alpha, method, items, clusters, seed)


def confusion_matrices(
    labels: Labels,
    codes: Sequence[str],
    *,
    seed: int = 0,
    order: Sequence[Hashable] = (),
    clusters: Clusters | None = None,
) -> tuple[ConfusionMatrix, ...]:
    """One for each two raters with common items, in alphabetical order of raters.

    Args:
        codes: rows and columns; labels that are none of them come behind.
        order: labels from lowest to highest, for weighted kappa; others have no rank.
    """
    found = []
    for first, second in combinations(sorted(labels), 2):
        both = {name: labels[name] for name in (first, second)}
        items = list(_items(both).values())
        if not items:
            continue
        columns = _columns(items, codes)
        counts = [[0] * len(columns) for _ in columns]
        for one, other in items:
            counts[columns[one]][columns[other]] += 1
        ranked = {
            name: {item: label for item, label in given.items() if not order or label in order}
            for name, given in both.items()
        }
        found.append(
            ConfusionMatrix(
                first=first,
                second=second,
                codes=tuple(map(str, columns)),
                counts=tuple(map(tuple, counts)),
                percent=percent(ranked, seed=seed, clusters=clusters),
                kappa=cohen_kappa(ranked, seed=seed, order=order, clusters=clusters),
            )
        )
    return tuple(found)


def _items(labels: Labels) -> dict[str, Item]:
    """Items with two labels or more; their order, and with it resamples, is not that of raters."""
    names = sorted({item for given in labels.values() for item in given})
    found = {name: tuple(given.get(name) for given in labels.values()) for name in names}
    return {name: item for name, item in found.items() if sum(label is not None for label in item) > 1}


def _estimate(
    parts: NDArray[np.float64],
    figure: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    method: str,
    items: Mapping[str, Item],
    clusters: Clusters | None,
    seed: int,
) -> Estimate:
    drawn = None if clusters is None else [clusters[name] for name in items]
    return bootstrapped(parts, figure, method, clusters=drawn, seed=seed)


def _columns(items: Sequence[Item], order: Sequence[Hashable] = ()) -> dict[Hashable, int]:
    """Labels with their number: in their order, then as text has it."""
    given = {label for item in items for label in item if label is not None} - set(order)
    return {label: at for at, label in enumerate(dict.fromkeys((*order, *sorted(given, key=str))))}


def _counts(items: Sequence[Item], order: Sequence[Hashable] = ()) -> NDArray[np.float64]:
    """How often each item (row) was given each label (column)."""
    import numpy as np

    columns = _columns(items, order)
    counts = np.zeros((len(items), len(columns)))
    for row, item in enumerate(items):
        for label in item:
            if label is not None:
                counts[row, columns[label]] += 1
    return counts


def _disagreeing(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each item the coincidences of unequal labels, then how often each label was given."""
    import numpy as np

    given = counts.sum(axis=1)
    alike = (counts * (counts - 1)).sum(axis=1) / (given - 1)
    return np.column_stack([given - alike, counts])


def _coincidences(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each item the pairs of labels that differ in rank, then how often each label was given."""
    import numpy as np

    pairs = counts[:, :, None] * counts[:, None, :] / (counts.sum(axis=1) - 1)[:, None, None]
    return np.column_stack([pairs.reshape(len(counts), counts.shape[1] ** 2), counts])


def _nominal_alpha(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    given = sums[:, 1:]
    n = given.sum(axis=1)
    return 1 - ratio((n - 1) * sums[:, 0], n**2 - (given**2).sum(axis=1))


def _ordinal_alpha(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    size = int((np.sqrt(1 + 4 * sums.shape[1]) - 1) / 2)
    given = sums[:, -size:]
    observed = sums[:, :-size].reshape(-1, size, size)
    ranks = given.cumsum(axis=1) - given / 2
    apart = (ranks[:, :, None] - ranks[:, None, :]) ** 2
    expected = given[:, :, None] * given[:, None, :] * apart
    n = given.sum(axis=1)
    return 1 - ratio((n - 1) * (observed * apart).sum(axis=(1, 2)), expected.sum(axis=(1, 2)))
