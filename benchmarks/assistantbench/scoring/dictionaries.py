"""Lists of dictionaries: F1 over the keys of a pair, averaged over the best alignment.

Paper, section 3.4: for a pair, recall is the mean over the gold answer's keys of the score of the answer's
value, precision the same over the answer's keys; a missing key scores 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from webbench.benchmarks.assistantbench.scoring.alignment import aligned, pair_name
from webbench.benchmarks.assistantbench.scoring.compare_answers import compare_numbers, compare_texts
from webbench.benchmarks.assistantbench.scoring.comparison_result import Comparison, kind_of, plain
from webbench.benchmarks.assistantbench.scoring.numbers import as_number, plain_number
from webbench.benchmarks.assistantbench.scoring.rules import PAPER
from webbench.benchmarks.assistantbench.scoring.words import bag
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Check

LIST_NAME, PAIR_NAME, VALUE_NAME = "dictionaries", "F1 over keys", "value"


def compare_dictionaries(prediction: Json, gold: Json, rules: str) -> Comparison:
    """The mean of `F1 over keys` over the longer list, in the best one-to-one pairing.

    As published an answer whose first item is no dictionary scores 0, and what upstream fails on raises
    `BadData`: another item that is no dictionary, empty dictionaries, values that are null or dictionaries.
    By the paper these score 0, or 1 where both sides are equal.
    """
    mine = _items(prediction)
    in_form = type(prediction) is dict or not mine
    in_form = in_form or (type(prediction) is list and type(mine[0]) is dict)
    if not in_form and rules != PAPER:
        why = f"the answer begins with {kind_of(mine[0])} and not with a dictionary"
        return plain(LIST_NAME, prediction, gold, why)
    wanted = _items(gold)
    pairs: dict[tuple[int, int], Comparison] = {}

    def value(one: int, other: int) -> float:
        try:
            pairs[one, other] = compare_pair(mine[one], wanted[other], rules)
        except BadData as error:
            raise BadData(f"{pair_name(one, other)}: {error}") from error
        return _value(pairs[one, other])

    return aligned(mine, wanted, value, lambda *pair: pairs[pair].explain(pair_name(*pair)), rules)


def _items(value: Json) -> list[Json]:
    """Of a dictionary its keys. Raises `BadData` for what has no items."""
    if not isinstance(value, Iterable):
        raise BadData(f"{kind_of(value)} is no list of dictionaries")
    return list(value)


def compare_pair(prediction: Json, gold: Json, rules: str) -> Comparison:
    """2PR / (P + R), and 0 where both are 0. Raises `BadData` as `compare_dictionaries` does."""
    odd = _unusable(prediction, gold)
    if odd and rules != PAPER:
        raise BadData(odd)
    if odd:
        return plain(PAIR_NAME, prediction, gold, odd, float(bool(prediction == gold)))
    recall, precision = _sides(prediction, gold, rules)
    first, second = _value(recall), _value(precision)
    value = 2 * first * second / (first + second) if first + second else 0.0

    def explain(target: str) -> Check:
        return Check(
            name=PAIR_NAME,
            target=target,
            actual=prediction,
            expected=gold,
            value=value,
            why=f"recall {first:.3f}, precision {second:.3f}",
            combination="harmonic mean of recall and precision",
            checks=(recall.explain("keys of the gold answer"), precision.explain("keys of the answer")),
        )

    return Comparison(value, explain)


def _unusable(prediction: Json, gold: Json) -> str:
    for which, value in (("answer's item", prediction), ("gold item", gold)):
        if not isinstance(value, dict):
            return f"the {which} is {kind_of(value)} and no dictionary"
        if not value:
            return f"the {which} is an empty dictionary, which has no keys to average"
    return ""


def _sides(prediction: JsonObject, gold: JsonObject, rules: str) -> tuple[Comparison, Comparison]:
    """Recall, over the gold answer's keys, and precision, over the answer's.

    As published answer and gold change places for precision, which only the number rule of texts notices.
    """
    recall = {key: _entry(key, prediction, gold, rules) for key in gold}
    precision = {}
    for key in prediction:
        known = recall.get(key)
        if known is None or (rules != PAPER and _turns(prediction[key], gold[key])):
            known = _entry(key, prediction, gold, rules, swapped=True)
        precision[key] = known
    return _mean("recall", recall, prediction), _mean("precision", precision, gold)


def _turns(prediction: Json, gold: Json) -> bool:
    """Whether the score of two values may change when they change places."""
    if isinstance(prediction, str) and isinstance(gold, str):
        return bool(bag(prediction).numbers) is not bool(bag(gold).numbers)
    return isinstance(gold, list)


def _mean(name: str, entries: dict[str, Comparison], other: JsonObject) -> Comparison:
    """The mean score over the keys of one side; `other` is the other side."""
    value = sum(map(_value, entries.values())) / len(entries)
    if not math.isfinite(value):
        raise BadData(f"{name}: a value has no finite score")

    def explain(target: str) -> Check:
        return Check(
            name=name,
            target=target,
            value=value,
            why=f"{sum(key in other for key in entries)} of {len(entries)} keys are in both",
            combination=f"mean of {len(entries)} key{'s' * (len(entries) > 1)}",
            checks=tuple(entry.explain(key) for key, entry in entries.items()),
        )

    return Comparison(value, explain)


def _entry(
    key: str, prediction: JsonObject, gold: JsonObject, rules: str, *, swapped: bool = False
) -> Comparison:
    if key in prediction and key in gold:
        try:
            return compare_values(prediction[key], gold[key], rules, swapped=swapped)
        except BadData as error:
            raise BadData(f'"{key}": {error}') from error
    actual, expected = prediction.get(key), gold.get(key)
    if rules != PAPER:
        as_number(actual, areas=False)
        as_number(expected, areas=False)
    lacking = "the answer" if key in gold else "the gold answer"
    return plain(VALUE_NAME, actual, expected, f"{lacking} has no such key")


def compare_values(prediction: Json, gold: Json, rules: str, *, swapped: bool = False) -> Comparison:
    """One value of a dictionary against the gold one: numbers by closeness, the rest as text.

    Text that holds a number is one; values of unlike types score 0.
    """
    if rules == PAPER:
        return _paper_value(prediction, gold)
    mine, wanted = as_number(prediction, areas=False)[0], as_number(gold, areas=False)[0]
    if wanted is None or isinstance(wanted, dict):
        raise BadData(f"the gold value is {kind_of(wanted)}, which can't be compared")
    if type(mine) is not type(wanted):
        return plain(VALUE_NAME, prediction, gold, f"{kind_of(mine)} against {kind_of(wanted)}")
    if isinstance(wanted, float):
        found = compare_numbers(mine, wanted, rules)
    else:
        found = compare_texts(mine, wanted, rules, swapped=swapped)
    return Comparison(found.value, lambda target: _as_written(found.explain(target), prediction, gold))


def _as_written(check: Check, prediction: Json, gold: Json) -> Check:
    return msgspec.structs.replace(check, actual=prediction, expected=gold)


def _paper_value(prediction: Json, gold: Json) -> Comparison:
    mine, wanted = plain_number(prediction), plain_number(gold)
    if mine is not None and wanted is not None:
        return compare_numbers(prediction, gold, PAPER)
    if isinstance(gold, dict) and isinstance(prediction, dict):
        return compare_pair(prediction, gold, PAPER)
    alike = type(prediction) is type(gold) and mine is wanted
    if alike and isinstance(gold, str | list):
        return compare_texts(prediction, gold, PAPER)
    if alike and prediction == gold:
        return plain(VALUE_NAME, prediction, gold, "they are equal", 1.0)
    return plain(VALUE_NAME, prediction, gold, f"{kind_of(prediction)} against {kind_of(gold)}")


def _value(comparison: Comparison) -> float:
    """Raises `BadData` for a comparison without a value."""
    if comparison.value is None:
        raise BadData(comparison.explain("").why)
    return comparison.value
