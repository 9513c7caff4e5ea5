"""One answer against one gold answer: as number, as text or list of texts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webbench.benchmarks.assistantbench.scoring.alignment import LISTS_NAME, aligned, pair_name
from webbench.benchmarks.assistantbench.scoring.comparison_result import Comparison, kind_of, plain
from webbench.benchmarks.assistantbench.scoring.numbers import closeness, in_digits, plain_number
from webbench.benchmarks.assistantbench.scoring.rules import PAPER
from webbench.benchmarks.assistantbench.scoring.words import Bag, bag, numbers_agree, word_f1
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.score.score import Check

NUMBERS_NAME, TEXTS_NAME = "closeness of numbers", "word F1"


def compare_numbers(prediction: Json, gold: Json, rules: str) -> Comparison:
    """`numbers.closeness`; 0 where either is a text that is no number.

    `published` raises `BadData` for what is neither number nor text.
    """
    mine, wanted = _numbers(prediction, gold, rules)
    if mine is None or wanted is None:
        which = "answer" if mine is None else "gold answer"
        return plain(NUMBERS_NAME, prediction, gold, f"the {which} is no number")
    value = closeness(mine, wanted, rules)

    def explain(target: str) -> Check:
        return Check(
            name=NUMBERS_NAME,
            target=target,
            actual=prediction,
            normalised=_json_number(mine),
            expected=gold,
            value=value,
            why=_closeness_in_words(mine, wanted, rules),
        )

    return Comparison(value, explain)


def _numbers(prediction: Json, gold: Json, rules: str) -> tuple[float | None, float | None]:
    if rules == PAPER:
        return plain_number(prediction), plain_number(gold)
    return _published_number(prediction, "answer"), _published_number(gold, "gold answer")


def _published_number(value: Json, which: str) -> float | None:
    """Its value as Python's float() sees it, None for other text. Raises `BadData` for other types."""
    if type(value) is float or type(value) is int:
        return value
    try:
        return float(value)
    except ValueError:
        return None
    except TypeError as error:
        raise BadData(f"the {which} is {kind_of(value)}, which can't be read as a number") from error


def _closeness_in_words(mine: float, wanted: float, rules: str) -> str:
    pair = f"{in_digits(mine)} against {in_digits(wanted)}"
    if mine == wanted:
        return f"{in_digits(mine)} equals the gold number"
    if mine > 0 < wanted and math.isfinite(mine) and math.isfinite(wanted):
        logarithm = "log10" if rules == PAPER else "ln"
        return f"{pair}: 1 - {logarithm} {max(mine, wanted) / min(mine, wanted):.4g}, at least 0"
    if rules == PAPER:
        same_sign = mine < 0 > wanted and math.isfinite(mine) and math.isfinite(wanted)
        return f"{pair}: 1 - log10 of the ratio" if same_sign else f"{pair} have no ratio, and are not equal"
    return f"{pair}: 1 - ln of the ratio of signed values, with 0 as 0.0001"


def _json_number(number: float) -> Json:
    """A number as JSON has it; the ones that JSON can't hold as text."""
    return number if isinstance(number, int) or math.isfinite(number) else str(number)


def compare_texts(prediction: Json, gold: Json, rules: str, *, swapped: bool = False) -> Comparison:
    """Word F1 of two texts, or its mean over the best alignment of two lists of texts.

    A gold text with numbers scores 0 unless one of them is in the answer. What is neither text nor list is
    compared as Python writes it. As published, a list with an item that is no text makes the score 0.

    Args:
        swapped: the numbers of the answer are the ones that have to be found in the gold answer.
    """
    answers, wanted = _texts(prediction, rules), _texts(gold, rules)
    if answers is None or wanted is None:
        which = "answer" if answers is None else "gold answer"
        return plain(LISTS_NAME, prediction, gold, f"an item of the {which} is no text")
    bags, golds = [bag(text) for text in answers], [bag(text) for text in wanted]
    if not isinstance(prediction, list) and not isinstance(gold, list):
        score = _likeness(bags[0], golds[0], swapped)
        return Comparison(
            score, lambda target: _text_check(answers[0], wanted[0], bags[0], golds[0], score, target)
        )

    def explain(one: int, other: int) -> Check:
        score, target = _likeness(bags[one], golds[other], swapped), pair_name(one, other)
        return _text_check(answers[one], wanted[other], bags[one], golds[other], score, target)

    return aligned(
        answers, wanted, lambda one, other: _likeness(bags[one], golds[other], swapped), explain, rules
    )


def _likeness(mine: Bag, wanted: Bag, swapped: bool) -> float:
    agree = numbers_agree(mine, wanted) if swapped else numbers_agree(wanted, mine)
    return word_f1(mine, wanted) if agree else 0.0


def _texts(value: Json, rules: str) -> Sequence[str] | None:
    """The items of a list, or the one item that anything else is; None where an item is no text."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        return (_written(value),)
    if rules == PAPER:
        return [_written(item) for item in value]
    return value if all(isinstance(item, str) for item in value) else None


def _written(value: Json) -> str:
    """As Python writes it. Raises `BadData` for an integer of more digits than Python writes."""
    try:
        return value if isinstance(value, str) else str(value)
    except ValueError as error:
        raise BadData(f"{kind_of(value)} can't be written as text: {error}") from error


def _text_check(answer: str, gold: str, mine: Bag, wanted: Bag, value: float, target: str) -> Check:
    common = len(mine.words & wanted.words)
    why = f"{common} of {len(mine.words)} words shared with {len(wanted.words)} of the gold answer"
    if common and not value:
        why = "words are shared, but none of the numbers that have to be"
    return Check(
        name=TEXTS_NAME,
        target=target,
        actual=answer,
        normalised=mine.text,
        expected=gold,
        value=value,
        why=why,
    )
