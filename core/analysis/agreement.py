"""How far annotators agree: percent, Cohen's kappa, Krippendorff's alpha, each with an interval.

Where nothing else is said, intervals are percentile intervals of a bootstrap over items. A measure
that is undefined (nobody labelled twice, or everybody always gave one label) is None, with the reason in
`method`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from webbench.core.analysis.statistics import LEVEL, Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 1000
UNDEFINED = "nothing to tell agreement from"

Labels = Mapping[str, Mapping[str, Hashable]]
"""Annotator -> item -> label; an item that somebody left out is missing there."""

Item = tuple[Hashable | None, ...]
"""One item's labels, in the order of annotators."""


def percent(labels: Labels, *, seed: int = 0) -> Estimate:
    """Share of pairs of annotators that give an item the same label, over all pairs of all items."""
    return _with_interval(_percent, _items(labels), seed, "share of agreeing pairs")


def cohen_kappa(labels: Labels) -> Estimate:
    """Cohen's kappa (1960) of two annotators over the items that both labelled.

    Its interval is the large-sample one (Fleiss, Cohen and Everitt 1969).
    """
    method = "Cohen's kappa, large-sample interval"
    if len(labels) != 2:
        return Estimate(value=None, method="Cohen's kappa is for two annotators")
    both = [item for item in _items(labels) if None not in item]
    numbers = {label: at for at, label in enumerate(dict.fromkeys(label for item in both for label in item))}
    if len(numbers) < 2:
        return Estimate(value=None, n=len(both), method=f"{method}: {UNDEFINED}")
    import numpy as np
    from statsmodels.stats.inter_rater import cohens_kappa

    table = np.zeros((len(numbers), len(numbers)))
    for one, other in both:
        table[numbers[one], numbers[other]] += 1
    with np.errstate(invalid="ignore"):
        found = cohens_kappa(table)
    low, high = float(found.kappa_low), float(found.kappa_upp)
    known = math.isfinite(low) and math.isfinite(high)
    return Estimate(
        value=float(found.kappa),
        low=low if known else None,
        high=high if known else None,
        n=len(both),
        method=method if known else f"{method} (none: too few labels)",
    )


def krippendorff_alpha(labels: Labels, *, seed: int = 0, order: Sequence[Hashable] = ()) -> Estimate:
    """Krippendorff's alpha (1970); any number of annotators, gaps allowed.

    Args:
        order: labels from lowest to highest, for ordinal alpha; nominal without.
    """
    items = _items(labels)
    if not order:
        return _with_interval(_alpha, items, seed, "Krippendorff's alpha, nominal")
    return _with_interval(_ordinal_alpha, items, seed, "Krippendorff's alpha, ordinal", order)


def _items(labels: Labels) -> list[Item]:
    """Items with at least one label, in order of first appearance."""
    names = dict.fromkeys(item for given in labels.values() for item in given)
    return [tuple(given.get(name) for given in labels.values()) for name in names]


def _with_interval(
    measure: Callable[[NDArray[np.int64]], float | None],
    items: Sequence[Item],
    seed: int,
    method: str,
    order: Sequence[Hashable] = (),
) -> Estimate:
    import numpy as np

    counts = _counts(items, order)
    value = measure(counts)
    if value is None:
        return Estimate(value=None, n=len(items), method=f"{method}: {UNDEFINED}")
    generator = np.random.default_rng(seed)
    drawn = (measure(counts[generator.integers(len(items), size=len(items))]) for _ in range(RESAMPLES))
    known = [one for one in drawn if one is not None]
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if known else (None, None)
    return Estimate(
        value=value,
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        n=len(items),
        method=f"{method}, bootstrap over items, {RESAMPLES} resamples, seed {seed}",
    )


def _counts(items: Sequence[Item], order: Sequence[Hashable]) -> NDArray[np.int64]:
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


def _ordinal_alpha(counts: NDArray[np.int64]) -> float | None:
    return _alpha(counts, "ordinal")
