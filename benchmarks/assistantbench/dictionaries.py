"""Lists of dictionaries: F1 over the keys of a pair, averaged over the best alignment.

Paper, section 3.4: for a pair, recall is the mean over the gold answer's keys of the score of the answer's
value, precision the same over the answer's keys; a missing key scores 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import fmean

import msgspec

from webbench.benchmarks.assistantbench.alignment import aligned
from webbench.benchmarks.assistantbench.compare import compare_numbers, compare_texts, kind_of, pair_name
from webbench.benchmarks.assistantbench.numbers import as_number, plain_number
from webbench.benchmarks.assistantbench.rules import PAPER
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score import Check

PAIR_NAME, VALUE_NAME = "F1 over keys", "value"


def compare_dictionaries(prediction: Json, gold: Json, rules: str, target: str = "answer") -> Check:
    """The mean of `F1 over keys` over the longer list, in the best one-to-one pairing.

    As published an answer whose first item is no dictionary scores 0, and what upstream fails on raises
    `BadData`: another item that is no dictionary, empty dictionaries, values that are null or dictionaries.
    By the paper these score 0, or 1 where both sides are equal.
    """
    mine = _items(prediction)
    in_form = type(prediction) is dict or not mine
    in_form = in_form or (type(prediction) is list and type(mine[0]) is dict)
    if not in_form and rules != PAPER:
        return Check(
            name="dictionaries",
            target=target,
            actual=prediction,
            expected=gold,
            value=0.0,
            why=f"the answer begins with {kind_of(mine[0])} and not with a dictionary",
        )
    wanted = _items(gold)
    return aligned(
        mine,
        wanted,
        lambda one, other: compare_pair(mine[one], wanted[other], rules, pair_name(one, other)),
        rules=rules,
        target=target,
    )


def _items(value: Json) -> list[Json]:
    """Of a dictionary its keys. Raises `BadData` for what has no items."""
    if not isinstance(value, Iterable):
        raise BadData(f"{kind_of(value)} is no list of dictionaries")
    return list(value)


def compare_pair(prediction: Json, gold: Json, rules: str, target: str) -> Check:
    """2PR / (P + R), and 0 where both are 0. Raises `BadData` as `compare_dictionaries` does."""
    common: JsonObject = {"name": PAIR_NAME, "target": target, "actual": prediction, "expected": gold}
    odd = _unusable(prediction, gold)
    if odd:
        if rules != PAPER:
            raise BadData(f"{target}: {odd}")
        return Check(value=float(bool(prediction == gold)), why=odd, **common)
    recall = _side("recall", prediction, gold, rules)
    precision = _side("precision", prediction, gold, rules)
    total = _number(recall) + _number(precision)
    value = 2 * _number(recall) * _number(precision) / total if total else 0.0
    return Check(
        value=value,
        why=f"recall {recall.value:.3f}, precision {precision.value:.3f}",
        combination="harmonic mean of recall and precision",
        checks=(recall, precision),
        **common,
    )


def _unusable(prediction: Json, gold: Json) -> str:
    for which, value in (("answer's item", prediction), ("gold item", gold)):
        if not isinstance(value, dict):
            return f"the {which} is {kind_of(value)} and no dictionary"
        if not value:
            return f"the {which} is an empty dictionary, which has no keys to average"
    return ""


def _side(name: str, prediction: JsonObject, gold: JsonObject, rules: str) -> Check:
    """The mean score over one side's keys: the gold answer's for recall, the answer's for precision."""
    keys = gold if name == "recall" else prediction
    swapped = name == "precision" and rules != PAPER
    checks = tuple(_entry(key, prediction, gold, rules, swapped=swapped) for key in keys)
    value = fmean(_number(check) for check in checks)
    if not math.isfinite(value):
        raise BadData(f"{name}: a value has no finite score")
    whose = "gold answer" if name == "recall" else "answer"
    return Check(
        name=name,
        target=f"keys of the {whose}",
        value=value,
        why=f"{sum(key in prediction and key in gold for key in keys)} of {len(keys)} keys are in both",
        combination=f"mean of {len(keys)} key{'s' * (len(keys) > 1)}",
        checks=checks,
    )


def _entry(key: str, prediction: JsonObject, gold: JsonObject, rules: str, *, swapped: bool) -> Check:
    if key in prediction and key in gold:
        return compare_values(prediction[key], gold[key], rules, key, swapped=swapped)
    for value in (prediction.get(key), gold.get(key)):
        if rules != PAPER:
            as_number(value, areas=False)
    lacking = "the answer" if key in gold else "the gold answer"
    return Check(
        name=VALUE_NAME,
        target=key,
        actual=prediction.get(key),
        expected=gold.get(key),
        value=0.0,
        why=f"{lacking} has no such key",
    )


def compare_values(prediction: Json, gold: Json, rules: str, key: str, *, swapped: bool = False) -> Check:
    """One value of a dictionary against the gold one: numbers by closeness, the rest as text.

    Text that holds a number is one; values of unlike types score 0.
    """
    if rules == PAPER:
        return _paper_value(prediction, gold, key)
    mine, wanted = as_number(prediction, areas=False)[0], as_number(gold, areas=False)[0]
    if wanted is None or isinstance(wanted, dict):
        raise BadData(f'the gold value of "{key}" is {kind_of(wanted)}, which can\'t be compared')
    if type(mine) is not type(wanted):
        return _unlike(key, prediction, gold, mine, wanted)
    if isinstance(wanted, float):
        check = compare_numbers(mine, wanted, rules, key)
    else:
        check = compare_texts(mine, wanted, rules, key, swapped=swapped)
    return msgspec.structs.replace(check, actual=prediction, expected=gold)


def _paper_value(prediction: Json, gold: Json, key: str) -> Check:
    mine, wanted = plain_number(prediction), plain_number(gold)
    if mine is not None and wanted is not None:
        return compare_numbers(prediction, gold, PAPER, key)
    if isinstance(gold, dict) and isinstance(prediction, dict):
        return compare_pair(prediction, gold, PAPER, key)
    alike = type(prediction) is type(gold) and mine is wanted
    if alike and isinstance(gold, str | list):
        return compare_texts(prediction, gold, PAPER, key)
    if not alike or prediction != gold:
        return _unlike(key, prediction, gold, prediction, gold)
    return Check(
        name=VALUE_NAME, target=key, actual=prediction, expected=gold, value=1.0, why="they are equal"
    )


def _unlike(key: str, prediction: Json, gold: Json, mine: Json, wanted: Json) -> Check:
    return Check(
        name=VALUE_NAME,
        target=key,
        actual=prediction,
        expected=gold,
        value=0.0,
        why=f"{kind_of(mine)} against {kind_of(wanted)}",
    )


def _number(check: Check) -> float:
    """Its value. Raises `BadData` for a check without one."""
    if check.value is None:
        raise BadData(f"{check.target}: {check.why}")
    return check.value
