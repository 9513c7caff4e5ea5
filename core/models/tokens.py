"""How many tokens a text has, about: no tokeniser of any model is needed, or asked for over the network.

A word counts one token for every five characters begun, a run of digits one for every three, any other
sign one; blanks count with the word after them. On English, HTML and accessibility trees this stays within
about a fifth of what common byte-pair tokenisers say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

MOST_OF_COUNT = 1.35
"""Tokens for each that is counted, in ASCII: 1.27 at most in 243 transcripts of talks and of pages, of 500 to
12,000 tokens, by SmolLM2's tokeniser. Its vocabulary of 49,152 is small; larger ones make fewer tokens."""
FRAME = 64
"""Tokens that a server may put around a prompt: its marks of roles, a system prompt of its own."""

_PIECE = re.compile(r"[^\W\d_]{1,5}|\d{1,3}|[^\w\s]|_|\n")


Pieces = Callable[[str], Sequence[tuple[int, int]]]
"""Where each token of a text begins and ends, in characters; `tokeniser_file` has those of a model."""


def about(text: str) -> list[tuple[int, int]]:
    """Tokens as they are counted without a model's tokeniser."""
    return [piece.span() for piece in _PIECE.finditer(text)]


def token_count(text: str, pieces: Pieces = about) -> int:
    """Tokens of the text."""
    return len(pieces(text))


def most_tokens(text: str) -> int:
    """Tokens that a prompt of this text has at most, as far as was measured.

    A byte begins at most one token, so what is not ASCII counts by its bytes in UTF-8.
    """
    plain = text.encode("ascii", "ignore").decode()
    other = len(text.encode("utf-8", "replace")) - len(plain)
    return math.ceil(MOST_OF_COUNT * token_count(plain)) + other + FRAME


def first_tokens(text: str, most: int, pieces: Pieces = about) -> str:
    """The beginning of the text that has at most so many tokens."""
    found = pieces(text)
    if len(found) <= most:
        return text
    return text[: found[most - 1][1]].rstrip() if most > 0 else ""


def without_middle(text: str, most: int, dots: str = "…", pieces: Pieces = about) -> str:
    """Beginning and end of the text with dots between, so that it has at most so many tokens."""
    found = pieces(text)
    if len(found) <= most:
        return text
    kept = max(0, most - token_count(dots, pieces))
    head, tail = kept - kept // 2, kept // 2
    before = text[: found[head - 1][1]] if head else ""
    after = text[found[len(found) - tail][0] :] if tail else ""
    return f"{before}{dots}{after}" if most > 0 else ""


def shared_out(lengths: Sequence[int], most: int) -> list[int]:
    """The lengths cut down to a sum of at most `most`: the longest first, to one common height.

    Source: WebLINX, section 5 and its appendix on strategic truncation. `shared_out([2, 9, 5], 10)` is
    [2, 4, 4]: what is short stays whole as long as something is longer.
    """
    left, waiting = max(0, most), len(lengths)
    height = 0
    for length in sorted(lengths):
        height = left // waiting
        if length > height:
            break
        left, waiting, height = left - length, waiting - 1, length
    return [min(length, height) for length in lengths]


def truncated(texts: Sequence[str], most: int) -> list[str]:
    """The texts with at most so many tokens together: the longest lose their middle first."""
    lengths = shared_out([token_count(text) for text in texts], most)
    return [without_middle(text, length) for text, length in zip(texts, lengths, strict=True)]
