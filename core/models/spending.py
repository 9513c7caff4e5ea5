"""What models took: tokens and money, under the names that agents and other tools give them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from webbench.core.agent import Proposal
from webbench.core.json_types import JsonObject

INPUT = ("input_tokens", "prompt_tokens")
OUTPUT = ("output_tokens", "completion_tokens")
COST = ("cost", "cost_usd", "total_cost")


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What a model took; None where that isn't recorded. `cost` is in US dollars."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None

    @property
    def tokens(self) -> int | None:
        """Both ways together; None where neither is known."""
        if self.input_tokens is None and self.output_tokens is None:
            return None
        return (self.input_tokens or 0) + (self.output_tokens or 0)


def spent(usage: JsonObject) -> Spent:
    """Tokens and cost as one `usage` tells them; what is no sensible number is not known."""
    tokens_in, tokens_out, cost = (_first(usage, names) for names in (INPUT, OUTPUT, COST))
    return Spent(
        input_tokens=None if tokens_in is None else int(tokens_in),
        output_tokens=None if tokens_out is None else int(tokens_out),
        cost=cost,
    )


def spent_for(proposal: Proposal) -> Spent:
    """What one proposal took."""
    return spent(proposal.spent)


def added(parts: Iterable[Spent]) -> Spent:
    """The sums of what is known."""
    parts = tuple(parts)
    tokens_in = [one.input_tokens for one in parts if one.input_tokens is not None]
    tokens_out = [one.output_tokens for one in parts if one.output_tokens is not None]
    costs = [one.cost for one in parts if one.cost is not None]
    return Spent(
        input_tokens=sum(tokens_in) if tokens_in else None,
        output_tokens=sum(tokens_out) if tokens_out else None,
        cost=sum(costs) if costs else None,
    )


def spent_text(figures: Spent) -> str:
    """`1,602 tokens in · 105 out · $0.0096`, what isn't known left out."""
    parts = []
    if figures.input_tokens is not None:
        parts.append(f"{figures.input_tokens:,} tokens in")
    if figures.output_tokens is not None:
        parts.append(f"{figures.output_tokens:,} {'' if parts else 'tokens '}out")
    if figures.cost is not None:
        parts.append(f"${figures.cost:.4f}")
    return " · ".join(parts)


def _first(usage: JsonObject, names: Sequence[str]) -> float | None:
    for name in names:
        value = usage.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e15:
            return float(value)
    return None
