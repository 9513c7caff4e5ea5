"""What a step changed on the page, in lines that a report shows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.analysis.difference_text import SIGNS, difference_rows
from webbench.core.analysis.observation_difference import ObservationDifference
from webbench.core.report.scores import shortened

MOST = 100
"""Nodes of a kind that are named."""
LONGEST = 300


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """Counts in one line, and sign (of `SIGNS`) and text of each change, at most `MOST` of a kind."""

    summary: str
    lines: Sequence[tuple[str, str]]


def page_changes(difference: ObservationDifference) -> Changes | None:
    """None where the page was not recorded on both sides."""
    if not difference.known:
        return None
    counts = (
        (len(difference.added), "added"),
        (len(difference.removed), "removed"),
        (len(difference.changed), "changed"),
        (difference.moved, "moved"),
    )
    told = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    rows = difference_rows(difference)
    lines = [
        line
        for kind, sign in SIGNS.items()
        for line in _listed(sign, [row.line for row in rows if row.kind == kind])
    ]
    return Changes(summary=told or "nothing", lines=lines)


def _listed(sign: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    found = [(sign, shortened(text, LONGEST)) for text in texts[:MOST]]
    more = len(texts) - MOST
    return found if more <= 0 else [*found, (sign, f"… and {more:,} more")]
