"""The section on which steps decided failures: what speaks for them, and how often that is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.core.analysis.decisive.confirmed import Looked, tallies
from webbench.core.analysis.decisive.ranking import how_sure
from webbench.core.analysis.decisive.signal import FOLLOWS
from webbench.core.labels.codebook import Codebook
from webbench.core.statistics.figures import Column, Row, Section, Table

NOTHING = "nothing but its place"
ABOUT = (
    "Failed episodes by what speaks most for the step that rules rank first as the one that decided it. "
    "Each is a question until somebody has read the step: `label suggest` asks it with its evidence. "
    "Attempts that succeeded aren't laid beside here; Compare and reports of episodes do so."
)
NOTE = (
    "Confirmed: the earliest step to which somebody gave a cause is among those ranked first, or the one "
    "that a judge named; rejected: it is another; unanswered: nobody named one. Episodes that nobody "
    "labelled are out."
)


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """A failed episode, by name, with what rules and judges make of it and what people said."""

    name: str
    looked: Looked

    @property
    def speaks(self) -> str:
        """What speaks most for the step that is ranked first."""
        first = self.looked.ranking.steps[0] if self.looked.ranking else None
        return FOLLOWS[first.signals[0].kind] if first is not None and first.signals else NOTHING


def decisive_section(failures: Mapping[str, Sequence[Decided]], codebook: Codebook) -> Section | None:
    """None where nothing failed that could be ranked.

    Args:
        failures: by the letter of their run.
    """
    every = [one for found in failures.values() for one in found]
    if not every:
        return None
    spoken = [why for why in (*FOLLOWS.values(), NOTHING) if any(one.speaks == why for one in every)]
    rows = [
        Row(
            (why, *(sum(one.speaks == why for one in found) for found in failures.values())),
            tuple(one.name for one in every if one.speaks == why),
        )
        for why in spoken
    ]
    rows.sort(key=lambda row: -len(row.episodes))
    sure = dict.fromkeys(how_sure(one.looked.ranking) for one in every if one.looked.ranking)
    told = ", ".join(f"{letter} {len(found)}" for letter, found in failures.items())
    kinds = Table(
        title="What speaks for the step ranked first",
        columns=(Column("it", "text"), *(Column(letter) for letter in failures)),
        rows=tuple(rows),
        note=f"failed episodes: {told}. {' '.join(sure)}",
    )
    measured = _measured([one.looked for one in every], codebook)
    return Section(
        name="decisive",
        title="Which step decided it",
        about=ABOUT,
        figures=(kinds,) if measured is None else (kinds, measured),
    )


def _measured(looked: Sequence[Looked], codebook: Codebook) -> Table | None:
    found = tallies(looked, codebook)
    if not found:
        return None
    return Table(
        title="Decisive steps held against people",
        columns=(
            Column("question", "text"),
            Column("confirmed"),
            Column("rejected"),
            Column("unanswered"),
            Column("precision"),
        ),
        rows=tuple(
            Row((one.name, one.confirmed, one.rejected, one.unanswered, one.precision)) for one in found
        ),
        note=NOTE,
    )
