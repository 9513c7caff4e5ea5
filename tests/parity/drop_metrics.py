"""Exact match and F1 as DROP defines them (D. Dua et al., 2019); AssistantBench's score uses neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from webbench.benchmarks.assistantbench.scoring.compare_answers import compare_texts
from webbench.benchmarks.assistantbench.scoring.rules import PUBLISHED
from webbench.benchmarks.assistantbench.scoring.words import normalise
from webbench.core.errors import BadData
from webbench.core.json_types import Json


class DropMetrics(NamedTuple):
    exact_match: float
    f1: float | None
    """Rounded to two decimals; None for two empty lists."""


def drop_metrics(prediction: Json, gold: Json) -> DropMetrics:
    """1 where both have the same normalised texts in any order, and the aligned word F1.

    Raises `BadData` for anything but texts and lists of texts.
    """
    texts, wanted = _normal_texts(prediction), _normal_texts(gold)
    same = set(texts) == set(wanted) and len(texts) == len(wanted)
    f1 = compare_texts(prediction, gold, PUBLISHED).value
    return DropMetrics(float(same), None if f1 is None else round(f1, 2))


def _normal_texts(value: Json) -> Sequence[str]:
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts):
        raise BadData("DROP's metrics compare texts and lists of texts only")
    return [normalise(text) for text in texts]
