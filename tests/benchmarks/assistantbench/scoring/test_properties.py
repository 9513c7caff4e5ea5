"""What holds for all answers: bounds, symmetry, idempotence, and that scoring never raises."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.assistantbench.scoring.clauses import BETWEEN
from webbench.benchmarks.assistantbench.scoring.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.scoring.numbers import as_number, closeness, plain_number
from webbench.benchmarks.assistantbench.scoring.question import question_score
from webbench.benchmarks.assistantbench.scoring.words import bag, normalise, word_f1
from webbench.core.errors import BadData
from webbench.core.score.score import Status
from webbench.core.task import Task

PIECES = ["a", "The", "red", "blue", "5", "5.0", "1,200", "$5", "nan", "-5", "null", "[5]", "{}", "\n", "İ"]
WORDS = st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join)
TEXT = st.one_of(WORDS, st.text(max_size=12))
LEAF = st.one_of(TEXT, st.integers(-50, 50), st.floats(), st.booleans(), st.none())
ANSWER: st.SearchStrategy[Any] = st.recursive(
    LEAF,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)
GOLD = st.one_of(
    TEXT,
    st.lists(TEXT, max_size=3).map("\n".join),
    st.sampled_from(['{"a": 5, "b": "red"}', '{"a": "x"}\n{"a": {"b": 1}}', "[1]", "-inf", "1,200,000"]),
    st.lists(LEAF, max_size=2),
)
NUMBER = st.floats(allow_nan=False)


@settings(max_examples=examples(400))
@given(ANSWER, GOLD)
def test_under_paper_a_score_is_between_nothing_and_one(answer: Any, gold: Any) -> None:
    value = question_score(answer, gold, "paper").value
    assert value is not None
    assert 0 <= value <= 1


@settings(max_examples=examples(400))
@given(ANSWER, GOLD)
def test_the_evaluator_never_raises_and_never_invents(answer: Any, gold: Any) -> None:
    task = Task(benchmark="assistantbench", name="q1", gold={"answer": gold})
    score = AssistantBenchEvaluator().score(task, {"answer": answer})
    for found in (score, *score.beside):
        assert (found.status is Status.SCORED) is (found.value is not None)
        assert found.status is Status.SCORED or found.reason


@settings(max_examples=examples(400))
@given(ANSWER, GOLD)
def test_where_the_rules_differ_a_clause_is_named(answer: Any, gold: Any) -> None:
    task = Task(benchmark="assistantbench", name="q1", gold={"answer": gold})
    score = AssistantBenchEvaluator().score(task, {"answer": answer})
    [other] = score.beside
    differ = (score.value is None) != (other.value is None)
    if score.value is not None and other.value is not None:
        differ = not math.isclose(score.value, other.value, abs_tol=1e-9)
    clauses = [found.checks[0].clause for found in (score, *score.beside)]
    assert all(clauses) if differ else not any(clauses), BETWEEN.join(clauses)


@given(TEXT, TEXT)
def test_word_f1_is_symmetric_and_bounded(first: str, second: str) -> None:
    value = word_f1(bag(first), bag(second))
    assert value == word_f1(bag(second), bag(first))
    assert 0 <= value <= 1
    assert word_f1(bag(first), bag(first)) == 1


@given(TEXT)
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    if not re.search(r"\de-\d", once) and not re.search(r"[^\S ]", text):
        assert normalise(once) == once


@given(NUMBER, NUMBER)
def test_closeness_is_symmetric_and_full_for_equals(first: float, second: float) -> None:
    for rules in ("published", "paper"):
        assert closeness(first, second, rules) == closeness(second, first, rules)
    assert closeness(first, first, "paper") == 1
    assert 0 <= closeness(first, second, "paper") <= 1


@given(st.floats(1e-3, 1e9), st.floats(1e-3, 1e9))
def test_the_decimal_logarithm_never_gives_less_to_positive_numbers(first: float, second: float) -> None:
    assert closeness(first, second, "paper") >= closeness(first, second, "published") - 1e-12


@given(st.integers(0, 10**12))
def test_thousands_separators_change_nothing_by_the_paper(number: int) -> None:
    assert plain_number(f"{number:,}") == plain_number(str(number)) == float(number)


@given(TEXT)
def test_a_number_read_once_is_read_no_further(text: str) -> None:
    value, is_number = as_number(text)
    assert is_number is isinstance(value, float)
    assert repr(as_number(value)[0]) == repr(value)


@pytest.mark.parametrize(("first", "second"), [(10**400, 5.0), (5.0, -(10**400))])
def test_numbers_beyond_floats_are_named(first: float, second: float) -> None:
    with pytest.raises(BadData, match="401 digits"):
        closeness(first, second, "published")


@pytest.mark.parametrize("value", [None, 5, 1.5, ["red"], {"a": "red"}, True])
def test_what_is_no_text_is_not_normalised_but_named(value: Any) -> None:
    with pytest.raises(BadData, match=r"what is normalised has to be text, this is"):
        normalise(value)


@pytest.mark.parametrize(
    ("answer", "gold", "value"),
    [("inf", "45", 0.0), ("45", "inf", 0.0), ("inf", "inf", 0.0), ("-inf", "45", None), ("-inf", "0", None)],
)
def test_an_infinite_score_is_an_error_although_the_package_gives_it(
    answer: str, gold: str, value: float | None
) -> None:
    formula = question_score(answer, gold).value
    score = AssistantBenchEvaluator().score(
        Task(benchmark="assistantbench", name="t", gold={"answer": gold}), {"answer": answer}
    )
    assert (score.status, score.value) == (Status.ERROR if value is None else Status.SCORED, value)
    assert formula == (math.inf if value is None else value)
    assert ("no finite score: -inf against" in score.reason) == (value is None)
