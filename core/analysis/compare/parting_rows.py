"""Which rows of an alignment are a parting, and which only what one attempt needs besides.

Between two rows in which everybody does the same act:

- what only reads, failed, changed nothing, or belongs to the act beside it (`told_acts`), parts nobody;
- acts of one attempt alone are a detour if they leave no trace: a filter, a field, a choice and what saves or
  sends are traces; on the way to an address that anybody can go to from anywhere they don't matter;
- acts of several attempts are a parting, and so is the same act with another effect. One step told in general
  words ("navigate to the right part of the list") stands for what the other does there.

After the last common act every act is a parting; an answer that one record lacks is none. One who sends by a
key what the other sends by a click, or chooses with it what the other clicks on, does the same act.

Once they have parted, the same label may be that of another page. Where several acted, a stretch after it is
a meeting only if its pages are known, or if one of its acts could hardly be done elsewhere: the same words
typed, the same answer, the same address, a name of three words; or if it is four acts long. Where one alone
acted, or all typed into one field, they stand on the same page; only from the page on which they begin does
one alone go to another, where the first click is no meeting.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.constants import CONSTANTS
from webbench.core.analysis.compare.similarity import ABSOLUTE
from webbench.core.analysis.compare.stems import canonical, words_of
from webbench.core.analysis.compare.told_acts import GENERAL, LIST_ROLES, is_search, is_sentence

CHOSEN_ROLES = frozenset({"option", "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
COMMITTING = frozenset(
    words_of(
        "save delete remove clear follow post buy cancel confirm disable enable approve subscribe upvote "
        "downvote"
    )
)
"""Stems on controls that change what lasts."""
SENDING = frozenset(words_of("create add apply update comment order assign invite merge"))
"""Stems on controls that change what lasts once something was typed; before, they only open a form."""

_DESIRED = re.compile(r"\b(?:desired|relevant|correct|matching|appropriate)\b", re.IGNORECASE)
"""Before what stands for whatever is looked for."""


class Row(msgspec.Struct, frozen=True):
    """One row of an alignment.

    Attributes:
        places: per actor the position in its list of moments, None where it has no such step.
        similarity: of the two least alike members; 1 where it has only one.
        agreed: they do the same act with the same effect.
        act: they do the same act, be it with another effect.
        apart: it belongs to a parting. Other rows that aren't `same` are what one of them needs besides.
    """

    places: tuple[int | None, ...]
    similarity: float = 1.0
    agreed: bool = True
    act: bool = False
    apart: bool = False

    @property
    def alone(self) -> bool:
        """Only one actor has this step."""
        return sum(place is not None for place in self.places) == 1

    @property
    def same(self) -> bool:
        """Every actor has it, and they do the same."""
        return None not in self.places and self.agreed


Walks = Sequence[Sequence[Moment]]


def settled(rows: Sequence[Row], walks: Walks) -> tuple[Row, ...]:
    """The rows with `apart` set, and meetings on what may be another page taken back."""
    found: list[Row] = []
    lost, met, since = False, False, 0
    for block, following in _blocks(rows, walks):
        told = _block(block, following, walks)
        first = next((at for at, row in enumerate(told) if row.apart), None)
        if first is not None:
            found += told[:first]
            if lost:
                found[since:], lost = _checked(found[since:], walks)
            acting = _acting(told, walks)
            lost |= len(acting) > 1
            moved = len(acting) == 1 and not lost and not met
            found += told[first:]
            since = len(found)
            if moved and following is not None and _is_elsewhere(following, walks):
                following = _apart(following)
        else:
            found += told
        if following is not None:
            found.append(following)
        met = met or (following is not None and following.same)
    if lost:
        found[since:], _ = _checked(found[since:], walks)
    return tuple(found)


def _is_met(row: Row, walks: Walks) -> bool:
    """Whether it is an act that all do."""
    return row.same and any(_counts(one) for one in _members(row, walks))


def _is_elsewhere(row: Row, walks: Walks) -> bool:
    """Whether it clicks on what may be another page's, after one alone has left the first page."""
    return all(one.verb == "click" and not (one.url or one.shingles) for one in _members(row, walks))


