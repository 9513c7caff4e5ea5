"""Metrics, parsers and scores on generated input."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.weblinx.turns import BOXES, PAGE, box, task
from tests.effort import examples
from tests.parity.weblinx import many_turn_metrics
from webbench.benchmarks.weblinx.demonstrations.demonstrations import flat_turns
from webbench.benchmarks.weblinx.notation.output import format_value, parse_output, sanitised, split_by_comma
from webbench.benchmarks.weblinx.pages.elements import element_at
from webbench.benchmarks.weblinx.scoring.aggregate import Row, records
from webbench.benchmarks.weblinx.scoring.evaluate import WebLinxEvaluator
from webbench.benchmarks.weblinx.scoring.evidence import evidence_of
from webbench.benchmarks.weblinx.scoring.metrics import exact_match, iou, url_f
from webbench.benchmarks.weblinx.scoring.predictions import predicted_action
from webbench.benchmarks.weblinx.scoring.rules import turn_metrics
from webbench.benchmarks.weblinx.turns.action import TurnAction
from webbench.benchmarks.weblinx.turns.intents import KNOWN, UNKNOWN, intent_of
from webbench.core.errors import BadData
from webbench.core.score.score import Status

EVALUATOR = WebLinxEvaluator()
EDGES = st.floats(-2000, 20_000).map(lambda edge: round(edge, 1))
SIZES = st.floats(0.1, 5000).map(lambda size: round(size, 1))
PROPER_BOXES = st.builds(
    lambda left, top, width, height: box(left, top, left + width, top + height), EDGES, EDGES, SIZES, SIZES
)
URLS = st.one_of(
    st.text(max_size=20),
    st.lists(
        st.sampled_from(["http://", "https://", "www.", "w", "a.example", "/", "b", "?q", "#", "[", ";"])
    ).map("".join),
)
PIECES = [
    "click",
    "say",
    "text_input",
    "scroll",
    "(",
    ")",
    '"',
    ",",
    "=",
    " ",
    "uid",
    "x",
    "y",
    "10",
    "²",
    ".",
]
OUTPUTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from([*PIECES, "menu", "\n"])).map("".join))
TEXTS = st.one_of(
    st.text(max_size=12), st.sampled_from(["a lamp", "A lamp", "300", ""]), st.integers(), st.none()
)
ACTIONS = st.builds(
    lambda intent, text, url, name: TurnAction(
        intent,
        {"utterance": text, "text": text, "value": text, "url": url},
        {"attributes": {"data-webtasks-id": name}, "bbox": BOXES[name]} if name else None,
    ),
    st.sampled_from([*sorted(KNOWN), UNKNOWN]),
    TEXTS,
    URLS,
    st.sampled_from(["", *BOXES]),
)


@given(PROPER_BOXES, PROPER_BOXES)
def test_iou_is_symmetric_and_within_bounds(first: Any, second: Any) -> None:
    assert iou(first, second) == pytest.approx(iou(second, first))
    assert 0 <= iou(first, second) <= 1
    assert iou(first, first) == pytest.approx(1)


@given(URLS, URLS, st.booleans())
def test_url_f_is_symmetric_and_within_bounds(first: str, second: str, whole: bool) -> None:
    value = url_f(first, second, whole_prefix=whole)
    assert value == pytest.approx(url_f(second, first, whole_prefix=whole))
    assert 0 <= value <= 1


@given(OUTPUTS)
@settings(max_examples=examples(500))
def test_reading_outputs_fails_only_with_a_message(raw: str) -> None:
    with contextlib.suppress(BadData):
        intent, args = parse_output(raw)
        assert intent in KNOWN | {UNKNOWN}
        assert all(isinstance(name, str) for name in sanitised(args))
        predicted_action(raw, PAGE)
    with contextlib.suppress(BadData):
        parse_output(raw, quoted_text=True)


@given(OUTPUTS, st.booleans())
def test_splitting_loses_nothing(text: str, quotes: bool) -> None:
    parts = split_by_comma(text, quotes=quotes)
    assert ",".join(parts) == text
    if quotes:
        assert all(part.count('"') % 2 == 0 for part in parts[:-1])


@given(st.text(max_size=12))
def test_intents_are_idempotent(name: str) -> None:
    assert intent_of(intent_of(name)) == intent_of(name)


@given(ACTIONS, ACTIONS)
def test_exact_match_is_symmetric(first: TurnAction, second: TurnAction) -> None:
    assert exact_match(first, second) == exact_match(second, first)


@given(st.lists(st.tuples(ACTIONS, ACTIONS), max_size=12), st.sampled_from(["published", "paper"]))
def test_many_turns_at_once_are_as_one_by_one(turns: Any, rules: str) -> None:
    together = many_turn_metrics(turns, rules)
    assert list(map(str, together)) == [str(_alone(predicted, wanted, rules)) for predicted, wanted in turns]


def _alone(predicted: TurnAction, wanted: TurnAction, rules: str) -> Any:
    try:
        return turn_metrics(predicted, [wanted], rules)
    except BadData as error:
        return error


@given(OUTPUTS, ACTIONS, st.sampled_from(["published", "paper"]))
@settings(max_examples=examples(300))
def test_scores_are_within_bounds_and_nothing_raises(raw: str, wanted: TurnAction, rules: str) -> None:
    score = EVALUATOR.score(task(wanted), evidence_of(raw, PAGE), rules)
    for one in (score, *score.beside):
        assert (one.value is not None) == (one.status is Status.SCORED)
        assert one.value is None or 0 <= one.value <= 1


@given(st.recursive(st.none() | st.booleans() | st.text(max_size=3), lambda part: st.lists(part, max_size=2)))
def test_evidence_and_turns_of_any_shape_never_raise_anything_else(value: Any) -> None:
    for given_evidence in ({"action": value}, {"output": value}, {"output": "click()", "element": value}):
        EVALUATOR.score(task(TurnAction("click")), given_evidence)
    for data in (value, [{"type": "browser", "args": value}], [{"type": value}]):
        with contextlib.suppress(BadData):
            flat_turns(json.loads(json.dumps(data)))


VALUES = st.one_of(st.none(), st.floats(0, 1))
ROWS = st.builds(
    lambda intent, match, chrf, area: Row(
        ref_intent=intent,
        exact_match=0,
        intent_match=match,
        chrf=chrf if match else None,
        iou=area if match else None,
    ),
    st.sampled_from(["click", "say", "textinput", "change", "scroll"]),
    st.sampled_from([0, 1]),
    VALUES,
    VALUES,
)


@given(st.lists(ROWS, min_size=1, max_size=20), st.sampled_from(["published", "paper"]))
def test_averages_are_within_bounds_and_zeros_only_lower_them(rows: list[Row], rules: str) -> None:
    for record in records(rows, rules):
        for value in (record.score, record.unconditional_score):
            assert value is None or 0 <= value <= 1
        if record.score is not None and record.unconditional_score is not None:
            assert record.unconditional_score <= record.score + 1e-9


@pytest.mark.parametrize("value", [None, 5, 1.5, ["a"], {"a": 1}, True])
def test_what_is_no_text_is_refused_by_name(value: Any) -> None:
    for read in (parse_output, format_value, split_by_comma):
        with pytest.raises(BadData, match=r"has to be text, this is"):
            read(value)


@pytest.mark.parametrize("args", [None, 5, "x=1", ["x"]])
def test_arguments_have_to_be_an_object(args: Any) -> None:
    with pytest.raises(BadData, match="arguments of an action are an object, these are"):
        sanitised(args)


@pytest.mark.parametrize(
    "boxes",
    [
        {"a": {"left": "1", "right": 2, "top": 0, "bottom": 9, "width": 1, "height": 1}},
        {"a": {"left": None, "right": 2, "top": 0, "bottom": 9, "width": 1, "height": 1}},
        {"a": {"left": 0, "right": [2], "top": 0, "bottom": 9, "width": 1, "height": 1}},
        {"a": {"left": 0, "right": 2, "top": 0, "bottom": 9, "width": None, "height": 1}},
        {"a": None},
        {"a": [1, 2]},
        ["a"],
    ],
)
def test_a_box_that_is_none_is_named(boxes: Any) -> None:
    with pytest.raises(BadData, match=r"'a'"):
        element_at(boxes, 1, 1)
