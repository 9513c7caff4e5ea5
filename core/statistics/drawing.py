"""Drawing samples that are the same wherever they are drawn, also with the shares of strata.

Drawing is ordering by SHA-256 of seed and name and taking the first: no random generator, so neither the
release of Python nor the order of a file matters, and an item more or less changes little.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def lot(seed: int, *words: str) -> str:
    """What is ordered by when something is drawn."""
    return hashlib.sha256("\n".join((str(seed), *words)).encode()).hexdigest()


def stratified(
    pool: Sequence[Item],
    stratum: Callable[[Item], tuple[str, ...]],
    name: Callable[[Item], str],
    seed: int,
    size: int,
) -> list[Item]:
    """So many of the pool, with the pool's shares of each stratum; the seed and the names decide which."""
    found: dict[tuple[str, ...], list[Item]] = {}
    for one in sorted(pool, key=lambda one: lot(seed, "sample", name(one))):
        found.setdefault(stratum(one), []).append(one)
    groups = [found[key] for key in sorted(found, key=lambda key: (lot(seed, "stratum", *key), key))]
    shares = proportional([len(group) for group in groups], size)
    return [one for group, share in zip(groups, shares, strict=True) for one in group[:share]]


def proportional(counts: Sequence[int], size: int) -> list[int]:
    """Whole numbers that add up to `size` and are as near as can be to the shares of `counts`.

    Largest remainders (Hamilton's method); of equal ones the first group gets more, so the caller draws the
    order of groups.
    """
    total = sum(counts)
    if not total:
        return [0] * len(counts)
    shares = [count * size // total for count in counts]
    rest = sorted(range(len(counts)), key=lambda at: -(counts[at] * size % total))
    for at in rest[: size - sum(shares)]:
        shares[at] += 1
    return shares
