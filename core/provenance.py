"""Who thought of a step and who decided on it, where an agent had a say."""

from __future__ import annotations

from typing import Literal

import msgspec

from webbench.core.text.plural import counted

Decision = Literal[
    "alone", "accepted", "picked", "edited", "replaced", "took over", "rejected", "paused", "refused"
]
"""What became of an agent's proposal.

alone: the agent's own step, nobody was asked.
accepted: a person agreed to the candidate it wanted most.
picked: a person chose another of its candidates.
edited: a person changed a candidate.
replaced: a person did something else than what was proposed.
took over: a person acted while the agent was going on by itself, and paused it.
rejected: a person said no; a note in the record, nothing was done.
paused: a person stopped the agent; a note in the record.
refused: the guard forbade it, and nobody was there to confirm it; nothing was done.
"""

BY_PERSON: frozenset[Decision] = frozenset(
    ("accepted", "picked", "edited", "replaced", "took over", "rejected", "paused")
)
INTERVENTIONS: frozenset[Decision] = BY_PERSON - {"accepted"}
"""Decisions by which a person changed the agent's course."""


class Provenance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a step came about.

    Attributes:
        proposed_by: name of the agent.
        decision: what became of its proposal.
        candidates: texts of all it proposed, the one it wanted most first; empty where there was but one.
        candidate: which of these was carried out, changed or rejected, from 0.
        edit_distance: words that an edit or a replacement changed (see `core.edits`).
        edit_share: these as a share of the longer one's words, from 0 (same) to 1 (nothing left).
        asked: why a person was asked before, such as "submits"; "" where a person asked for the proposal.
        guard: rule of the guard that the step fell under and why, such as 'purchase (button "Pay")'; "" where
            under none. Unless it was refused, a person confirmed it.
        reason: why a person rejected it.
        deciding: seconds from the proposal to the decision.
    """

    proposed_by: str
    decision: Decision
    candidates: tuple[str, ...] = ()
    candidate: int = 0
    edit_distance: int | None = None
    edit_share: float | None = None
    asked: str = ""
    guard: str = ""
    reason: str = ""
    deciding: float = 0.0


_TOLD: dict[Decision, str] = {
    "alone": "by {agent} alone",
    "accepted": "proposed by {agent}, accepted by a person",
    "picked": "proposed by {agent}, candidate {candidate} of {candidates} picked by a person",
    "edited": "proposed by {agent}, edited by a person",
    "replaced": "proposed otherwise by {agent}, replaced by a person",
    "took over": "a person took over from {agent}",
    "rejected": "proposed by {agent}, rejected by a person",
    "paused": "a person paused {agent}",
    "refused": "proposed by {agent}, refused by the guard",
}


def provenance_words(how: Provenance | None) -> str:
    """How a step came about, in one line; "" where no agent had a say."""
    if how is None:
        return ""
    told = _TOLD[how.decision].format(
        agent=how.proposed_by or "the agent", candidate=how.candidate + 1, candidates=len(how.candidates)
    )
    words = "" if how.edit_distance is None else f"{counted(how.edit_distance, 'word')} changed"
    confirmed = "" if how.decision == "refused" or not how.guard else "confirmed for the guard"
    more = (
        words,
        f"asked because: {how.asked}" if how.asked and not how.asked.startswith("guard") else "",
        " ".join(part for part in (confirmed, how.guard) if part),
        f"decided in {how.deciding:.1f} s" if how.deciding >= 0.05 else "",
    )
    return "; ".join([told, *(part for part in more if part)])
