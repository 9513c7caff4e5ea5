"""The likeliest elements of a turn's page, from whatever ranks them.

Where a file of ranked candidates came with the demonstrations, its scores count. Elsewhere BM25 does, or,
where the extra `ranking` is installed and the setting `ranking` asks for it, a sentence encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText
from webbench.benchmarks.weblinx.candidates.published_rankings import CandidateFiles
from webbench.benchmarks.weblinx.candidates.ranking import Ranking

SHOWN = 10
"""So many candidates are shown: the paper's models get ten."""

Candidates = Callable[[str, int, StateText, Sequence[CandidateText]], "list[tuple[CandidateText, float]]"]
"""Demonstration, turn, state and elements → elements with their scores, best first."""


def no_candidates(*_turn: object) -> list[tuple[CandidateText, float]]:
    """Nothing is ranked."""
    return []


def candidates_by(files: CandidateFiles, ranking: Ranking | None) -> Candidates:
    """By the files where they know the turn, else by the ranking."""

    def ranked(
        demonstration: str, turn: int, state: StateText, texts: Sequence[CandidateText]
    ) -> list[tuple[CandidateText, float]]:
        known = files.scores(demonstration, turn)
        if known:
            return best_first([(text, known[text.uid]) for text in texts if text.uid in known])
        if ranking is None or not texts:
            return []
        return best_first(list(zip(texts, ranking.scores(state, texts), strict=True)))

    return ranked


def best_first(scored: Sequence[tuple[CandidateText, float]]) -> list[tuple[CandidateText, float]]:
    """Among equals, document order."""
    return sorted(scored, key=lambda one: -one[1])
