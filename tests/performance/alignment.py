"""Aligning made-up attempts: two of 200 steps, five of 200 progressively, each page a tree of 300 nodes."""

from __future__ import annotations

import random
import time
from statistics import median

from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import BUCKETS, Moment
from webbench.core.analysis.compare.divergence import diverge

STEPS = 200
PAGES = 40
ROUNDS = 9
PAIR_LIMIT = 0.050
"""Seconds for two attempts."""


def main() -> list[str]:
    """The figures that were missed."""
    rng = random.Random(5)
    attempts = [_attempt(rng) for _ in range(5)]
    pair = _median_of(attempts[:2])
    five = _median_of(attempts)
    print(f"{'200 x 200 steps':24} {pair * 1000:7.1f} ms  (limit {PAIR_LIMIT * 1000:.0f})")
    print(f"{'5 attempts of 200':24} {five * 1000:7.1f} ms")
    return [] if pair <= PAIR_LIMIT else [f"200 x 200 steps took {pair * 1000:.0f} ms"]


def _median_of(attempts: list[list[Moment]]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        diverge(align(attempts), attempts)
        times.append(time.perf_counter() - started)
    return median(times)


def _attempt(rng: random.Random) -> list[Moment]:
    """A walk over the same pages as all others, with pages and elements of its own in between."""
    return [_moment(rng, at, rng.randrange(PAGES)) for at in range(STEPS)]


def _moment(rng: random.Random, at: int, page: int) -> Moment:
    tree = random.Random(page).sample(range(BUCKETS), 300)
    verb = rng.choice(("click", "click", "type", "scroll"))
    return Moment(
        step=at + 1,
        url=f"shop.test/section{page % 5}/p{page}",
        title=f"page {page}",
        shingles=frozenset(tree),
        state=page + 1,
        verb=verb,
        element=None if verb == "scroll" else ("link", f"item {rng.randrange(30)} of page {page}"),
        value=f"words {rng.randrange(9)}" if verb == "type" else "",
    )
