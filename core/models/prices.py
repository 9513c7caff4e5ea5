"""What a model costs: the table `prices` of the settings, US dollars per million tokens."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import msgspec

from webbench.core.errors import BadData

_EDITION = re.compile(r"-(\d{4}[\d-]*|latest)$")
_SIGNS = re.compile(r"[^a-z0-9]+")
_SEPARATORS = re.compile(r"[\s,;/]+")


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """US dollars per million tokens; None = not known."""

    input: float | None = None
    output: float | None = None

    def cost(self, prompt_tokens: int | None, completion_tokens: int | None) -> float | None:
        """US dollars, None where a price or a number of tokens isn't known."""
        if self.input is None or self.output is None or prompt_tokens is None or completion_tokens is None:
            return None
        return (prompt_tokens * self.input + completion_tokens * self.output) / 1e6


def price_of(model: str, prices: Mapping[str, str]) -> Price:
    """The price of a model, unknown where the table has none.

    Names are compared without regard to case and signs, because environment variables lose them. The entry of
    a model also holds for its dated editions, "gpt-x" for "gpt-x-2026-03-01" and "gpt-x-latest", and for no
    other model whose name begins alike.

    Raises `BadData` for an entry that isn't two numbers.
    """
    wanted = (_plain(model), _plain(_EDITION.sub("", model)))
    fitting = [name for exact in wanted for name in prices if _plain(name) == exact]
    if not fitting:
        return Price()
    name = fitting[0]
    try:
        given = [float(word) for word in _SEPARATORS.split(prices[name].strip())]
    except ValueError:
        given = []
    if len(given) != 2 or not all(math.isfinite(price) and price >= 0 for price in given):
        raise BadData(
            f'prices.{name} = "{prices[name]}" is no price',
            'write US dollars per million tokens in and out: "2.50 10.00"',
        )
    return Price(input=given[0], output=given[1])


def _plain(name: str) -> str:
    return _SIGNS.sub("-", name.lower())
