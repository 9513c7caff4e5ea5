"""ROUGE-L: how alike two texts are, by their longest common subsequence of stemmed words."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from webbench.core.scoring.metrics.porter import stem

_NOT_IN_TOKENS = re.compile(r"[^a-z0-9]+")


def rouge_tokens(text: str) -> list[str]:
    """Lower-case runs of a-z and 0-9, those above three letters stemmed; other letters separate.

    The tokeniser of Google Research's `rouge_score` with its stemmer on.
    """
    words = _NOT_IN_TOKENS.sub(" ", text.lower()).split()
    return [stem(word) if len(word) > 3 else word for word in words]


def rouge_l(prediction: str, reference: str) -> float:
    """ROUGE-L F-measure in [0, 1], after C.-Y. Lin, "ROUGE" (2004), with stemming.

    F = 2PR / (P + R), with P and R the longest common subsequence over the number of predicted and of
    reference tokens. A text without tokens scores 0.

    The value is that of `rouge_score`, which the tests compare it with. That library isn't called here: given
    these tokens it takes 7 times as long for a sentence and 600 times for 20,000 characters, as its table of
    the longest common subsequence grows with the product of both lengths, and scoring a field 1.3 to 1.6
    times as long; `python -m tests.performance turkingbench_scoring` measures it again.
    """
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
