"""How often the element that was used is among the ten likeliest, and how long a turn takes (table 13)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from statistics import fmean

import msgspec

from webbench.benchmarks.weblinx.candidates.candidates import SHOWN
from webbench.benchmarks.weblinx.ranker.labelled_elements import Labelled, LabelledTurn
from webbench.benchmarks.weblinx.ranker.trained_ranker import learned_from
from webbench.benchmarks.weblinx.relevance.bm25 import bm25
from webbench.benchmarks.weblinx.relevance.encoders import Encoder
from webbench.benchmarks.weblinx.relevance.opened_encoder import opened_encoder
from webbench.core.errors import BadData

BM25, PUBLISHED = "bm25", "published"
IN_DOMAIN = "dev"
OUT_OF_DOMAIN = ("test_vis", "test_geo", "test_cat", "test_web")
TEST_OOD = "test_ood"
LEARNED = "a ranker was trained on it"

Scores = Callable[[LabelledTurn], "Sequence[float] | None"]
"""A turn's elements scored in their order; None where this ranking knows nothing of the turn."""


class Recall(msgspec.Struct, frozen=True, kw_only=True):
    """One ranking on the turns of one split.

    Attributes:
        turns: how many it ranked; 0 where there were none.
        unranked: turns of the split that it knows nothing of.
        at_ten, reciprocal: recall@10 and the mean of 1 / rank, None without turns. Of several elements with
            the score of the one that was used, that one counts as the last.
        milliseconds: mean time of a turn, by the clock of this machine.
    """

    ranking: str
    split: str
    turns: int
    unranked: int
    at_ten: float | None = None
    reciprocal: float | None = None
    milliseconds: float | None = None


def unlearned(found: Labelled, rankings: Sequence[str]) -> Labelled:
    """Without turns of demonstrations that one of the rankings ever learned from: those are counted.

    Args:
        rankings: names, of which folders of trained rankers tell what they learned from.

    Raises `BadData` for a folder that tells it unreadably.
    """
    learned = {name for ranking in rankings for name in learned_from(ranking)}
    turns = [turn for turn in found.turns if turn.demonstration not in learned]
    left_out = found.left_out | {LEARNED: len(found.turns) - len(turns)}
    return msgspec.structs.replace(found, turns=turns, left_out=left_out)


def scores_of(name: str) -> Scores:
    """The ranking of a name. Raises as `opened_encoder`."""
    if name == BM25:
        return lambda turn: bm25(turn.words, [one.words for one in turn.elements])
    if name == PUBLISHED:
        return lambda turn: turn.published or None
    return by_cosine(opened_encoder(name))


def by_cosine(encoder: Encoder) -> Scores:
    """Cosines between the state's vector and each element's."""

    def scored(turn: LabelledTurn) -> Sequence[float]:
        vectors = encoder.vectors([turn.query, *(one.document for one in turn.elements)])
        found: list[float] = (vectors[1:] @ vectors[0]).tolist()
        return found

    return scored


def rank_of_used(turn: LabelledTurn, scores: Sequence[float]) -> int:
    """From 1; the last among equals. Raises `BadData` where a score is no finite number."""
    if not all(map(math.isfinite, scores)):
        raise BadData(
            f"{turn.demonstration}, turn {turn.turn}: an element's score is no finite number",
            "the ranker's weights are damaged, or its training diverged",
        )
    return sum(score >= scores[turn.used] for score in scores)


class _Measured(msgspec.Struct, frozen=True):
    splits: Sequence[str]
    rank: int | None
    milliseconds: float


def recalls(name: str, scores: Scores, turns: Sequence[LabelledTurn]) -> list[Recall]:
    """By split in order of first appearance. The mean of the four splits out of domain follows where all of
    them have turns. The first turn is ranked once more before: what is loaded then is no turn's time.

    Raises `BadData`, naming the ranking, for scores that are no finite numbers.
    """
    measured = []
    if turns:
        scores(turns[0])
    for turn in turns:
        started = time.perf_counter()
        found = scores(turn)
        milliseconds = (time.perf_counter() - started) * 1000
        try:
            rank = None if found is None else rank_of_used(turn, found)
        except BadData as error:
            raise BadData(f"{name}: {error.message}", error.hint) from error
        measured.append(_Measured(turn.splits, rank, milliseconds))
    splits = list(dict.fromkeys(split for one in measured for split in one.splits))
    by_split = {
        split: _recall(name, split, [one for one in measured if split in one.splits]) for split in splits
    }
    return [*by_split.values(), *_out_of_domain(name, by_split)]


def _recall(name: str, split: str, measured: Sequence[_Measured]) -> Recall:
    ranks = [one.rank for one in measured if one.rank is not None]
    if not ranks:
        return Recall(ranking=name, split=split, turns=0, unranked=len(measured))
    return Recall(
        ranking=name,
        split=split,
        turns=len(ranks),
        unranked=len(measured) - len(ranks),
        at_ten=fmean(rank <= SHOWN for rank in ranks),
        reciprocal=fmean(1 / rank for rank in ranks),
        milliseconds=fmean(one.milliseconds for one in measured if one.rank is not None),
    )


def _out_of_domain(name: str, by_split: dict[str, Recall]) -> list[Recall]:
    """As the paper's column TEST_OOD: the mean of its four splits, whatever their sizes."""
    found = [by_split[split] for split in OUT_OF_DOMAIN if split in by_split]
    ten = [one.at_ten for one in found if one.at_ten is not None]
    if len(ten) < len(OUT_OF_DOMAIN):
        return []
    return [
        Recall(
            ranking=name,
            split=TEST_OOD,
            turns=sum(one.turns for one in found),
            unranked=sum(one.unranked for one in found),
            at_ten=fmean(ten),
            reciprocal=fmean(one.reciprocal for one in found if one.reciprocal is not None),
            milliseconds=fmean(one.milliseconds for one in found if one.milliseconds is not None),
        )
    ]