def _acting(rows: Sequence[Row], walks: Walks) -> set[int]:
    """Who does something of their own where they part."""
    return {
        actor
        for row in rows
        if row.apart and not _fills_one_field(row, walks)
        for actor in _actors(row)
        if _counts(walks[actor][row.places[actor] or 0])
    }


def _fills_one_field(row: Row, walks: Walks) -> bool:
    """All type into one field, be it other words."""
    members = _members(row, walks)
    if (
        row.alone
        or any(one.verb != "type" for one in members)
        or len({one.side for one in members} - {""}) > 1
    ):
        return False
    names = [
        said for one in members if one.element is not None and (said := {*words_of(one.element[1])} - GENERAL)
    ]
    return not names or bool(set.intersection(*names))


def _blocks(rows: Sequence[Row], walks: Walks) -> Iterator[tuple[list[Row], Row | None]]:
    """The rows before each act that all have in common, with that act's row; at last those after the last."""
    block: list[Row] = []
    before: Row | None = None
    for row in rows:
        if before is not None and _stands_for(row, before, walks):
            row = msgspec.structs.replace(row, agreed=True, act=True)
        if _is_met(row, walks):
            yield block, row
            block, before = [], row
        else:
            block.append(row)
            if before is not None and _adds(row, walks):
                before = None
    yield block, None


def _stands_for(row: Row, before: Row, walks: Walks) -> bool:
    """Whether, right after a common act, "the desired result" is clicked on where the other names one.

    Or both open in general words what both have searched for.
    """
    if row.act or None in row.places:
        return False
    members = _members(row, walks)
    if any(one.verb != "click" or not _counts(one) for one in members):
        return False
    vague = [one for one in members if one.vague]
    searched = all(one.verb == "type" for one in _members(before, walks))
    return any(_DESIRED.search(one.gist) for one in vague) or (searched and len(vague) == len(members))


def _block(block: Sequence[Row], following: Row | None, walks: Walks) -> list[Row]:
    rows = _sent_alike(_idle_first(block, walks), walks)
    if (at := _in_general_words(rows, walks, following is None)) is not None:
        rows[at] = msgspec.structs.replace(rows[at], agreed=True, act=True)
        return rows
    first = _parting(rows, following, walks)
    if first is None:
        return rows
    while first and _prepares(rows[first - 1], rows[first], walks):
        first -= 1
    while first and rows[first - 1].alone and _sends(rows[first - 1], walks):
        first -= 1
    while first and following is None and rows[first - 1].alone and _gives_up(rows[first - 1], walks):
        first -= 1
    return [*rows[:first], *(row if _is_one_answer(row, walks) else _apart(row) for row in rows[first:])]


def _is_one_answer(row: Row, walks: Walks) -> bool:
    """Answers meet whatever the way to them; those in other words only after the same way."""
    members = _members(row, walks)
    answers = {canonical(one.value) for one in members if one.verb == "stop"}
    return row.same and len(answers) == 1 and "" not in answers and all(one.verb == "stop" for one in members)


def _apart(row: Row) -> Row:
    return msgspec.structs.replace(row, agreed=False, apart=True)


def _members(row: Row, walks: Walks) -> list[Moment]:
    return [walk[place] for walk, place in zip(walks, row.places, strict=True) if place is not None]


def _actors(row: Row) -> list[int]:
    return [actor for actor, place in enumerate(row.places) if place is not None]


def _gives_up(row: Row, walks: Walks) -> bool:
    """It is somebody's answer, where the other goes on."""
    return all(one.verb == "stop" for one in _members(row, walks))


def _is_idle(moment: Moment) -> bool:
    """It does nothing that counts."""
    return moment.reads or moment.effect in ("failed", "unchanged")


def _idle_first(block: Sequence[Row], walks: Walks) -> list[Row]:
    """What somebody does alone and to no effect before anything else stands before what counts."""
    end = next((at for at, row in enumerate(block) if not row.alone), len(block))
    idle: list[Row] = []
    rest: list[Row] = []
    busy: set[int] = set()
    for row in block[:end]:
        (actor,) = _actors(row)
        if actor in busy or not all(map(_is_idle, _members(row, walks))):
            busy.add(actor)
            rest.append(row)
        else:
            idle.append(row)
    return [*idle, *rest, *block[end:]]


