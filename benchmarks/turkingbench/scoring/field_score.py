"""One field against the answers of all workers: the published rules and those of the paper.

The two differ in two clauses. Checkboxes: the paper takes intersection over union with the best
worker, the published code whether some worker ticked exactly the same. Ranges: the paper divides the
mean distance by the largest gold value, the code by the larger of gold and answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from webbench.benchmarks.turkingbench.scoring.gold import Label, is_blank
from webbench.benchmarks.turkingbench.scoring.normalise import canonical_text, free_text, normalised_answer
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.scoring.metrics.number import mean_distance
from webbench.core.scoring.metrics.rouge import rouge_l
from webbench.core.scoring.metrics.sets import intersection_over_union, majority, votes

PUBLISHED, PAPER = "published", "paper"
RULE_SETS = (PUBLISHED, PAPER)
WRITTEN = ("text", "textarea", "hidden")
CHOSEN = ("radio", "select")
CHECKBOX_CLAUSE = "checkbox: published = all options equal to some worker's; paper = intersection over union"
RANGE_CLAUSE = "range: published = always 1 in an instance; paper = 1 - mean distance / largest gold value"
_SHOWN = 60


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule says about one field.

    Attributes:
        metric: name of the rule.
        normalised: the answer as it was compared.
        value: at most 1, usually at least 0; NaN where a blank gold value makes it undefined; None
            where the rule is not defined for these labels.
        why: one sentence.
    """

    metric: str
    normalised: Json
    value: float | None
    why: str


def field_verdict(labels: Sequence[Label], kind: str, prediction: Json, rules: str = PUBLISHED) -> Verdict:
    """Score one answer.

    Args:
        labels: of all workers, in row order; blanks as `gold.blanks_as_text` left them.
        kind: the field's HTML type ("text", "radio", ...).
        prediction: the answer; for checkboxes the options joined by "|".

    Raises `BadData` where the published code fails: a type it doesn't know, or nothing but empty texts.
    """
    if not labels:
        matches = str(prediction) == ""
        why = "no worker answered and the field is empty" if matches else "no worker answered this field"
        return Verdict(metric="empty", normalised=prediction, value=float(matches), why=why)
    rule = _RULES.get((rules, kind)) or _RULES.get((PUBLISHED, kind))
    if rule is None:
        known = ", ".join((*WRITTEN, *CHOSEN, "checkbox", "range"))
        raise BadData(f'a field of type "{kind}" can\'t be scored', f"the rules know {known}")
    return rule(labels, prediction)


def paper_differs(kind: str) -> bool:
    """Whether the paper has a rule of its own for this type."""
    return (PAPER, kind) in _RULES


def _closest_text(labels: Sequence[Label], prediction: Json) -> Verdict:
    answer = free_text(prediction)
    wanted = [free_text(label) for label in labels]
    if len(wanted) > 1:
        wanted = [text for text in wanted if text]
    if not wanted:
        raise BadData("all labels are empty texts, so there is nothing to compare with")
    distinct = list(dict.fromkeys(wanted))
    scores = dict(zip(distinct, text_likeness(answer, distinct), strict=True))
    best = max(distinct, key=scores.__getitem__)
    why = f"{_quoted(best)} is the closest of {_count(len(distinct), 'label')}"
    return Verdict(metric="ROUGE-L", normalised=answer, value=scores[best], why=why)


def text_likeness(prediction: str, references: Sequence[str]) -> list[float]:
    """1 for equal texts, else ROUGE-L, which is 0 where a text has no token of a-z and 0-9."""
    others = [text for text in references if text != prediction]
    likeness = dict(zip(others, rouge_l(prediction, others), strict=True))
    return [likeness.get(text, 1.0) for text in references]


