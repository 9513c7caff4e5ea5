"""Ranking a page's elements by how likely they are the target of the next action: by words, by an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, Protocol

from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText
from webbench.benchmarks.weblinx.relevance.bm25 import bm25
from webbench.benchmarks.weblinx.relevance.encoders import MINILM, Encoder
from webbench.benchmarks.weblinx.relevance.opened_encoder import opened_encoder

Name = Literal["bm25", "dense", "none"]


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
    """Cosine between an encoder's vectors of state and element (dense markup ranking)."""

    name = "dense"

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def scores(self, state: StateText, documents: Sequence[CandidateText]) -> list[float]:
        return cosines(self._encoder, state.query, [document.document for document in documents])


def cosines(encoder: Encoder, query: str, documents: Sequence[str]) -> list[float]:
    """Of the angle between the query's vector and each document's."""
    vectors = encoder.vectors([query, *documents])
    return [float(vector @ vectors[0]) for vector in vectors[1:]]


@cache
def _opened(ranker: str) -> Encoder:
    """Opened once, for weights take seconds to be read."""
    return opened_encoder(ranker)


def ranking_named(name: Name, ranker: str = MINILM) -> Ranking | None:
    """None where nothing is to be ranked. Raises as `opened_encoder` where `dense` can't be had.

    Args:
        ranker: the encoder of `dense`: a name, or the folder of a trained one. `minilm` was not trained on
            this data, as the paper's was.
    """
    if name == "none":
        return None
    return DenseRanking(_opened(ranker)) if name == "dense" else LexicalRanking()