def _sent_alike(rows: list[Row], walks: Walks) -> list[Row]:
    """One sends by a key what the other sends, or chooses from what it found, by a click: the same act."""
    if len(walks) != 2 or len(rows) < 2 or any(None not in row.places for row in rows):
        return rows
    sending = next((row for row in rows if _sends(row, walks)), None)
    acting = [row for row in rows if any(map(_counts, _members(row, walks)))]
    if sending is None or len(acting) != 1 or _actors(sending) == _actors(acting[0]):
        return rows
    (actor,) = _actors(acting[0])
    place = acting[0].places[actor] or 0
    if not _chooses_or_sends(walks[actor], place):
        return rows
    merged = msgspec.structs.replace(
        sending,
        places=tuple(
            one if one is not None else other
            for one, other in zip(sending.places, acting[0].places, strict=True)
        ),
        similarity=CONSTANTS.vague,
        agreed=True,
        act=True,
    )
    at = {actor: place for actor, place in enumerate(merged.places) if place is not None}
    before, after = (
        [row for row in rows for actor in _actors(row) if holds(row.places[actor] or 0, at[actor])]
        for holds in (int.__lt__, int.__gt__)
    )
    return [*before, merged, *after]


def _chooses_or_sends(walk: Sequence[Moment], place: int) -> bool:
    """A click right after typing, told in general words or on what saves or sends."""
    before = next((one for one in reversed(walk[:place]) if not one.reads), None)
    moment = walk[place]
    if before is None or before.verb != "type" or moment.verb != "click":
        return False
    named = words_of(moment.element[1]) if moment.element is not None else ()
    return moment.vague or not (COMMITTING | SENDING).isdisjoint(named)


def _in_general_words(rows: Sequence[Row], walks: Walks, at_end: bool) -> int | None:
    """The row in which one attempt's only act of the block is told in general words, beside an act."""
    acting = [at for at, row in enumerate(rows) if _adds(row, walks)]
    if len(acting) != 1 or None in rows[acting[0]].places or rows[acting[0]].act:
        return None
    members = _members(rows[acting[0]], walks)
    if len({one.verb for one in members}) > 1 or any(_opens_list(row, walks) for row in rows[: acting[0]]):
        return None
    if at_end and any(one.part or not is_sentence(one) for one in members):
        return None
    return acting[0] if any(one.vague for one in members) else None


def _opens_list(row: Row, walks: Walks) -> bool:
    """Somebody alone opens a list."""
    (one, *others) = _members(row, walks)
    role = one.element[0] if one.element is not None else ""
    return not others and one.part and one.verb == "click" and role in LIST_ROLES


def _adds(row: Row, walks: Walks) -> bool:
    """Whether somebody does something in it that counts and isn't told once more."""
    return any(
        _counts(walk[place]) and not _again(walk, place)
        for walk, place in zip(walks, row.places, strict=True)
        if place is not None
    )


def _counts(moment: Moment) -> bool:
    return not _is_idle(moment) and not moment.part and moment.verb != "stop"


def _tries(moment: Moment) -> bool:
    return not (moment.reads or moment.part or moment.verb == "stop")


def _parting(rows: Sequence[Row], following: Row | None, walks: Walks) -> int | None:
    """The first row of the block in which they part."""
    differing = [(at, _members(row, walks)) for at, row in enumerate(rows) if not row.same]
    counting = [at for at, members in differing if any(map(_counts, members))]
    unequal = [at for at, row in enumerate(rows) if row.act and not row.agreed and not row.alone]
    if following is None:
        tried = [at for at, members in differing if any(map(_tries, members))]
        if counting and not unequal:
            counting = tried
        answers = [
            at
            for at, row in enumerate(rows)
            if not row.alone and not row.same and any(one.verb == "stop" for one in _members(row, walks))
        ]
        return min([*counting, *unequal, *answers], default=None)
    actors = {
        actor
        for at in counting
        for actor in _actors(rows[at])
        if _counts(walks[actor][rows[at].places[actor] or 0])
    }
    actors |= _others_at_once(rows, counting)
    anywhere = all(one.verb in ABSOLUTE for one in _members(following, walks))
    if len(actors) > 1 and not anywhere:
        return min([*counting, *unequal])
    traced = [
        at
        for at in counting
        if any(_leaves_trace(walks[actor], place, anywhere) for actor, place in enumerate(rows[at].places))
    ]
    return min([*(counting if traced else ()), *unequal], default=None)