def _majority_label(labels: Sequence[Label], prediction: Json) -> Verdict:
    label = majority(labels)
    count = votes(labels)[label]
    wanted, answer = normalised_answer(label), normalised_answer(prediction)
    matches = wanted == answer
    why = (
        f"{_quoted(prediction)} {'is' if matches else 'is not'} the majority label {_quoted(label)} "
        f"({count} of {_count(len(labels), 'vote')})"
    )
    return Verdict(metric="majority label", normalised=answer, value=float(matches), why=why)


def _same_options(labels: Sequence[Label], prediction: Json) -> Verdict:
    answer = normalised_answer(prediction)
    same = sum(normalised_answer(label) == answer for label in labels)
    why = f"{same or 'none'} of {_count(len(labels), 'worker')} ticked exactly this"
    return Verdict(metric="same options", normalised=answer, value=float(same > 0), why=why)


def _shared_options(labels: Sequence[Label], prediction: Json) -> Verdict:
    ticked = _options(prediction)
    shares = [(intersection_over_union(ticked, _options(label)), label) for label in labels]
    best, label = max(shares, key=lambda share: share[0])
    why = f"{_quoted(label)} is the closest of {_count(len(labels), 'worker')}"
    return Verdict(metric="intersection over union", normalised=sorted(ticked), value=best, why=why)


def _options(value: Json) -> set[str]:
    """The options of one answer as they are written; none for a blank."""
    return set() if is_blank(value) else {option for option in str(value).split("|") if option}


def _near_range(labels: Sequence[Label], prediction: Json) -> Verdict:
    numbers, answer = _numbers(labels), _number(prediction)
    if numbers is None or answer is None:
        return _mean_equality(labels, prediction)
    distance = mean_distance(numbers, answer)
    largest = max(*map(abs, numbers), abs(answer))
    value = 1 - (distance / largest if largest else distance)
    why = f"mean distance {distance:.4g} from {_count(len(numbers), 'label')}, over {largest:.4g}"
    return Verdict(metric="range distance", normalised=answer, value=value, why=why)


def _mean_equality(labels: Sequence[Label], prediction: Json) -> Verdict:
    answer = normalised_answer(prediction)
    same = sum(normalised_answer(label) == answer for label in labels)
    why = f"not all numbers, so compared as text: equal to {same} of {_count(len(labels), 'label')}"
    return Verdict(metric="share of equal labels", normalised=answer, value=same / len(labels), why=why)


def _range_of_paper(labels: Sequence[Label], prediction: Json) -> Verdict:
    filled = [label for label in labels if not is_blank(label)]
    numbers, answer = _numbers(filled), _number(prediction)
    if not numbers or answer is None or not all(map(math.isfinite, (*numbers, answer))):
        return _mean_equality(labels, prediction)
    distance, largest = mean_distance(numbers, answer), max(numbers)
    if largest <= 0 and distance:
        why = f"the largest gold value is {largest:.4g}"
        return Verdict(metric="range distance", normalised=answer, value=None, why=why)
    value = 1 - distance / largest if distance else 1.0
    why = f"mean distance {distance:.4g} from {_count(len(numbers), 'label')}, over {largest:.4g}"
    return Verdict(metric="range distance", normalised=answer, value=value, why=why)


def _numbers(labels: Sequence[Label]) -> list[float] | None:
    numbers = [_number(label) for label in labels]
    return None if None in numbers else [number for number in numbers if number is not None]


def _number(value: Json) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _quoted(value: Json) -> str:
    text = "nothing" if value == "" else f'"{canonical_text(value)}"'
    return text if len(text) <= _SHOWN else f'{text[: _SHOWN - 2]}…"'


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


Rule = Callable[[Sequence[Label], Json], Verdict]
_RULES: dict[tuple[str, str], Rule] = {
    **{(PUBLISHED, kind): _closest_text for kind in WRITTEN},
    **{(PUBLISHED, kind): _majority_label for kind in CHOSEN},
    (PUBLISHED, "checkbox"): _same_options,
    (PUBLISHED, "range"): _near_range,
    (PAPER, "checkbox"): _shared_options,
    (PAPER, "range"): _range_of_paper,
}
