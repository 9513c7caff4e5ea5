"""ROUGE-L: how alike two texts are, by their longest common subsequence of stemmed words.

Google Research's `rouge_score` computes it from our tokens. Its own stemmer takes four fifths of its time and
comes with all of NLTK, whose import takes 2.6 s of processor time. Its table of the longest common
subsequence grows with the product of both lengths, so long texts are left to `quick_rouge_l`, which tests
compare with the library to the last digit. `python -m tests.performance turkingbench_scoring` measures it.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Hashable, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any

from webbench.core.scoring.metrics.porter import stem

LARGEST_PRODUCT = 500_000
"""Characters of a text times those of all that it is compared with. For so many the library takes 2 ms where
words have the usual length, and 20 ms where they have one letter.
"""
_SELDOM_NEEDED = ("nltk", "rouge_score.tokenizers")
"""What the library imports for other measures than ours and for its own tokenizer."""
_NOT_IN_TOKENS = re.compile(r"[^a-z0-9]+")


def rouge_tokens(text: str) -> list[str]:
    """Lower-case runs of a-z and 0-9, those above three letters stemmed; other letters separate.

    The tokens of `rouge_score`'s own tokenizer with its stemmer on.
    """
    words = _NOT_IN_TOKENS.sub(" ", text.lower()).split()
    return [stem(word) if len(word) > 3 else word for word in words]


def rouge_l(prediction: str, references: Sequence[str]) -> list[float]:
    """ROUGE-L F-measure in [0, 1] with each reference, after C.-Y. Lin, "ROUGE" (2004), with stemming.

    F = 2PR / (P + R), with P and R the longest common subsequence over the number of predicted and of
    reference tokens. A text without tokens scores 0; for an empty one the library isn't imported.
    """
    if not prediction or not any(references):
        return [0.0] * len(references)
    if len(prediction) * sum(map(len, references)) > LARGEST_PRODUCT:
        return [quick_rouge_l(prediction, reference) for reference in references]
    scorer = rouge_scorer()
    return [float(scorer.score(reference, prediction)["rougeL"].fmeasure) for reference in references]


@cache
def rouge_scorer() -> Any:
    """The library's scorer; the first call imports it, which takes a quarter of a second.

    NLTK stands in `sys.modules` then, and is loaded by the first who uses anything of it.
    """
    later = _ImportedLater()
    # A new list each time: another thread's import that walks through the old one would skip a finder.
    sys.meta_path = [later, *sys.meta_path]
    try:
        from rouge_score.rouge_scorer import RougeScorer
    finally:
        sys.meta_path = [one for one in sys.meta_path if one is not later]
    return RougeScorer(["rougeL"], tokenizer=_Tokenizer())


@cache
def import_in_background() -> None:
    """Once in a process: whoever scores a text later doesn't wait for the library."""
    threading.Thread(target=rouge_scorer, daemon=True).start()


class _Tokenizer:
    """Our tokens, in the shape that the library asks for."""

    def tokenize(self, text: str) -> list[str]:
        return rouge_tokens(text)


class _ImportedLater(MetaPathFinder):
    """Finds what is seldom needed, and has it loaded when it is used."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """None, so that others look for it, for all but those few."""
        spec = PathFinder.find_spec(fullname, path, target) if fullname in _SELDOM_NEEDED else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def quick_rouge_l(prediction: str, reference: str) -> float:
    """The same value for texts of any length: four times as fast for 10 words, 70 times for 320."""
    predicted, wanted = rouge_tokens(prediction), rouge_tokens(reference)
    common = longest_common_subsequence(predicted, wanted)
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def longest_common_subsequence(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Its length, by bit-parallel dynamic programming.

    H. Hyyrö, "Bit-parallel LCS-length computation revisited", 2004: one addition per item of `second`.
    """
    places: dict[Hashable, int] = {}
    for position, item in enumerate(first):
        places[item] = places.get(item, 0) | 1 << position
    full = (1 << len(first)) - 1
    row = full
    for item in second:
        matches = row & places.get(item, 0)
        row = ((row + matches) | (row - matches)) & full
    return len(first) - row.bit_count()
