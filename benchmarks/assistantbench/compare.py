"""One answer against one gold answer: as number, as text or list of texts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webbench.benchmarks.assistantbench.alignment import LISTS_NAME, aligned
from webbench.benchmarks.assistantbench.numbers import closeness, in_digits, plain_number
from webbench.benchmarks.assistantbench.rules import PAPER
from webbench.benchmarks.assistantbench.words import Bag, bag, numbers_agree, word_f1
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.score import Check

NUMBERS_NAME, TEXTS_NAME = "closeness of numbers", "word F1"


def compare_numbers(prediction: Json, gold: Json, rules: str, target: str = "answer") -> Check:
    """`numbers.closeness`; 0 where either is a text that is no number.

    `published` raises `BadData` for what is neither number nor text.
    """
    mine, wanted = _numbers(prediction, gold, rules)
    common: dict[str, Json] = {"name": NUMBERS_NAME, "target": target, "actual": prediction, "expected": gold}
    if mine is None or wanted is None:
        which = "answer" if mine is None else "gold answer"
        why = f"the {which} is no number"
        return Check(normalised=shown(mine), value=0.0, why=why, **common)
    value = closeness(mine, wanted, rules)
    return Check(normalised=shown(mine), value=value, why=_closeness_in_words(mine, wanted, rules), **common)


def _numbers(prediction: Json, gold: Json, rules: str) -> tuple[float | None, float | None]:
    if rules == PAPER:
        return plain_number(prediction), plain_number(gold)
    return _published_number(prediction, "answer"), _published_number(gold, "gold answer")


def _published_number(value: Json, which: str) -> float | None:
    """Its value as Python's float() sees it, None for other text. Raises `BadData` for other types."""
    if type(value) in (float, int):
        return value  # type: ignore[no-any-return]
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
        return f"{pair} have no ratio, and are not equal"
    return f"{pair}: 1 - ln of the ratio of signed values, with 0 as 0.0001"


def compare_texts(
    prediction: Json, gold: Json, rules: str, target: str = "answer", *, swapped: bool = False
) -> Check:
    """Word F1 of two texts, or its mean over the best alignment of two lists of texts.

    A gold text with numbers scores 0 unless one of them is in the answer. What is neither text nor list is
    compared as Python writes it. As published, a list with an item that is no text makes the score 0.

    Args:
        swapped: the numbers of the answer are the ones that have to be found in the gold answer.
    """
    answers, wanted = _texts(prediction, rules), _texts(gold, rules)
    if answers is None or wanted is None:
        why = f"an item of the {'answer' if answers is None else 'gold answer'} is no text"
        return Check(name=LISTS_NAME, target=target, actual=prediction, expected=gold, value=0.0, why=why)
    bags, golds = [bag(text) for text in answers], [bag(text) for text in wanted]
    if not isinstance(prediction, list) and not isinstance(gold, list):
        return _text_check(answers[0], wanted[0], bags[0], golds[0], target, swapped=swapped)
    return aligned(
        answers,
        wanted,
        lambda one, other: _text_check(
            answers[one], wanted[other], bags[one], golds[other], pair_name(one, other), swapped=swapped
        ),
        values=lambda one, other: _likeness(bags[one], golds[other], swapped=swapped),
        rules=rules,
        target=target,
    )


def _texts(value: Json, rules: str) -> Sequence[str] | None:
    """The items of a list, or the one item that anything else is; None where an item is no text."""
    if not isinstance(value, list):
        return [_written(value)]
    if rules == PAPER:
        return [_written(item) for item in value]
    return value if all(isinstance(item, str) for item in value) else None


def _written(value: Json) -> str:
    """As Python writes it. Raises `BadData` for an integer of more digits than Python writes."""
    try:
        return value if isinstance(value, str) else str(value)
    except ValueError as error:
        raise BadData(f"{kind_of(value)} can't be written as text: {error}") from error


def _likeness(answer: Bag, gold: Bag, *, swapped: bool) -> float:
    agree = numbers_agree(answer, gold) if swapped else numbers_agree(gold, answer)
    return word_f1(answer, gold) if agree else 0.0


def _text_check(answer: str, gold: str, mine: Bag, wanted: Bag, target: str, *, swapped: bool) -> Check:
    value = _likeness(mine, wanted, swapped=swapped)
    common = len(mine.words & wanted.words)
    why = f"{common} of {len(mine.words)} words shared with {len(wanted.words)} of the gold answer"
    if common and not value:
        why = "no number of the gold answer is in the answer" if not swapped else "no number is shared"
    return Check(
        name=TEXTS_NAME,
        target=target,
        actual=answer,
        normalised=mine.text,
        expected=gold,
        value=value,
        why=why,
    )


def pair_name(answer: int, gold: int) -> str:
    """ "item 1, gold item 3"."""
    return f"item {answer + 1}, gold item {gold + 1}"


def shown(number: float | None) -> Json:
    """A number as JSON has it; the ones that JSON can't hold as text."""
    return number if number is None or isinstance(number, int) or math.isfinite(number) else str(number)


def kind_of(value: Json) -> str:
    """What a JSON value is called: "a list", "null"."""
    if value is None:
        return "null"
    names = {bool: "true or false", dict: "a dictionary", list: "a list", tuple: "a list", str: "a text"}
    return names.get(type(value), "a number")
