"""Comparing one text with one reference: exact_match and must_include.

Source: WebArena, section 3.2 ("evaluating information-seeking tasks"), and the published evaluator.
"""

from __future__ import annotations

from webbench.benchmarks.webarena.rules import PAPER, PUBLISHED
from webbench.benchmarks.webarena.tokens import has_token
from webbench.core.errors import BadData
from webbench.core.json_types import Json

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
