"""Recall@10 of WebLINX' candidate elements: upstream's trained ranker, BM25, and the packaged MiniLM.

Over the turns of the shared file of candidates whose element the human used is among them. Elements with the
same score as it count against it, as nothing says which of them comes first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from tests.shared import MISSING, shared_folder
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText
from webbench.benchmarks.weblinx.candidates.ranking import cosines
from webbench.benchmarks.weblinx.ranker.labelled_elements import said_in
from webbench.benchmarks.weblinx.relevance.bm25 import bm25
from webbench.benchmarks.weblinx.relevance.encoders import MINILM
from webbench.benchmarks.weblinx.relevance.opened_encoder import opened_encoder
from webbench.benchmarks.weblinx.turns.files import json_lines
from webbench.core.errors import UsageError

FILE = "data/weblinx/candidates_unittest.jsonl"
AT = 10
LEAST_LEXICAL = 0.4
"""Of 1; upstream's trained ranker has 0.6 on the ten turns of the file."""


class Element(msgspec.Struct, frozen=True):
    text: CandidateText
    label: int
    score: float


class Turn(msgspec.Struct, frozen=True):
    """Elements of one turn, and its state as the file has it."""

    query: str
    elements: list[Element]

    @property
    def words(self) -> str:
        """The utterances of the query."""
        return said_in(self.query)


Scores = Callable[[Turn], Sequence[float]]


def main() -> list[str]:
    """The figures that were missed."""
    folder = shared_folder()
    if folder is None or not (folder / FILE).is_file():
        print(f"not measured: {MISSING}")
        return []
    file = folder / FILE
    turns = turns_of(file)
    print(f"{len(turns)} turns, {sum(len(turn.elements) for turn in turns):,} candidates")
    told("upstream's scores", turns, lambda turn: [element.score for element in turn.elements])
    lexical = told("BM25", turns, lambda turn: bm25(turn.words, [one.text.words for one in turn.elements]))
    try:
        encoder = opened_encoder(MINILM)
    except UsageError as missing:
        print(f"MiniLM: not measured: {missing}")
    else:
        told(
            "MiniLM, texts as the paper has them",
            turns,
            lambda turn: cosines(encoder, turn.query, [one.text.document for one in turn.elements]),
        )
        told(
            "MiniLM, words alone",
            turns,
            lambda turn: cosines(encoder, turn.words, [one.text.words for one in turn.elements]),
        )
    return [] if lexical >= LEAST_LEXICAL else [f"recall@{AT} of BM25 is {lexical:.2f}, not {LEAST_LEXICAL}"]


def turns_of(file: Path) -> list[Turn]:
    """Those with the element that the human used."""
    found: dict[tuple[str, int], Turn] = {}
    for _, line in json_lines(file):
        place = line["demo_name"], line["turn_index"]
        turn = found.setdefault(place, Turn(line["query"], []))
        text = CandidateText(line["uid"], **line["elem_dict"])
        turn.elements.append(Element(text, line["label"], line["score"]))
    return [turn for turn in found.values() if any(element.label for element in turn.elements)]


def told(name: str, turns: Sequence[Turn], scores: Scores) -> float:
    """Print recall and mean reciprocal rank; gives the recall."""
    started = time.perf_counter()
    ranks = [rank(turn, scores(turn)) for turn in turns]
    milliseconds = (time.perf_counter() - started) * 1000 / len(turns)
    recall = sum(place <= AT for place in ranks) / len(ranks)
    reciprocal = sum(1 / place for place in ranks) / len(ranks)
    print(f"{name:36} recall@{AT} {recall:.2f}  MRR {reciprocal:.3f}  {milliseconds:8.1f} ms per turn")
    return recall


def rank(turn: Turn, scores: Sequence[float]) -> int:
    """The place of the element that was used, from 1; the last among equals."""
    used = next(place for place, element in enumerate(turn.elements) if element.label)
    return sum(score >= scores[used] for score in scores)


if __name__ == "__main__":
    main()
