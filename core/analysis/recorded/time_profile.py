"""Where the time, the tokens and the money of an episode went, step by step."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.models.spending import Spent, added, spent
from webbench.core.trajectory import Seconds, Step

PARTS = ("idle", "agent", "environment", "scoring")


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
        spent=added(spent(step.usage) for step in steps),
    )


def seconds_words(seconds: Seconds) -> str:
    """`idle 4.0 s · agent 2.9 s`, parts that took no time left out."""
    told = [(part, getattr(seconds, part)) for part in PARTS]
    return " · ".join(f"{part} {value:.1f} s" for part, value in told if value >= 0.05)
