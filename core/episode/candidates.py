"""An agent's candidates as texts of the episode's dialect, and why one is no action."""

from __future__ import annotations

import msgspec

from webbench.core.action.action import Action
from webbench.core.agent import Candidate, Proposal
from webbench.core.dialects.dialect import Dialect, ParseError
from webbench.core.dialects.wording import wording

MOST_CANDIDATES = 20
"""Of one proposal; the rest is left out."""


class WordedCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """One candidate.

    Attributes:
        action: what the text means, None where it means nothing.
        error: why not.
        guard: rule of the guard that it falls under, with what was found: a person has to confirm it.
    """

    text: str
    action: Action | None = None
    reasoning: str = ""
    score: float | None = None
    error: str = ""
    guard: str = ""


def worded_candidates(dialect: Dialect, proposal: Proposal) -> tuple[WordedCandidate, ...]:
    """All candidates of a proposal, the one it wants most first."""
    first = Candidate(text=proposal.text, action=proposal.action, reasoning=proposal.reasoning)
    wanted = _one(dialect, first)
    if proposal.malformed:
        wanted = WordedCandidate(text=proposal.text, reasoning=proposal.reasoning, error=proposal.malformed)
    others = proposal.alternatives[: MOST_CANDIDATES - 1]
    return (wanted, *(_one(dialect, each) for each in others))


def _one(dialect: Dialect, given: Candidate) -> WordedCandidate:
    """`text` wins over `action`; a text that is none of the dialect's stays without one."""
    action, error = given.action, ""
    if given.text or action is None:
        parsed = dialect.parse(given.text)
        action, error = (None, parsed.reason) if isinstance(parsed, ParseError) else (parsed, "")
    text = given.text or (wording(dialect, action) if action is not None else "")
    return WordedCandidate(
        text=text, action=action, reasoning=given.reasoning, score=given.score, error=error
    )
