"""The evaluator: scores with their checks, both rule sets, and states that are no score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from webbench.benchmarks.assistantbench.scoring.evaluate import AssistantBenchEvaluator
from webbench.core.score.explanation import score_text
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task

GOLD_TABLE = '{"sender": "DHL", "price": "60"}\n{"sender": "Fedex", "price": "80"}'


def score(answer: Any, gold: Any, rules: str = "published") -> Score:
    task = Task(benchmark="assistantbench", name="q1", gold={"answer": gold})
    return AssistantBenchEvaluator().score(task, {"answer": answer}, rules)


def walk(checks: tuple[Check, ...]) -> Iterator[Check]:
    for check in checks:
        yield check
        yield from walk(check.checks)


@pytest.mark.parametrize(
    ("answer", "gold", "published", "paper", "clause"),
    [
        ("60", "60", 1.0, 1.0, ""),
        ("30", "60", 0.306853, 0.698970, "logarithm"),
        ("600", "60", 0.0, 0.0, ""),
        ("300", "60", 0.0, 0.301030, "logarithm"),
        ("-10", "-5", 1.693147, 0.698970, "sign and zero"),
        ("0", "0.0001", 1.0, 0.0, "sign and zero"),
        ("1,200,000", "1200000", 0.0, 1.0, "numbers in text"),
        ("1,200", "1200", 0.0, 1.0, "numbers in text"),
        ("nan nan", "nan", 0.0, 1.0, "numbers in text"),
        ("red\nblue", "red\nblue", 1 / 3, 1.0, "lines"),
        (["blue", "red"], "red\nblue", 1.0, 1.0, ""),
        (["blue", 5], "blue\n5", 0.0, 1.0, "items that are no texts"),
        ("red", '"red"', 0.0, 1.0, "JSON gold without dictionaries"),
        ("[5, 6]", "5\n6", 0.0, 1.0, "JSON gold without dictionaries"),
        ([12], "12 cats", 0.0, 2 / 3, "list of one"),
        ('{"a": "3 cats"}', '{"a": "cats"}', 0.0, 2 / 3, "dictionary precision"),
    ],
)
def test_both_rule_sets_and_the_clause_between_them(
    answer: Any, gold: str, published: float, paper: float, clause: str
) -> None:
    ours = score(answer, gold)
    assert ours.value == pytest.approx(published, abs=1e-6)
    assert [beside.rules for beside in ours.beside] == ["paper"]
    assert ours.beside[0].value == pytest.approx(paper, abs=1e-6)
    for found in (ours, ours.beside[0]):
        assert found.checks[0].clause.partition(":")[0] == clause


def test_under_paper_the_published_score_stands_beside() -> None:
    ours = score("30", "60", "paper")
    assert ours.rules == "paper"
    assert ours.value == pytest.approx(0.69897, abs=1e-6)
    assert ours.beside[0].rules == "published"


@pytest.mark.parametrize(
    ("answer", "gold", "reason", "clause"),
    [
        ("null", "45", "null", "null, true, false"),
        ("true", "45", "true or false", "null, true, false"),
        ("[45]", "45", "a list", "list of one"),
        ("{}", '{"a": 1}', "empty dictionary", "dictionary values"),
        ('{"a": {"b": 1}}', '{"a": {"b": 1}}', "a dictionary", "dictionary values"),
        ('{"a": 45}', "45", "a dictionary", "unlike types"),
        ("-inf", "45", "no finite score", "numbers in text"),
    ],
)
def test_what_the_published_code_fails_on_is_an_error_and_never_a_number(
    answer: Any, gold: str, reason: str, clause: str
) -> None:
    ours = score(answer, gold)
    assert ours.status is Status.ERROR
    assert ours.value is None
    assert ours.reason.startswith("q1: ")
    assert reason in ours.reason
    assert ours.checks[0].status is Status.ERROR
    assert ours.beside[0].status is Status.SCORED
    assert ours.checks[0].clause.partition(":")[0] == clause


def test_the_tree_unfolds_from_the_headline_to_every_comparison() -> None:
    ours = score([{"sender": "dhl", "price": "30"}], GOLD_TABLE)
    top = ours.checks[0]
    assert [check.name for check in top.checks] == ["F1 over keys", "not answered"]
    pair = top.checks[0]
    assert [(side.name, len(side.checks)) for side in pair.checks] == [("recall", 2), ("precision", 2)]
    sender, price = pair.checks[0].checks
    assert (sender.name, sender.actual, sender.normalised, sender.value) == ("word F1", "dhl", "dhl", 1.0)
    assert (price.name, price.actual, price.normalised, price.expected) == (
        "closeness of numbers",
        "30",
        30.0,
        "60",
    )
    assert "ln 2" in price.why
    assert price.value is not None
    assert pair.value is not None
    assert pair.value == pytest.approx((1 + price.value) / 2)
    assert ours.value == pytest.approx(pair.value / 2)
    assert price.clause.startswith("logarithm")


@pytest.mark.parametrize("rules", ["published", "paper"])
def test_every_check_has_a_reason_and_every_nested_one_a_combination(rules: str) -> None:
    for answer, gold in ((["red", "green"], "red\nblue"), ("x", "y"), ("5", "6"), ([{"a": 1}], '{"a": 2}')):
        for check in walk(score(answer, gold, rules).checks):
            assert check.why
            assert bool(check.combination) is bool(check.checks)


def test_the_metrics_tell_abstention_and_exact_match() -> None:
    assert score("", "45").metrics == {"answered": 0.0, "exact_match": 0.0}
    assert score("45", "45").metrics == {"answered": 1.0, "exact_match": 1.0}
    assert score("  ", "red").metrics["answered"] == 1.0
    assert score("  ", "red").beside[0].metrics["answered"] == 0.0


def test_a_gold_answer_that_is_not_public_is_not_scored() -> None:
    ours = score("45", None)
    assert ours.status is Status.NOT_SCORED
    assert ours.value is None


def test_missing_evidence_and_unknown_rules_are_errors() -> None:
    evaluator = AssistantBenchEvaluator()
    task = Task(benchmark="assistantbench", name="q1", gold={"answer": "45"})
    assert 'holds no "answer"' in evaluator.score(task, {}).reason
    assert 'no rule set "strict"' in evaluator.score(task, {"answer": "45"}, "strict").reason
    assert not evaluator.questions(task, {"answer": "45"})


def test_hostile_sizes_and_depths_are_errors_too() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert score(deep, "45").status is Status.ERROR
    assert score("[" * 100_000, "red").value == 0.0
    crowd = [f"item {number}" for number in range(600)]
    assert "too many to compare" in score(crowd, "\n".join(crowd)).reason
    assert score(10**5000, "45").status is Status.ERROR


def test_the_same_evidence_gives_the_same_bytes_and_survives_json() -> None:
    first, second = (score([{"sender": "dhl", "price": "30"}], GOLD_TABLE) for _ in range(2))
    assert msgspec.json.encode(first) == msgspec.json.encode(second)
    assert msgspec.json.decode(msgspec.json.encode(first), type=Score).value == first.value
    assert first.evaluator == "assistantbench 1"
    assert len(first.data_sha256) == len(first.evidence_sha256) == 64


def test_it_renders_as_text() -> None:
    text = score("1,200", "1200").beside[0]
    assert "1.000" in score_text(text)
    assert "closeness of numbers" in score_text(text)
