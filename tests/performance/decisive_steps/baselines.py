"""What anybody can guess without looking at what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tests.performance.decisive_steps.failure import Failure
from tests.performance.decisive_steps.measure import Guess
from webbench.core.analysis.decisive.turn import Turn

Baseline = Callable[[Failure], Guess]


def baselines(dev: Sequence[Failure]) -> dict[str, Baseline]:
    """By name; the constant positions are those most frequent in the half to tune on."""
    frequent = [step for step, _ in Counter(one.step for one in dev).most_common()]
    return {
        f"always steps {', '.join(map(str, frequent[:5]))}": lambda one: _by_step(one, frequent),
        "the last steps": lambda one: _first_by(one, lambda turn: -turn.step),
        "the longest messages": lambda one: _first_by(one, lambda turn: -len(turn.text)),
        "who speaks most, from the start": lambda one: _of(one, _talker(one)),
        "who speaks first, from the start": lambda one: _of(one, _agents(one)[0]),
    }


def _by_step(failure: Failure, steps: Sequence[int]) -> Guess:
    there = {turn.step: turn.agent for turn in failure.turns}
    kept = tuple(step for step in steps if step in there)
    return Guess(steps=kept, agent=there[kept[0]] if kept else "")


def _first_by(failure: Failure, key: Callable[[Turn], float]) -> Guess:
    ordered = sorted(failure.turns, key=key)
    return Guess(steps=tuple(turn.step for turn in ordered), agent=ordered[0].agent)


def _of(failure: Failure, agent: str) -> Guess:
    """The steps of one agent, in order."""
    return Guess(steps=tuple(turn.step for turn in failure.turns if turn.agent == agent), agent=agent)


def _agents(failure: Failure) -> list[str]:
    """Who spoke, machines and people left out, in order."""
    return [turn.agent for turn in failure.turns if turn.part not in ("person", "report")]


def _talker(failure: Failure) -> str:
    return Counter(_agents(failure)).most_common(1)[0][0]
