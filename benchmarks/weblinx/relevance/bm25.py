"""Okapi BM25 over a handful of short texts: which of them shares the rarest words with a query."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

SATURATION = 1.2
"""k1: how soon a word's repetition stops counting."""
LENGTH = 0.75
"""b: how much a long text is held against it."""

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Letters and digits in a row, in lower case; "addToCart" gives its parts, too."""
    parted = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return [word.lower() for word in _WORD.findall(parted)]


def bm25(query: str, documents: Sequence[str]) -> list[float]:
    """One score per document, 0 where it shares no word with the query.

    Robertson, Zaragoza (2009), with the idf that is never negative: ln(1 + (N - n + 0.5) / (n + 0.5)).
    """
    counts = [Counter(words(document)) for document in documents]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    holding = Counter(word for count in counts for word in count)
    weights = {
        word: times * math.log(1 + (len(documents) - holding[word] + 0.5) / (holding[word] + 0.5))
        for word, times in Counter(words(query)).items()
        if word in holding
    }
    return [
        sum(
            weight
            * count[word]
            * (SATURATION + 1)
            / (count[word] + SATURATION * (1 - LENGTH + LENGTH * length / mean))
            for word, weight in weights.items()
            if word in count
        )
        for count, length in zip(counts, lengths, strict=True)
    ]
