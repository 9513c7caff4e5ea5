"""A template's other instance: what changes with its values, and what may have been forgotten."""

from __future__ import annotations

import pytest

from webbench.benchmarks.common.template_instance import Played, instance
from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Score, Status

LINK = {"id": 3, "role": "link", "name": "Spruce Candle", "selector": "#p7", "path": "main[0]/a[6]"}
BUTTON = {"role": "button", "name": "Show", "selector": "#show"}
ENTRY: JsonObject = {
    "task_id": 7,
    "start_url": "http://shop.test/products?q=Spruce+Candle",
    "intent_template": "What does the {{product}} in {{colour}} cost?",
    "instantiation_dict": {"product": "Spruce Candle", "colour": "pine"},
    "intent": "What does the Spruce Candle in pine cost?",
    "intent_template_id": 7,
    "eval": {
        "eval_types": ["string_match", "url_match"],
        "reference_answers": {"must_include": ["28.00"]},
        "reference_url": "http://shop.test/product/spruce-candle?colour=pine",
    },
    "annotation": {"annotators": []},
    "reference_actions": [
        {"verb": "click", "target": LINK},
        {"verb": "click", "target": BUTTON},
        {"verb": "stop", "answer": "$28.00, and not $128.00"},
    ],
}


def test_values_go_into_intent_evaluator_and_reference_list() -> None:
    made = instance(ENTRY, "8", {"product": "Watch Cap", "colour": "rust"}, {"28.00": "34.00"})
    entry = made.entry
    assert (entry["task_id"], entry["intent_template_id"]) == (8, 7)
    assert entry["intent"] == "What does the Watch Cap in rust cost?"
    assert entry["start_url"] == "http://shop.test/products?q=Watch+Cap"
    assert entry["eval"]["reference_url"] == "http://shop.test/product/watch-cap?colour=rust"
    assert entry["eval"]["reference_answers"] == {"must_include": ["34.00"]}
    first, second, last = entry["reference_actions"]
    assert first["target"] == {"role": "link", "name": "Watch Cap"}, "the selector was that of the old one"
    assert second["target"] == BUTTON
    assert last["answer"] == "$34.00, and not $128.00", "whole words alone"
    assert "annotation" not in entry, "nobody has annotated this one"
    assert made.places["Spruce Candle"] == {"evaluator": 1, "reference list": 1, "start": 1}
    assert made.doubts == []
    assert ENTRY["eval"]["reference_answers"] == {"must_include": ["28.00"]}


def test_two_values_can_change_places() -> None:
    entry = ENTRY | {
        "intent_template": "From {{a}} to {{b}}",
        "instantiation_dict": {"a": "Quay", "b": "Mill"},
        "eval": {"reference_answers": {"must_include": ["Quay, Mill"]}},
    }
    made = instance(entry, "8", {"a": "Mill", "b": "Quay"}, {}).entry
    assert made["eval"]["reference_answers"] == {"must_include": ["Mill, Quay"]}


def test_a_slot_that_was_empty_stands_nowhere() -> None:
    entry = ENTRY | {"instantiation_dict": {"product": "Spruce Candle", "colour": ""}}
    made = instance(entry, "8", {"colour": "rust"}, {})
    assert made.entry["eval"] == ENTRY["eval"]
    assert made.places == {"": {"evaluator": 0, "reference list": 0, "start": 0}}


def test_what_may_have_been_forgotten_is_told() -> None:
    made = instance(ENTRY, "8", {"colour": "rust"}, {"never": "there"})
    assert made.doubts == [
        '"never" stands nowhere in evaluator, reference list or start',
        "the reference list goes the same way as before: look whether it should",
        "the same answer is asked for as before: another one is told with --change OLD=NEW",
    ]


@pytest.mark.parametrize(
    ("entry", "values", "told"),
    [
        (ENTRY, {"size": "L"}, "no slot size"),
        (ENTRY, {"colour": "pine"}, "same instance again"),
        (ENTRY | {"instantiation_dict": {}}, {"colour": "rust"}, "no template"),
    ],
)
def test_what_is_no_instance_is_refused(entry: JsonObject, values: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        instance(entry, "8", values, {})


def test_its_own_list_has_to_solve_it_and_the_other_must_not() -> None:
    right, wrong = (Score(status=Status.SCORED, value=value) for value in (1.0, 0.0))
    assert Played(own=right, other=wrong).faults == []
    assert "its reference list gets" in Played(own=wrong, other=wrong).faults[0]
    assert "meets every check, too" in Played(own=right, other=right).faults[0]
    judged = Score(status=Status.PENDING, reason="a judge has to answer", interval=(0, 1))
    assert "nobody knows: a judge has to answer" in Played(own=judged, other=judged).faults[0]
    assert Played(own=judged, other=Score(status=Status.PENDING, interval=(0, 0.5))).faults == []
