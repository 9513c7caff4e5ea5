"""Where attempts part and meet again, and how long each attempt took for every phase.

- *first divergence*: the first row in which not everybody does the same;
- *reconvergence*: the next row, after one in which they differed, in which everybody does the same again;
- *detour*: steps of one actor alone between two rows that are the same, or before the first of them;
- *sureness*: whether stricter and looser readings of the words find the same parting. What none moves is
  sure where every act is recorded, likely where steps are told in prose or in a chat; else it is unsure, and
  so it is where the steps that part are told in general words;
- *phase*: consecutive rows that are all the same for everybody, or all not;
- *unequal effect*: the same action had an effect for one and none for another (`UnequalEffect`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Literal

import msgspec

from webbench.core.analysis.compare.alignment import Alignment, alignments
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.constants import CONSTANTS
from webbench.core.analysis.compare.parting_rows import Row
from webbench.core.analysis.compare.told_acts import is_sentence
from webbench.core.analysis.compare.wasted_steps import Stretch, circles, wasted


class Detour(msgspec.Struct, frozen=True):
    """Rows `first` to `last` of an alignment that only `actor` has, up to a row that is the same for all."""

    actor: int
    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


class UnequalEffect(msgspec.Struct, frozen=True):
    """A row in which the same action had an effect for `with_effect` (actors) and none for `without`.

    An action has an effect where the page is another one after it; it has none where it could not be done, or
    where the page's tree is as it was. Where the record doesn't tell what became of the page, an action that
    was carried out counts as one with an effect only beside one that could not be.
    """

    row: int
    with_effect: tuple[int, ...]
    without: tuple[int, ...]


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """Rows `first` to `last` (both included).

    Attributes:
        kind: "together" where every row is the same for all, else "apart".
        steps: number of steps per actor; one that tells several acts counts where the first of them stands.
        seconds: how long they took per actor, None for an attempt without any recorded time.
    """

    kind: Literal["together", "apart"]
    first: int
    last: int
    steps: tuple[int, ...]
    seconds: tuple[float | None, ...]


class Divergence(msgspec.Struct, frozen=True, kw_only=True):
    """What two or more attempts, side by side, come to; rows are numbered from 0.

    Attributes:
        first: row of the first divergence, None where there is none.
        parted: per actor the place of its first act from there on, None where it has none left.
        reconvergences: rows in which everybody does the same again.
        detours: in the order of rows.
        stretches: per actor what went in circles or could not be done.
        wasted: per actor the positions that a loop or an invalid action cost.
        unequal: rows in which the same action did not have the same effect for all.
    """

    first: int | None
    parted: tuple[int | None, ...]
    reconvergences: tuple[int, ...]
    detours: tuple[Detour, ...]
    stretches: tuple[tuple[Stretch, ...], ...]
    wasted: tuple[tuple[int, ...], ...]
    unequal: tuple[UnequalEffect, ...] = ()


def diverge(alignment: Alignment, attempts: Sequence[Sequence[Moment]]) -> Divergence:
    """What the rows of an alignment tell; `attempts` are the ones that were aligned."""
    rows = alignment.rows
    stretches = tuple(circles(attempt) for attempt in attempts)
    return Divergence(
        first=next((at for at, row in enumerate(rows) if row.apart), None),
        parted=_parting(alignment, attempts) or (),
        reconvergences=tuple(at for at, row in enumerate(rows) if at and row.same and rows[at - 1].apart),
        detours=_detours(rows, attempts),
        stretches=stretches,
        wasted=tuple(wasted(found) for found in stretches),
        unequal=unequal_effects(rows, attempts),
    )


def phases(
    rows: Sequence[Row], seconds: Sequence[Sequence[float]], steps: Sequence[Sequence[int]]
) -> tuple[Phase, ...]:
    """In the order of rows.

    Args:
        seconds, steps: of each actor's moments, how long each took, and the index of the step it is of.
    """
    begins = [[at == 0 or indices[at - 1] != index for at, index in enumerate(indices)] for indices in steps]
    timed = [any(actor) for actor in seconds]
    found = []
    for same, stretch in groupby(range(len(rows)), key=lambda at: rows[at].same):
        numbers = list(stretch)
        places = [[rows[at].places[actor] for at in numbers] for actor in range(len(seconds))]
        taken = [[place for place in one if place is not None] for one in places]
        found.append(
            Phase(
                kind="together" if same else "apart",
                first=numbers[0],
                last=numbers[-1],
                steps=tuple(sum(begins[actor][place] for place in one) for actor, one in enumerate(taken)),
                seconds=tuple(
                    sum(seconds[actor][place] for place in one) if timed[actor] else None
                    for actor, one in enumerate(taken)
                ),
            )
        )
    return tuple(found)


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


def _detours(rows: Sequence[Row], attempts: Sequence[Sequence[Moment]]) -> tuple[Detour, ...]:
    """Runs of rows of one actor alone that are no parting, before an act that all do."""
    last = max((at for at, row in enumerate(rows) if row.act and None not in row.places), default=-1)
    found: list[Detour] = []
    for at, row in enumerate(rows[: last + 1]):
        actor = _alone(row)
        if actor is None or row.apart or attempts[actor][row.places[actor] or 0].part:
            continue
        if found and found[-1].actor == actor and found[-1].last == at - 1:
            found[-1] = Detour(actor, found[-1].first, at)
        else:
            found.append(Detour(actor, at, at))
    return tuple(found)


def _alone(row: Row) -> int | None:
    return next(at for at, place in enumerate(row.places) if place is not None) if row.alone else None


READINGS = {"stricter": CONSTANTS.strictness, "looser": -CONSTANTS.strictness}
"""What is added to the shares of words that are asked for."""

Level = Literal["sure", "likely", "unsure"]


class Sureness(msgspec.Struct, frozen=True):
    """How far the parting can be relied on.

    Attributes:
        why: what makes it less than sure, "" where it is sure.
    """

    level: Level
    why: str = ""

    @property
    def words(self) -> str:
        """Such as "unsure: a stricter reading parts them elsewhere"."""
        return f"{self.level}: {self.why}" if self.why else self.level


def surely_aligned(attempts: Sequence[Sequence[Moment]]) -> tuple[Alignment, Sureness]:
    """An alignment, and how far its parting can be relied on."""
    alignment, *others = alignments(attempts, (0.0, *READINGS.values()))
    return alignment, _sureness(alignment, dict(zip(READINGS, others, strict=True)), attempts)


def _sureness(
    alignment: Alignment, others: Mapping[str, Alignment], attempts: Sequence[Sequence[Moment]]
) -> Sureness:
    here = _parting(alignment, attempts)
    moved = [name for name, other in others.items() if _parting(other, attempts) != here]
    if moved:
        return Sureness("unsure", f"a {' and a '.join(moved)} reading of the words parts them elsewhere")
    if any(one.vague for one in _where_they_part(alignment, attempts)):
        return Sureness("unsure", "where they part, a step is told in general words")
    if any(one.vague for walk in attempts for one in walk):
        return Sureness("likely", "steps are told in general words, which may mean another act")
    if any(is_sentence(one) and not one.reads for walk in attempts for one in walk):
        return Sureness("likely", "steps are told in prose, without a record of their pages")
    if any(one.verb == "say" for walk in attempts for one in walk):
        return Sureness("likely", "what is done is told in lines of a chat")
    return Sureness("sure")


def _where_they_part(alignment: Alignment, attempts: Sequence[Sequence[Moment]]) -> list[Moment]:
    """Each one's first act from the parting on."""
    places = _parting(alignment, attempts) or ()
    return [walk[place] for walk, place in zip(attempts, places, strict=False) if place is not None]


def _parting(alignment: Alignment, attempts: Sequence[Sequence[Moment]]) -> tuple[int | None, ...] | None:
    """Each one's first act from the parting on, where it has none its first step; None if they never part."""
    rows = alignment.rows
    first = next((at for at, row in enumerate(rows) if row.apart), None)
    return None if first is None else tuple(_next_act(rows[first:], *one) for one in enumerate(attempts))


def _next_act(rows: Sequence[Row], actor: int, attempt: Sequence[Moment]) -> int | None:
    places = [place for row in rows if (place := row.places[actor]) is not None]
    return next((place for place in places if not attempt[place].reads), places[0] if places else None)
