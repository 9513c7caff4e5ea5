"""What exported records gave to be written, against what the written file gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from webbench.core.exchange.account.balance import Row
from webbench.core.exchange.account.episode_parts import kind_of
from webbench.core.exchange.account.kinds import KINDS, Kind
from webbench.core.exchange.account.tally import Reason, Sort

UNCOUNTED = "unexplained: nothing counts what a file of this format holds"
"""An exporter is counted by the format of its name, or by its own `count_written`."""


AS_IMPORTED = "rules, settings and origin are the import's own; for some fields the format has no place"
ORIGIN_LEFT = "what goes out as it came has no word of ours in it: its new origin is the exported file"
TREE_AS_TEXT = "a tree is its text, without boxes, attributes and states that the text has no words for"
END_OF_LAST = "no field for the end: it is the time of the last step"


class Given:
    """The parts of the records that an exporter was given, and what it said of them.

    Attributes:
        parts: how many, by `episode_parts`.
        reasons: how many of a kind or part were left out, or made, by words.
    """

    def __init__(self) -> None:
        self.parts: Counter[str] = Counter()
        self.reasons: Counter[tuple[str, Sort, str]] = Counter()

    def left(self, part: str, why: str, count: int = 1) -> None:
        """So many are in the records and not in the file."""
        self.reasons[part, "left", why] += count

    def made(self, part: str, why: str, count: int = 1) -> None:
        """So many are in the file and not in the records: the task as a message of its own."""
        self.reasons[part, "made", why] += count

    def told(self, part: str) -> int:
        """How many of a part have a reason by its own name; below 0 where more were made."""
        return sum(
            count if sort == "left" else -count
            for (of, sort, _), count in self.reasons.items()
            if of == part and part in self.parts
        )

    def add(self, other: Given) -> None:
        """What another export gave."""
        self.parts.update(other.parts)
        self.reasons.update(other.reasons)


class Places(msgspec.Struct, frozen=True):
    """What an exporter says of its format, by kind or part, with the reason.

    Attributes:
        no_place: has no place in it. It holds only where a file has none of them at all, so that it can't
            hide that some were dropped.
        adds: its files may have more of them than the records.
        partly: its files have some of them and no others, by a rule; what can be counted is better told by
            `Source.leave`.
        rewritten: they are in its files in another form than in the record, so that as many come back and
            not the same: what a round trip says of them.
    """

    no_place: Mapping[str, str] = {}
    adds: Mapping[str, str] = {}
    partly: Mapping[str, str] = {}
    rewritten: Mapping[str, str] = {}


def balance_of_export(
    given: Given, written: Mapping[str, int], places: Places, unread: Mapping[Kind, Mapping[str, int]]
) -> list[Row]:
    """A row a kind: `source` is what the records have, `recorded` what the file gives back.

    Part by part, so that what is short in one is not made up for by another.

    Args:
        written: parts that were read from the file.
        unread: what the file has and its reader could not take, by kind and reason.
    """
    kinds = {kind: _Open() for kind in KINDS}
    for part in dict.fromkeys([*given.parts, *written]):
        kinds[kind_of(part)].take(part, given.parts[part], written.get(part, 0), given.told(part), places)
    for (part, sort, why), count in given.reasons.items():
        kinds[kind_of(part)].explain(sort, why, count)
    return [
        Row(kind=kind, source=one.source, recorded=one.found, reasons=one.closed(unread.get(kind, {})))
        for kind, one in kinds.items()
        if one.source or one.found or one.reasons
    ]


class _Open:
    """What of a kind has no reason yet.

    Attributes:
        short: how many the file lacks; `over`: how many it has more. Below 0: more was explained than is so.
    """

    def __init__(self) -> None:
        self.source = self.found = self.short = self.over = 0
        self.reasons: Counter[tuple[Sort, str]] = Counter()

    def take(self, part: str, source: int, found: int, told: int, places: Places) -> None:
        """A part of the kind; of `told` the exporter gives reasons of its own."""
        self.source += source
        self.found += found
        expected = source - told
        no_place, adds, partly = (
            names.get(part) or names.get(kind_of(part), "")
            for names in (places.no_place, places.adds, places.partly)
        )
        short, over = max(0, source - found), max(0, found - source)
        less = (no_place if not found else "") or partly
        if less and expected > found:
            self.reasons["left", less] += expected - found
            short -= expected - found
        elif adds and found > expected:
            self.reasons["made", adds] += found - expected
            over -= found - expected
        self.short += short
        self.over += over

    def explain(self, sort: Sort, why: str, count: int) -> None:
        """What the exporter said of single ones."""
        self.reasons[sort, why] += count
        if sort == "made":
            self.over -= count
        else:
            self.short -= count

    def closed(self, unread: Mapping[str, int]) -> list[Reason]:
        """All reasons; what is open still is unexplained."""
        for why, count in unread.items():
            took = min(count, self.short)
            if took > 0:
                self.explain("left", f"in the file, and not read back from it: {why}", took)
        both = max(self.short, self.over) if self.short < 0 and self.over < 0 else 0
        short, over = self.short - both, self.over - both  # left out here, made there: it comes out even
        reasons = [
            Reason(sort=sort, why=why, count=count) for (sort, why), count in self.reasons.items() if count
        ]
        for count, why in (
            (short, "{:,} of the records are not in the file"),
            (over, "the file has {:,} more than the records"),
            (-short, "{:,} more are told as left out than the file lacks"),
            (-over, "{:,} more are told as made than the file has"),
        ):
            if count > 0:
                reasons.append(Reason(sort="unexplained", why=why.format(count), count=count))
        return reasons
