"""Choosing tasks by split and name, with the same words for what isn't there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from webbench.core.errors import UsageError
from webbench.core.text.nearest import suggestion


def require_split(split: str, splits: Sequence[str], where: str) -> None:
    """Raises `UsageError` for a split that isn't one of these, naming the nearest; "" stands for all.

    Args:
        where: title of the benchmark.
    """
    if split and split not in splits:
        raise UsageError(f'no split "{split}" in {where}', suggestion(split, splits))


def require_names(
    names: Sequence[str], known: Collection[str], where: str, split: str = "", *, what: str = "task"
) -> None:
    """Raises `UsageError` for the first name that isn't known, naming the nearest ones.

    Args:
        split: the one that `known` was taken from, "" for the whole benchmark.
        what: what is named.
    """
    for name in names:
        if name not in known:
            place = f"split {split}" if split else where
            raise UsageError(f'no {what} "{name}" in {place}', suggestion(name, sorted(known)))
