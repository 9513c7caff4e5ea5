"""Losses: what can't be carried over from one form into another, told at once, not found out later."""

from __future__ import annotations

from typing import ClassVar

FURTHER = "further losses, which are not told one by one"


class Losses:
    """What an import or an export came to tells of losses by this.

    Attributes:
        most_lost: different lines that are kept; `FURTHER` counts all others.
        lost: what one side holds and the other doesn't, one line each.
        again: how often a line of `lost` came once more.
    """

    __slots__ = ()

    most_lost: ClassVar[int]
    lost: list[str]
    again: dict[str, int]

    def lose(self, what: str, times: int = 1) -> None:
        """Tell of a loss that came so often; the same again is only counted."""
        if what not in self.lost and len(self.lost) >= self.most_lost:
            what = FURTHER
        if what in self.lost:
            self.again[what] = self.again.get(what, 0) + times
            return
        self.lost.append(what)
        if times > 1:
            self.again[what] = times - 1
