"""Scores as JSON: they come back as they went, and one score has one form."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.json_types import JsonObject
from webbench.core.score.as_json import plain_numbers, score_json
from webbench.core.score.explanation import HEADERS, score_table
from webbench.core.score.score import Check, Loophole, Score, Status, digest, not_scored

TEXT = st.text(max_size=8) | st.sampled_from(["\ud800", "\x1b[2J", "\u202e", "$float"])
NUMBERS = st.floats(allow_nan=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | NUMBERS | TEXT,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXT.filter(lambda k: k != "$float"), inner, max_size=3)
    ),
    max_leaves=6,
)
LEAVES = st.builds(
    Check,
    name=TEXT,
    target=TEXT,
    actual=JSON,
    normalised=JSON,
    expected=JSON,
    status=st.sampled_from(Status),
    value=st.none() | NUMBERS,
    counted=st.booleans(),
    why=TEXT,
    clause=TEXT,
)
CHECKS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        Check, name=TEXT, target=TEXT, combination=TEXT, checks=st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=5,
)


def scores(beside: st.SearchStrategy[tuple[Score, ...]]) -> st.SearchStrategy[Score]:
    return st.builds(
        Score,
        status=st.sampled_from(Status),
        value=st.none() | NUMBERS,
        reason=TEXT,
        rules=TEXT,
        combination=TEXT,
        checks=st.lists(CHECKS, max_size=3).map(tuple),
        metrics=st.dictionaries(TEXT.filter(lambda k: k != "$float"), st.none() | NUMBERS, max_size=2),
        beside=beside,
        interval=st.none() | st.tuples(NUMBERS, NUMBERS),
        loopholes=st.lists(st.builds(Loophole, id=TEXT, text=TEXT, source=TEXT), max_size=2).map(tuple),
        evaluator=TEXT,
        data_sha256=TEXT,
        evidence_sha256=TEXT,
    )


SCORES = scores(st.lists(scores(st.just(())), max_size=1).map(tuple))


def numbers(value: Any) -> Any:
    """A JSON value with the numbers that JSON has none for."""
    if isinstance(value, dict):
        return (
            float(value["$float"])
            if value.keys() == {"$float"}
            else {k: numbers(v) for k, v in value.items()}
        )
    return [numbers(item) for item in value] if isinstance(value, list) else value


@settings(max_examples=examples(200), deadline=None)
@given(SCORES)
def test_a_score_comes_back_as_it_went(score: Score) -> None:
    written = json.dumps(score_json(score), allow_nan=False)
    assert msgspec.convert(numbers(json.loads(written)), Score) == score


@settings(max_examples=examples(100), deadline=None)
@given(JSON)
def test_a_digest_does_not_depend_on_the_order_of_keys(value: JsonObject) -> None:
    turned = json.loads(json.dumps(value), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert digest(turned) == digest(json.loads(json.dumps(value)))


def test_status_and_version_are_always_said() -> None:
    assert score_json(not_scored("no field")) == {
        "schema_version": 1,
        "status": "not_scored",
        "reason": "no field",
    }


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_what_json_has_no_number_for(value: float) -> None:
    written = plain_numbers(value)
    assert list(written) == ["$float"]
    assert str(numbers(written)) == str(value)


def test_the_table_unfolds_from_the_checks_to_the_headline() -> None:
    leaf = Check(
        name="exact match", target="answer", actual="A", normalised="a", expected="a", value=1.0, why="equal"
    )
    outer = Check(
        name="answer", target="answer", value=1.0, combination="product of 1", checks=(leaf,), clause="c"
    )
    rows = score_table(Score(status=Status.SCORED, value=1.0, combination="product of 1", checks=(outer,)))
    assert [len(row) for row in rows] == [len(HEADERS)] * 3
    assert rows[0] == ("answer", "answer", "", "", "", "1.000", "= product of 1; rules differ: c")
    assert rows[1] == ("  answer", "exact match", '"A"', '"a"', '"a"', "1.000", "equal")
    assert rows[2] == ("score, published", "", "", "", "", "1.000", "product of 1")


def test_a_score_without_a_value_shows_its_state_in_the_table() -> None:
    assert score_table(not_scored("no field"))[-1][-2:] == ("not scored", "no field")


@given(SCORES)
@settings(max_examples=examples(50), deadline=None)
def test_any_score_has_a_table(score: Score) -> None:
    assert all(isinstance(cell, str) for row in score_table(score) for cell in row)


def test_old_records_need_no_version_inside() -> None:
    """Episodes hold scores as part of a record that names its own version."""
    assert msgspec.convert({"status": "scored", "value": 1.0}, Score).schema_version == 1
