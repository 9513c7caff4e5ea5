"""Every comparison, by examples."""

from __future__ import annotations

import pytest

from webbench.benchmarks.demo.comparisons import check, look_up, unknown
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Status


def line(product: str, quantity: int, size: str = "") -> JsonObject:
    return {"product": product, "size": size, "colour": "pine", "quantity": quantity}


def value_of(match: str, actual: Json, expected: list[Json], **more: Json) -> float | None:
    return check({"name": "x", "match": match, "expected": expected, **more}, actual).value


@pytest.mark.parametrize(
    ("match", "actual", "expected", "more", "value"),
    [
        ("exact", "Sweden", ["Sweden"], {}, 1),
        ("exact", "sweden", ["Sweden"], {}, 0),
        ("text", "  kaj &  SON. ", ["Kaj & Son"], {}, 1),
        ("text", "the warmest thing I own, really", ["the warmest thing I own"], {}, 0),
        ("text", "is the warmest thing I own!", ["the warmest thing I own"], {"within": True}, 1),
        ("number", "$1,250.00", [1250], {}, 1),
        ("number", "It costs 68 dollars", [68.0], {}, 1),
        ("number", "sixty-eight", [68.0], {}, 0),
        ("number", 0, [0], {}, 1),
        ("number", "81", [90], {"tolerance": 10}, 1),
        ("number", "79", [90], {"tolerance": 10}, 0),
        ("words", "A boat at the quay", ["quay|pier", "boat"], {}, 1),
        ("words", "A boathouse at the quay", ["quay|pier", "boat"], {}, 0.5),
        ("set", ["b", "a"], ["a", "b"], {}, 1),
        ("set", ["a", "c"], ["a", "b"], {}, 1 / 3),
        ("set", [], ["a"], {}, 0),
        ("lines", [line("candle", 2)], [line("candle", 3)], {}, 2 / 3),
        ("lines", [line("candle", 1), line("tent", 1)], [line("candle", 1)], {}, 0.5),
        ("lines", [line("cap", 1, "M")], [line("cap", 1, "L")], {}, 0),
        ("lines", None, [line("candle", 1)], {}, 0),
        ("count", [1], [1], {}, 1),
        ("count", [], [1], {}, 0),
        ("done", True, [True], {}, 1),
        ("done", False, [True], {}, 0),
        ("absent", None, [], {}, 1),
        ("absent", {}, [], {}, 0),
        ("exact", "", ["x"], {}, 0),
        ("number", None, [0], {}, 0),
    ],
)
def test_match(match: str, actual: Json, expected: list[Json], more: JsonObject, value: float) -> None:
    assert value_of(match, actual, expected, **more) == pytest.approx(value)


def test_reasons_name_what_is_wrong() -> None:
    rule = {"name": "cart", "match": "lines", "expected": [line("candle", 3)]}
    assert (
        check(rule, [line("candle", 1), line("tent", 1)]).why == "lacks: 2 × candle pine; too many: tent pine"
    )
    assert check({"name": "city", "match": "text", "expected": ["Oslo", "Bergen"]}, "Paris").why == (
        "is not 'Oslo' or 'Bergen'"
    )


def test_guard_counts_only_when_broken() -> None:
    rule = {"name": "name", "match": "text", "expected": ["Mara"], "guard": True}
    assert not check(rule, "Mara").counted
    broken = check(rule, "Ruth")
    assert broken.counted
    assert broken.value == 0


def test_unknown_has_no_value() -> None:
    found = unknown({"name": "page", "match": "exact", "expected": ["/"]}, "the page crashed")
    assert (found.status, found.value, found.why) == (Status.NOT_SCORED, None, "the page crashed")


def test_look_up() -> None:
    evidence = {"a": [{"b": 0}], "c": "text"}
    assert look_up(evidence, "a.0.b") == 0
    assert [look_up(evidence, path) for path in ("a.1.b", "a.x", "c.0", "d")] == [None] * 4
