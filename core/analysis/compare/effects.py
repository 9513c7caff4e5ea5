"""The same action, done by several: where it had an effect for one and none for another.

An action has an effect where the page is another one after it; it has none where it could not be done, or
where the page's tree is as it was. Where the record doesn't tell what became of the page, an action that was
carried out counts as one with an effect only beside one that could not be.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.partings import Row


class UnequalEffect(msgspec.Struct, frozen=True):
    """A row in which the same action had an effect for `with_effect` (actors) and none for `without`."""

    row: int
    with_effect: tuple[int, ...]
    without: tuple[int, ...]


def unequal_effects(rows: Sequence[Row], attempts: Sequence[Sequence[Moment]]) -> tuple[UnequalEffect, ...]:
    """In the order of rows; where a row's members don't all do the same, one for each action in it."""
    found = []
    for at, row in enumerate(rows):
        groups: dict[object, list[tuple[int, Moment]]] = {}
        for actor, place in enumerate(row.places):
            if place is not None and attempts[actor][place].verb:
                moment = attempts[actor][place]
                groups.setdefault(row.same or row.act or _action(moment), []).append((actor, moment))
        found += [one for group in groups.values() if (one := _unequal(at, group)) is not None]
    return tuple(found)


def _action(moment: Moment) -> tuple[str, object, str]:
    return moment.verb, moment.element or moment.selector, moment.value


def _unequal(row: int, group: Sequence[tuple[int, Moment]]) -> UnequalEffect | None:
    without = tuple(actor for actor, moment in group if moment.effect in ("failed", "unchanged"))
    some_failed = any(moment.effect == "failed" for _, moment in group)
    done = ("changed", "") if some_failed else ("changed",)
    with_effect = tuple(actor for actor, moment in group if moment.effect in done)
    return UnequalEffect(row, with_effect, without) if with_effect and without else None
