"""Every step of an episode, ranked by how likely it decided the failure, each with what speaks for it.

A step's signals and its place are summed up by weights (`weights.toml`), and the sums become shares of one
(softmax). Weights for talks of agents were learnt from runs whose decisive step people named, those for
episodes with pages are set by hand; a place counts in talks alone. `python -m tests.performance decisive`
tells how often it is right.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from webbench.core.analysis.decisive.signal import Signal
from webbench.core.analysis.decisive.turn import Turn

SCHEMA_VERSION = 1
ALMOST_NEVER = -4.0
"""Weight of turns in which nobody decides anything: reports, people, turns that say nothing."""


class Weight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a signal or a place adds.

    Attributes:
        hits, made: how often it stood at the decisive step, of how often it was seen, where it was learnt;
            None for one that no labelled episode has.
        buys: by how much the log-likelihood per run falls without it, each question told from the others.
    """

    weight: float
    hits: int | None = None
    made: int | None = None
    buys: float | None = None


class RankedStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step; `share` is how much of the whole it has, which is a guess until a person confirms it."""

    step: int
    agent: str
    share: float
    signals: tuple[Signal, ...] = ()

    @property
    def question(self) -> str:
        """`Did step 7 decide it? It is the first search that leaves out “under $20”.`"""
        why = "; ".join(signal.text for signal in self.signals) or "nothing but its place speaks for it"
        return f"Did step {self.step} decide it? {why[0].upper()}{why[1:]}."


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """All steps but the start, the likeliest first.

    Attributes:
        is_measured: its weights were learnt, and how often they are right is known.
    """

    steps: tuple[RankedStep, ...]
    is_measured: bool

    @property
    def agents(self) -> tuple[str, ...]:
        """Who took the steps, by the likeliest of each: the sum over all would name who speaks most."""
        return tuple(dict.fromkeys(one.agent for one in self.steps))

    def place(self, step: int) -> int | None:
        """Its place from 1, None for a step that isn't ranked."""
        return next((at for at, one in enumerate(self.steps, 1) if one.step == step), None)


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By name of a signal or place."""

    talk: Mapping[str, Weight]
    pages: Mapping[str, Weight]


SHOWN = 3
"""Steps that are asked about at first."""

MEASURED = (
    "Of 21 failed talks that were held back while tuning, the first is right in 29 %, one of three in 62 %."
)
UNMEASURED = "Not measured: nobody has published decisive steps of episodes with pages."


def leading(ranking: Ranking, most: int = SHOWN) -> list[tuple[int, RankedStep]]:
    """The first few with their place."""
    return list(enumerate(ranking.steps[:most], 1))


def how_sure(ranking: Ranking) -> str:
    """What is known of how often such a ranking is right."""
    return MEASURED if ranking.is_measured else UNMEASURED


@cache
def weights() -> Weights:
    """As they are written in `weights.toml`, each with what it buys."""
    data = Path(__file__).with_name("weights.toml").read_bytes()
    return msgspec.convert(tomllib.loads(data.decode()), Weights)


def ranked(
    turns: Sequence[Turn],
    signals: Iterable[Signal],
    *,
    is_talk: bool,
    weight: Callable[[str], float] | None = None,
) -> Ranking:
    """The turns by what speaks for them; what speaks alike is ranked by place.

    Args:
        is_talk: agents talk to each other; only then is anything known of places.
        weight: by name of a signal or place, `weights` where none is given.
    """
    known = weights().talk if is_talk else weights().pages
    weigh = weight or (lambda name: known[name].weight if name in known else 0.0)
    by_step: dict[int, list[Signal]] = {}
    for one in signals:
        by_step.setdefault(one.step, []).append(one)
    sums = {
        turn.step: sum(weigh(name) * value for name, value in features.items())
        if turn.is_own
        else ALMOST_NEVER
        for turn, features in zip(turns, all_features(turns, by_step, is_talk=is_talk), strict=True)
    }
    shares = _softmax(sums)
    found = [
        RankedStep(
            step=turn.step,
            agent=turn.agent,
            share=shares[turn.step],
            signals=tuple(sorted(by_step.get(turn.step, ()), key=lambda one: -weigh(one.kind))),
        )
        for turn in turns
    ]
    found.sort(key=lambda one: (-one.share, one.step))
    return Ranking(steps=tuple(found), is_measured=is_talk)


def all_features(
    turns: Sequence[Turn], signals: Mapping[int, Sequence[Signal]], *, is_talk: bool
) -> list[dict[str, float]]:
    """What each turn is weighed by: its signals, and in a talk its part and place."""
    found = []
    worked = 0
    for turn in turns:
        features: dict[str, float] = {one.kind: one.strength for one in signals.get(turn.step, ())}
        if turn.is_own:
            worked += turn.part == "work"
            if is_talk:
                features |= _place(turn, worked)
        found.append(features)
    return found


def _place(turn: Turn, worked: int) -> dict[str, float]:
    if turn.part != "work":
        return {turn.part: 1.0, "later": math.log(worked + 1)}
    return {"later": math.log(worked + 1)} | ({"second-work": 1.0} if worked == 2 else {})


def _softmax(sums: Mapping[int, float]) -> dict[int, float]:
    top = max(sums.values(), default=0.0)
    raised = {step: math.exp(value - top) for step, value in sums.items()}
    total = sum(raised.values())
    return {step: value / total for step, value in raised.items()}
