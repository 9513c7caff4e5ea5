"""Numbers: how they are read out of text, and how close two of them are.

Paper: "AssistantBench: Can Web Agents Solve Realistic and Time-Consuming Tasks?", section 3.4, after the
order-of-magnitude metric of A. Kalyan et al., "How much coffee was consumed during EMNLP 2019?" (2021).
"""

from __future__ import annotations

import math
import re
import string
from functools import lru_cache

from webbench.benchmarks.assistantbench.scoring.rules import PAPER
from webbench.core.errors import BadData
from webbench.core.json_types import Json

UNITS = ("$", "%", "sqft")
AREA = " square kilometers"
NEARLY_ZERO = 1e-4

_NO_NUMBERS = frozenset(string.ascii_letters) - frozenset("iInNs")
"""First letters that neither inf, nan nor sqft begins with, so that what follows is no number."""
_KEPT_LENGTH = 40
"""Texts up to this length are read once: gold answers and the values of dictionaries come again and again."""
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")


def as_number(value: Json, *, areas: bool = True) -> tuple[Json, bool]:
    """A value with its number in the place of text that holds one, and whether it counts as a number.

    As published: units become blanks, every comma a decimal point. Whatever is neither a text nor an
    integer counts as a number and stays as it is. Raises `BadData` for an integer that no float can hold.

    Args:
        areas: also drop " square kilometers" (not done for the values of dictionaries).
    """
    if type(value) is str:
        if value[:1] in _NO_NUMBERS:
            return value, False
        read = kept_text_number if len(value) <= _KEPT_LENGTH else _text_number
        number = read(value, areas)
        return (value, False) if number is None else (number, True)
    if type(value) is int:
        return _as_float(value), True
    return value, True


def _text_number(text: str, areas: bool) -> float | None:
    return _float(_without_units(text, areas=areas).replace(",", "."))


kept_text_number = lru_cache(maxsize=4096)(_text_number)


def plain_number(value: Json) -> float | None:
    """The finite number that a value is or that its text holds, None for anything else.

    By the paper's sense: a comma before each group of three digits is a thousands separator, any other
    one a decimal point; "nan" and "infinity" are words.
    """
    if isinstance(value, bool):
        return None
    number: float | None
    if isinstance(value, int):
        try:
            number = float(value)
        except OverflowError:
            return None
    elif isinstance(value, float):
        number = value
    elif isinstance(value, str):
        text = _without_units(value, areas=True)
        number = _float(text.replace(",", "" if _GROUPED.fullmatch(text) else "."))
    else:
        return None
    return number if number is not None and math.isfinite(number) else None


def has_thousands(value: Json) -> bool:
    """Whether a text is a number with thousands separators, which the published code misreads."""
    return isinstance(value, str) and bool(_GROUPED.fullmatch(_without_units(value, areas=True)))


def closeness(prediction: float, gold: float, rules: str) -> float:
    """How near two numbers are: 1 - log(larger / smaller), at least 0.

    `published`: the natural logarithm of the ratio of the signed values, 0 taken as 0.0001. Two negative
    numbers may give more than 1 and an infinity gives infinity; two zeros are 1, NaN and unlike signs 0.
    `paper`: the decimal logarithm, so that an order of magnitude earns nothing; in [0, 1]. Without a ratio
    (zero, unlike signs, infinities, NaN) equal numbers are 1 and others 0.

    Raises `BadData` for integers whose ratio no float can hold.
    """
    return _paper_closeness(prediction, gold) if rules == PAPER else _published_closeness(prediction, gold)


def _published_closeness(prediction: float, gold: float) -> float:
    if prediction == 0 and gold == 0:
        return 1.0
    first, second = prediction or NEARLY_ZERO, gold or NEARLY_ZERO
    try:
        ratio = first / second if first > second else second / first
    except OverflowError as error:
        raise BadData(f"the ratio of {in_digits(first)} and {in_digits(second)} is too large") from error
    if ratio == 0:
        return math.inf
    return max(0.0, 1 - math.log(ratio)) if ratio > 0 else 0.0


def _paper_closeness(prediction: float, gold: float) -> float:
    if prediction == gold:
        return 1.0
    same_sign = (prediction > 0 and gold > 0) or (prediction < 0 and gold < 0)
    if not same_sign or math.isinf(prediction) or math.isinf(gold):
        return 0.0
    smaller, larger = sorted((abs(prediction), abs(gold)))
    return max(0.0, 1 - (math.log10(larger) - math.log10(smaller)))


def _without_units(text: str, *, areas: bool) -> str:
    for unit in UNITS:
        text = text.replace(unit, " ")
    text = text.strip()
    return text.replace(AREA, "").strip() if areas else text


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError as error:
        raise BadData(f"{in_digits(number)} is too large for a number") from error


def in_digits(number: float) -> str:
    """A number in at most ten digits; an integer that no float can hold by how many it has."""
    if isinstance(number, int) and number.bit_length() > 1000:
        return f"an integer of about {int(number.bit_length() * math.log10(2)) + 1} digits"
    return f"{number:.10g}"