def _others_at_once(rows: Sequence[Row], counting: Sequence[int]) -> set[int]:
    """Who does something else beside an act that counts, though it only gets ready for what follows."""
    return {actor for at in counting if not rows[at].alone for actor in _actors(rows[at])}


def _leaves_trace(walk: Sequence[Moment], place: int | None, anywhere: bool) -> bool:
    """Whether what follows is done in another state after this act.

    Args:
        anywhere: what follows can be done from any page: what was typed and not saved is gone.
    """
    if place is None or not _counts(walk[place]):
        return False
    moment = walk[place]
    named = {*words_of(moment.element[1] if moment.element else ""), *words_of(moment.told)}
    filled = any(one.verb in ("type", "check") for one in walk[max(0, place - CONSTANTS.filled) : place])
    if moment.verb in ("click", "submit") and named & (COMMITTING | SENDING if filled else COMMITTING):
        return True
    if anywhere:
        return False
    if is_sentence(moment):
        return not _again(walk, place)
    if moment.verb == "type":
        sent = place + 1 < len(walk) and walk[place + 1].verb == "send"
        return not (sent or is_search(moment))
    before = walk[place - 1] if place else None
    opened = (
        before is not None and before.part and before.element is not None and before.element[0] in LIST_ROLES
    )
    chosen = moment.element is not None and moment.element[0] in CHOSEN_ROLES
    return moment.verb in ("check", "upload", "drag") or (moment.verb == "click" and bool(opened or chosen))


def _again(walk: Sequence[Moment], place: int) -> bool:
    """Whether it only does once more what was done just before."""
    before = next((one for one in reversed(walk[:place]) if not one.reads), None)
    moment = walk[place]
    return before is not None and (before.verb, before.element, before.value) == (
        moment.verb,
        moment.element,
        moment.value,
    )


def _prepares(row: Row, following: Row, walks: Walks) -> bool:
    """Whether a row only gets ready for the act in the next one, and isn't done by all."""
    if row.same or _fills_one_field(following, walks):
        return False
    return all(
        walks[actor][row.places[actor] or 0].part
        and walks[actor][row.places[actor] or 0].verb != "send"
        and following.places[actor] is not None
        for actor in _actors(row)
    )


def _sends(row: Row, walks: Walks) -> bool:
    return all(one.verb == "send" for one in _members(row, walks))


def _checked(stretch: Sequence[Row], walks: Walks) -> tuple[list[Row], bool]:
    """A stretch after a parting, as a meeting or, without a sign of it, as part of the parting.

    And whether the page is still unknown after it.
    """
    met = [row for row in stretch if row.same]
    several = sum(any(map(_counts, _members(row, walks))) for row in met) >= CONSTANTS.telling_stretch
    if not met or several or any(_is_telling(_members(row, walks)) for row in met):
        return list(stretch), not met
    return [_apart(row) for row in stretch], True


def _is_telling(members: Iterable[Moment]) -> bool:
    """Whether these, which do the same, can hardly do it on different pages."""
    all_known = known = True
    for one in members:
        known = known and bool(one.url or one.shingles)
        typed = one.verb == "type" and len(words_of(one.value)) >= CONSTANTS.telling_name
        value = typed or (one.verb in ("stop", *ABSOLUTE) and bool(one.value))
        name = len(words_of(one.element[1])) if one.element is not None else 0
        all_known = all_known and (value or name >= CONSTANTS.telling_name)
    return known or all_known
