"""How sure it is where two attempts part: whether stricter and looser readings say the same.

The words of names, values and sentences are compared with shares that are asked for (`similarity`). The
parting is found again with larger and with smaller ones. What no reading moves is sure where every act
is recorded, likely where steps are told in prose or in a chat; what one of them moves is unsure. The shares
of right answers of each class on labelled pairs are in the docs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.analysis.compare.alignment import Alignment, align
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.told_acts import is_sentence

READINGS = {"stricter": 0.15, "looser": -0.15}
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


def sureness(alignment: Alignment, attempts: Sequence[Sequence[Moment]]) -> Sureness:
    """Of the parting of attempts that were aligned without any strictness."""
    here = _parting(alignment)
    moved = [name for name, share in READINGS.items() if _parting(align(attempts, share)) != here]
    if moved:
        return Sureness("unsure", f"a {' and a '.join(moved)} reading of the words parts them elsewhere")
    if any(one.vague for walk in attempts for one in walk):
        return Sureness("likely", "steps are told in general words, which may mean another act")
    if any(is_sentence(one) and not one.reads for walk in attempts for one in walk):
        return Sureness("likely", "steps are told in prose, without a record of their pages")
    if any(one.verb == "say" for walk in attempts for one in walk):
        return Sureness("likely", "what is done is told in lines of a chat")
    return Sureness("sure")


def _parting(alignment: Alignment) -> tuple[int | None, ...] | None:
    """Each one's first step from the parting on, None where they never part."""
    rows = alignment.rows
    first = next((at for at, row in enumerate(rows) if row.apart), None)
    if first is None:
        return None
    return tuple(
        next((row.places[actor] for row in rows[first:] if row.places[actor] is not None), None)
        for actor in range(len(rows[first].places))
    )
