"""What exported records gave to be written, against what the written file gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from webbench.core.exchange.account.balance import Row
from webbench.core.exchange.account.episode_parts import kind_of
from webbench.core.exchange.account.kinds import KINDS, Kind
from webbench.core.exchange.account.tally import Reason, Sort
from webbench.core.store.secrets.outgoing import MOST_ORIGINS

UNCOUNTED = "unexplained: nothing counts what a file of this format holds"
"""An exporter is counted by the format of its name, or by its own `count_written`."""


FOLDERS_STAY = "of the place that it was imported from the name alone leaves this machine"
MANY_ORIGINS = f"of more than {MOST_ORIGINS} files that it came through the last ones and the first are told"
OF_ALL_FORMATS = {
    f"values.origin{'.origin' * (MOST_ORIGINS - 1)}.*": MANY_ORIGINS,
    **{f"values.origin{'.origin' * depth}.from": FOLDERS_STAY for depth in range(MOST_ORIGINS)},
}
"""What comes back as another from any of them, by its name: origins, and origins of origins."""
TREE_AS_TEXT = dict.fromkeys(
    [
        *("trees.box", "trees.interactive", "trees.clickable", "trees.added", "trees.looks"),
        *(
            "trees.offscreen",
            "trees.tag",
            "trees.frame",
            "trees.value",
            "trees.attributes.*",
            "trees.states.*",
        ),
    ],
    "a tree is its text, which has no words for it",
)
"""What a tree in WebArena's text form has not, by its name."""
PAGE_AS_TEXT = dict.fromkeys(
    ["values.pages.tabs", *("values.pages.viewport" + name for name in ("", ".*"))],
    "a page is told by its address, its title and its tree",
)
NAMED_BY_FILE = "a task that its source names nowhere has the name of the file"
PAGE_LEFT = {f"values.pages.{name}": "no field for it" for name in ("url", "title", "tabs", "viewport")}
PICTURE_LEFT = {
    f"values.steps.screenshot_{name}": "no field for screenshots" for name in ("scale", "full_page", "origin")
}
NOT_CARRIED = {
    "values.task.gold": "what an answer is held against stays with us",
    "values.task.data": "what a task's page needs stays with us",
    "values.settings": "settings of a run stay with us",
    "values.header.origin": "the episode that it was forked from is one of this store",
    "values.header.resumed_from": "the episode that it goes on from is one of this store",
    "values.header.caught_up": "the episode that it goes on from is one of this store",
    "values.header.attempt": "which attempt of its run it was is told by the run",
    "values.evidence": "no field for evidence",
}
"""What an export of ours tells of no header and no step, by its name (`own/carried_fields.py`)."""


def kept_besides(format: str) -> dict[str, str]:
    """What an import adds to a record: what its source says besides, in the format's own words."""
    why = "what the format says besides is kept with the record"
    return {f"values.settings.{format}": why, "values.steps.source": why}


class Given:
    """The parts of the records that an exporter was given, and what it said of them.

    Attributes:
        parts: how many, by `episode_parts`.
        reasons: how many of a kind or part were left out, or made, by words.
        names: of all that came back in a file of ours, as its format says it; others may have added to it.
    """

    def __init__(self) -> None:
        self.parts: Counter[str] = Counter()
        self.reasons: Counter[tuple[str, Sort, str]] = Counter()
        self.names: set[str] = set()

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
        self.names |= other.names


class Places(msgspec.Struct, frozen=True):
    """What an exporter says of its format, by kind or part, with the reason.

    Attributes:
        no_place: has no place in it. It holds only where a file has none of them at all, so that it can't
            hide that some were dropped.
        adds: its files may have more of them than the records.
        partly: its files have some of them and no others, by a rule; what can be counted is better told by
            `Source.leave`.
        rewritten: they come back as another, which a round trip tells. Each reason names a part and the field
            of it that is meant, none a whole kind: `actions.enter`, `trees.box`, `values.pages.viewport.*`.
            For `values` the others too have to name each: there is no reason for all of them.
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
    kinds: dict[Kind, _Open] = {kind: _Open() for kind in KINDS}
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
