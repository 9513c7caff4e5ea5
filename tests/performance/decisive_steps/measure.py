"""How well rankings of steps find the decisive one: top 1, 3 and 5, exact and within one step; the agent."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from tests.performance.decisive_steps.failure import Failure
from webbench.core.statistics.estimates import wilson

TOPS = (1, 3, 5)
HEADINGS = f"{'':34} {'agent':>17} " + " ".join(
    f"{title:>17}" for top in TOPS for title in (f"top {top}", f"top {top}, ±1")
)


class Guess(msgspec.Struct, frozen=True, kw_only=True):
    """Steps, the likeliest first, and who made the mistake; "" where nobody is named."""

    steps: tuple[int, ...]
    agent: str


def line(name: str, failures: Sequence[Failure], guesses: Sequence[Guess]) -> str:
    """Under `HEADINGS`: shares in percent with Wilson's intervals."""
    n = len(failures)
    pairs = list(zip(failures, guesses, strict=True))
    hits = [sum(guess.agent == failure.agent for failure, guess in pairs)]
    for top in TOPS:
        hits.append(sum(failure.step in guess.steps[:top] for failure, guess in pairs))
        hits.append(
            sum(any(abs(step - failure.step) <= 1 for step in guess.steps[:top]) for failure, guess in pairs)
        )
    return f"{name:34} " + " ".join(f"{_share(count, n):>17}" for count in hits)


def chance(failures: Sequence[Failure]) -> str:
    """What steps drawn by lot come to on average, under `HEADINGS`."""
    sums = [0.0] * (1 + 2 * len(TOPS))
    for failure in failures:
        steps = [turn.step for turn in failure.turns]
        near = sum(abs(step - failure.step) <= 1 for step in steps)
        own = sum(turn.agent == failure.agent for turn in failure.turns)
        shares = [own / len(steps)]
        for top in TOPS:
            drawn = min(top, len(steps))
            shares.append(drawn / len(steps))
            shares.append(1 - math.comb(len(steps) - near, drawn) / math.comb(len(steps), drawn))
        sums = [total + share for total, share in zip(sums, shares, strict=True)]
    return f"{'a step by lot (expected)':34} " + " ".join(f"{total / len(failures):>17.1%}" for total in sums)


def _share(count: int, n: int) -> str:
    estimate = wilson(count, n)
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.value:.1%} ({100 * estimate.low:.0f}–{100 * estimate.high:.0f})"
