"""Where the time, the tokens and the money of an episode went, step by step."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.json_types import JsonObject
from webbench.core.trajectory import Seconds, Step

PARTS = ("idle", "agent", "environment", "scoring")
INPUT = ("input_tokens", "prompt_tokens")
OUTPUT = ("output_tokens", "completion_tokens")
COST = ("cost", "cost_usd", "total_cost")


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What a model took; None where that isn't recorded. `cost` is in US dollars."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


class TimeProfile(msgspec.Struct, frozen=True, kw_only=True):
    """Of a whole episode.

    Attributes:
        steps: index of each step.
        seconds: what each step took.
        total: the sums of the parts.
        spent: tokens and cost over all steps that tell them.
    """

    steps: tuple[int, ...]
    seconds: tuple[Seconds, ...]
    total: Seconds
    spent: Spent

    @property
    def known(self) -> bool:
        """Whether any time is recorded; imported episodes often have none."""
        return self.total.total > 0

    def place(self, fraction: float) -> int:
        """Which step was going on after this share (0 to 1) of the time; of the steps where none is known."""
        weights = [one.total for one in self.seconds] if self.known else [1.0] * len(self.seconds)
        left = fraction * sum(weights)
        for at, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return at
        return max(0, len(weights) - 1)


def time_profile(steps: Sequence[Step]) -> TimeProfile:
    """The profile of recorded steps."""
    seconds = tuple(step.seconds for step in steps)
    sums = {part: sum(getattr(one, part) for one in seconds) for part in PARTS}
    return TimeProfile(
        steps=tuple(step.index for step in steps),
        seconds=seconds,
        total=Seconds(**sums),
        spent=_sum([spent(step.usage) for step in steps]),
    )


def spent(usage: JsonObject) -> Spent:
    """Tokens and cost under the names that agents and other tools give them."""
    tokens_in, tokens_out, cost = (_first(usage, names) for names in (INPUT, OUTPUT, COST))
    return Spent(
        input_tokens=None if tokens_in is None else int(tokens_in),
        output_tokens=None if tokens_out is None else int(tokens_out),
        cost=cost,
    )


def spent_text(figures: Spent) -> str:
    """`1,602 in · 105 out · $0.0096`, what isn't known left out."""
    parts = []
    if figures.input_tokens is not None:
        parts.append(f"{figures.input_tokens:,} in")
    if figures.output_tokens is not None:
        parts.append(f"{figures.output_tokens:,} out")
    if figures.cost is not None:
        parts.append(f"${figures.cost:.4f}")
    return " · ".join(parts)


def seconds_words(seconds: Seconds) -> str:
    """`idle 4.0 s · agent 2.9 s`, parts that took no time left out."""
    told = [(part, getattr(seconds, part)) for part in PARTS]
    return " · ".join(f"{part} {value:.1f} s" for part, value in told if value >= 0.05)


def _first(usage: JsonObject, names: Sequence[str]) -> float | None:
    for name in names:
        value = usage.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e15:
            return float(value)
    return None


def _sum(parts: Sequence[Spent]) -> Spent:
    tokens_in = [one.input_tokens for one in parts if one.input_tokens is not None]
    tokens_out = [one.output_tokens for one in parts if one.output_tokens is not None]
    costs = [one.cost for one in parts if one.cost is not None]
    return Spent(
        input_tokens=sum(tokens_in) if tokens_in else None,
        output_tokens=sum(tokens_out) if tokens_out else None,
        cost=sum(costs) if costs else None,
    )
