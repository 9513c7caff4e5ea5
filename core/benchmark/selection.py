"""Choosing tasks by split and name, with the same words for what isn't there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from webbench.core.errors import UsageError
from webbench.core.task import name_and_instance
from webbench.core.text.nearest import suggestion

MOST_SEEDS = 10_000


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


def named_seeds(
    names: Sequence[str],
    known: Collection[str],
    instances: int,
    where: str,
    split: str,
    *,
    what: str = "task",
) -> list[tuple[str, int]]:
    """Names with the seeds 0, 1 ... of their instances; all that are known where no name is given.

    A name may also be an id ("click-test#17"), which is the one instance. Of more than 10,000 it is the last
    10,000, so that whoever asks for an instance up to a large seed gets that one. Raises as `require_names`.
    """
    wanted = [name_and_instance(name) for name in names] or [(name, None) for name in known]
    require_names([name for name, _ in wanted], known, where, split, what=what)
    seeds = range(max(0, instances - MOST_SEEDS), instances)
    return [(name, one) for name, seed in wanted for one in (seeds if seed is None else (seed,))]
