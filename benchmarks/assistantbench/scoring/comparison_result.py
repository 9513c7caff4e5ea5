"""What comparing an answer with a gold answer gives: the value at once, its explanation when asked for."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from webbench.core.json_types import Json
from webbench.core.score.score import Check

_KINDS: dict[type, str] = {
    bool: "true or false",
    dict: "a dictionary",
    list: "a list",
    tuple: "a list",
    str: "a text",
}


class Comparison(msgspec.Struct, frozen=True, gc=False):
    """One comparison.

    Attributes:
        value: None where the published formula gives none (two empty lists).
        explain: makes the check of this value for a target ("answer", a dictionary's key).
    """

    value: float | None
    explain: Callable[[str], Check]


def plain(name: str, prediction: Json, gold: Json, why: str, value: float = 0.0) -> Comparison:
    """A comparison whose value one sentence explains."""

    def explain(target: str) -> Check:
        return Check(name=name, target=target, actual=prediction, expected=gold, value=value, why=why)

    return Comparison(value, explain)


def kind_of(value: Json) -> str:
    """What a JSON value is called: "a list", "null"."""
    if value is None:
        return "null"
    return _KINDS.get(type(value), "a number")
