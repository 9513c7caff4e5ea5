"""A score as terminal text: complete, bounded, and harmless whatever the page wrote."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.json_types import Json
from webbench.core.score.explanation import HEADERS, check_words, score_table, score_text
from webbench.core.score.score import Check, Loophole, Score, Status, failed
from webbench.core.text.plain_text import display_width

CHECK = Check(
    name="majority label",
    target="q",
    actual="Yes!",
    normalised="yes",
    expected=[{"label": "yes", "votes": 2}, {"label": None, "votes": 1}],
    value=1.0,
    why='"Yes!" is the majority label',
)
SCORE = Score(
    status=Status.SCORED,
    value=0.75,
    combination="mean of 4 fields, 2 skipped",
    checks=(CHECK,),
    metrics={"radio": 0.75, "range": None},
    beside=(Score(status=Status.SCORED, value=0.5, rules="paper", combination="mean of 4 fields"),),
)


def test_everything_is_on_it() -> None:
    assert score_text(SCORE).splitlines() == [
        "0.750 (mean of 4 fields, 2 skipped)  [published rules]",
        '  1.000     q  majority label  "Yes!" is the majority label',
        '            actual "Yes!" → "yes", expected "yes" (2 votes), blank',
        "  radio: 0.750",
        "  range: not defined",
        "beside it: 0.500 (mean of 4 fields)  [paper rules]",
    ]


def test_without_details_one_line_per_check() -> None:
    assert "expected" not in score_text(SCORE, details=False)


def test_an_error_shows_its_reason() -> None:
    assert score_text(failed("task#0: no labels")) == "error: task#0: no labels  [published rules]"


@pytest.mark.parametrize(
    ("check", "shown"),
    [
        (Check(name="n", target="t", value=0.5), "0.500"),
        (Check(name="n", target="t", status=Status.PENDING), "pending"),
        (Check(name="n", target="t", status=Status.ERROR), "error"),
        (Check(name="n", target="t", status=Status.NOT_SCORED, counted=False), "left out"),
    ],
)
def test_a_value_is_a_number_or_a_state(check: Check, shown: str) -> None:
    assert check_words(check).value == shown


def test_many_labels_are_counted_not_listed() -> None:
    labels = [{"label": n, "votes": 1} for n in range(10)]
    assert expected_cell(labels) == "0, 1, 2, 3, 4, 5 and 4 more"
    assert expected_cell("x") == '"x"'
    assert expected_cell([1, "a"]) == '1, "a"'


def expected_cell(expected: Json) -> str:
    check = Check(name="n", target="t", expected=expected, value=0.0)
    return score_table(Score(status=Status.SCORED, value=0.0, checks=(check,)))[0][HEADERS.index("expected")]


def test_nested_checks_are_indented() -> None:
    outer = Check(name="all", target="page", value=1.0, checks=(CHECK,))
    lines = score_text(Score(status=Status.SCORED, value=1.0, checks=(outer,))).splitlines()
    assert lines[1].startswith("  1.000")
    assert lines[2].startswith("    1.000     q")


def test_a_combined_check_says_how() -> None:
    outer = Check(
        name="all", target="page", value=1.0, combination="product of 1", why="it holds", checks=(CHECK,)
    )
    lines = score_text(Score(status=Status.SCORED, value=1.0, checks=(outer,))).splitlines()
    assert lines[1] == "  1.000     page  all  = product of 1; it holds"


def test_what_is_open_what_is_weak_and_what_differs() -> None:
    pending = Score(
        status=Status.PENDING,
        reason="needs a judge",
        interval=(0.0, 0.5),
        checks=tuple(Check(name="c", target=f"t{n}", value=0.0, clause="c: one; other") for n in range(5)),
        loopholes=(Loophole(id="short", text="The reference is short.", source="paper, 4"),),
        beside=(Score(status=Status.SCORED, value=1.0, rules="paper"),),
    )
    lines = score_text(pending, details=False).splitlines()
    assert lines[:2] == [
        "pending: needs a judge  [published rules]",
        "  it can still become 0.000 to 0.500",
    ]
    assert lines[-3:] == [
        "  beware  short  The reference is short. (paper, 4)",
        "beside it: 1.000  [paper rules]",
        "  rules differ in t0, t1, t2 and 2 more: c: one; other",
    ]


@settings(max_examples=examples(200), deadline=None)
@given(st.text(max_size=200), st.integers(40, 160))
def test_hostile_text_is_harmless_and_fits(text: str, width: int) -> None:
    hostile = Check(name=text, target=text, actual=text, expected=[text], value=0.0, why=text, clause=text)
    score = Score(
        status=Status.SCORED,
        value=0.0,
        combination=text,
        checks=(hostile,),
        metrics={text: 1.0},
        loopholes=(Loophole(id=text, text=text, source=text),),
    )
    shown = score_text(score, width=width)
    assert not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c in "\u202e\u200b" for c in shown)
    assert all(display_width(line) <= width for line in shown.split("\n"))
