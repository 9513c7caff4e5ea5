"""Word tokens as the published evaluator sees them: NLTK's word tokeniser over Punkt's English sentences.

The sentence model is the one that NLTK calls "punkt_tab"; it comes from an installed package, nothing is
downloaded. Sentences matter because only a sentence's last full stop is a token of its own: in "it is 0.
and more" the model sees no sentence end, so "0." is one token.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Protocol


class _Tokeniser(Protocol):
    def tokenize(self, text: str) -> list[str]: ...


def has_token(text: str, token: str) -> bool:
    """Whether `token` is one of the word tokens; a double quote never is, for NLTK writes it ``."""
    return token in word_tokens(text)


def word_tokens(text: str) -> list[str]:
    """In order; double quotes come out as `` and ''."""
    sentences, words = _tokenisers()
    return [word for sentence in sentences.tokenize(text) for word in words.tokenize(sentence)]


@cache
def _tokenisers() -> tuple[_Tokeniser, _Tokeniser]:
    """Sentence and word tokeniser, made at the first use because NLTK takes a second to import."""
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from punkt.data import english

    parameters = PunktParameters()
    parameters.abbrev_types = set(english.ABBREV_TYPES)
    parameters.collocations = set(english.COLLOCATIONS)
    parameters.sent_starters = set(english.SENT_STARTERS)
    parameters.ortho_context = defaultdict(int, english.ORTHO_CONTEXT)
    return PunktSentenceTokenizer(parameters), NLTKWordTokenizer()
