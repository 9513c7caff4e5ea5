"""Rows that a data set itself comes to: its numbers, the shares of a whole, how long its texts are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from webbench.core.analysis.printed.filled_table import DATA, FilledRow, counted
from webbench.core.statistics.mean import mean

NOT_TOLD = "not told"


def data_row(*labels: str, values: Iterable[float | None], n: int = 0) -> FilledRow:
    """A row of numbers that are no estimates, each over `n` where that is given."""
    return FilledRow(source=DATA, labels=labels, values=tuple(counted(value, n) for value in values))


def share_rows(counts: Mapping[str, int], of: int) -> list[FilledRow]:
    """A row for each name: how many, and what percent of the whole."""
    return [data_row(name, values=(count, 100 * count / max(1, of))) for name, count in counts.items()]


def shares_by_name(names: Iterable[str]) -> list[FilledRow]:
    """The same of names that are counted first; the most frequent ones first, blank ones as `NOT_TOLD`."""
    found = Counter(name or NOT_TOLD for name in names)
    return share_rows(dict(found.most_common()), found.total())


def mean_median_largest(values: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    """Three times None of nothing."""
    return (mean(values), median(values), max(values)) if values else (None, None, None)
