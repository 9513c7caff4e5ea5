"""Comparing one text with one reference: exact_match and must_include.

Source: WebArena, section 3.2 ("evaluating information-seeking tasks"), and the published evaluator.

Word tokens are those of NLTK's word tokeniser over Punkt's English sentences. The sentence model is the one
that NLTK calls "punkt_tab"; it comes from an installed package, nothing is downloaded. Sentences matter
because only a sentence's last full stop is a token of its own: in "it is 0. and more" the model sees no
sentence end, so "0." is one token.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Protocol

from webbench.benchmarks.webarena.scoring.rules import PAPER, PUBLISHED
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.scoring.metrics.part_of_package import stand_in

_QUOTES = ("'", '"')


def clean_answer(answer: Json) -> str:
    """Without outer blanks and one pair of equal outer quotes, in lower case; blanks inside the quotes stay.

    A lone quote is a pair with itself and becomes "". Raises `BadData` for what is no text.
    """
    text = as_text(answer, "the answer").strip()
    quoted = any(text.startswith(quote) and text.endswith(quote) for quote in _QUOTES)
    return (text[1:-1] if quoted else text).lower()


def normalised(text: Json, rules: str = PUBLISHED) -> str:
    """The form in which a text is compared: cleaned as published, untouched by the paper."""
    return as_text(text, "the text") if rules == PAPER else clean_answer(text)


def exact_match(reference: Json, answer: Json, rules: str = PUBLISHED) -> float:
    """1 where both normalised texts are equal, else 0. Raises `BadData` for what is no text."""
    wanted = as_text(reference, "the reference of exact_match")
    return float(normalised(wanted, rules) == normalised(answer, rules))


def must_include(reference: Json, answer: Json, *, tokenise: bool = False, rules: str = PUBLISHED) -> float:
    """1 where the normalised answer contains the normalised reference, else 0; an empty one is in all.

    Args:
        tokenise: published rules only: a reference of one character has to be a whole word token of the
            answer, so that "0" isn't found in "10".

    Raises `BadData` for what is no text.
    """
    wanted = normalised(as_text(reference, "the reference of must_include"), rules)
    given = normalised(answer, rules)
    if wanted not in given:
        return 0.0
    if token_rule(wanted, tokenise=tokenise, rules=rules):
        return float(has_token(given, wanted))
    return 1.0


def token_rule(normalised_reference: str, *, tokenise: bool, rules: str) -> bool:
    """Whether a reference has to be a whole token."""
    single = len(normalised_reference) == 1 and not normalised_reference.isspace()
    return tokenise and single and rules == PUBLISHED


def as_text(value: Json, what: str) -> str:
    """The text, or `BadData` that names `what` is none."""
    if isinstance(value, str):
        return value
    shown = repr(value)
    raise BadData(f"{what} is no text but {shown if len(shown) <= 60 else shown[:59] + '…'}")


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
    """Sentence and word tokeniser, made at the first use.

    All of NLTK takes 2.3 s of processor time to import, these two modules 0.14 s.
    """
    stand_in("nltk", "nltk.tokenize")
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from punkt.data import english

    parameters = PunktParameters()
    parameters.abbrev_types = set(english.ABBREV_TYPES)
    parameters.collocations = set(english.COLLOCATIONS)
    parameters.sent_starters = set(english.SENT_STARTERS)
    parameters.ortho_context = defaultdict(int, english.ORTHO_CONTEXT)
    return PunktSentenceTokenizer(parameters), NLTKWordTokenizer()
