"""Causes of missing scores, grouped: reasons that differ only in numbers, names and addresses are one."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from webbench.core.runner.run_log import Ended
from webbench.core.score.score import Status

_PARTICULARS = (
    (re.compile(r"\b(?:https?|wss?|file)://\S+"), "<address>"),
    (re.compile(r'"[^"]{0,500}"|“[^”]{0,500}”'), "<text>"),
    (re.compile(r"(?<![\w<])/(?:[\w.@+-]+/)+[\w.@+-]*"), "<path>"),
    (re.compile(r"\b[0-9a-f]{8,}\b"), "<id>"),
    (re.compile(r"\d+(?:[.,:]\d+)*"), "<n>"),
)
_LONGEST = 300


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Episodes that have no score for the same reason.

    Attributes:
        cause: the reason without its particulars.
        status: not scored, error, or pending.
        count: how many there are.
        example: the reason of the last of them, as it was given.
        orders: their places in the run; episodes: their records, those that have one.
    """

    cause: str
    status: Status
    count: int
    example: str
    orders: tuple[int, ...] = ()
    episodes: tuple[str, ...] = ()


def causes(ended: Iterable[Ended]) -> tuple[Cause, ...]:
    """Of what has no score, the most frequent first."""
    groups: dict[tuple[str, Status], list[Ended]] = {}
    for one in ended:
        if one.status is not Status.SCORED:
            groups.setdefault((cause_of(one.reason or one.status.value), one.status), []).append(one)
    found = [
        Cause(
            cause=cause,
            status=status,
            count=len(those),
            example=those[-1].reason,
            orders=tuple(one.order for one in those),
            episodes=tuple(one.episode for one in those if one.episode),
        )
        for (cause, status), those in groups.items()
    ]
    return tuple(sorted(found, key=lambda one: -one.count))


def cause_of(reason: str) -> str:
    """The reason without what differs from episode to episode."""
    cause = reason[:_LONGEST]
    for pattern, instead in _PARTICULARS:
        cause = pattern.sub(instead, cause)
    return cause
