"""Scores: the tree down to each comparison, judges, both rule sets, and states that are no number."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.benchmarks.webarena.judged import (
    EVALUATOR,
    answers,
    asked,
    clauses,
    leaves,
    pages,
    score_of,
    task_of,
)
from webbench.benchmarks.webarena.scoring.rules import (
    BOTH_CLAUSE,
    EXACT_CLAUSE,
    INCLUDE_CLAUSE,
    UNACHIEVABLE_CLAUSE,
    URL_CLAUSE,
    VERDICT_CLAUSE,
)
from webbench.core.judge import REPLIES, Reply
from webbench.core.score.score import Status
from webbench.core.scoring.judges.question_prompts import prompt_text

URL = {
    "eval_types": ["url_match"],
    "reference_url": "http://shop.example/a?q=1 |OR| http://shop.example/b?q=2",
}
UNACHIEVABLE = answers({"fuzzy_match": "N/A"}, string_note="there is no contact page")


def test_a_score_unfolds_from_the_product_to_each_comparison() -> None:
    gold = {
        **answers({"must_include": ["red", "blue"]}),
        "eval_types": ["string_match", "url_match"],
        "reference_url": "http://shop.example/a",
    }
    score = score_of(gold, {"answer": "Red only", "url": "https://shop.example/a/b"})
    assert (score.value, score.combination) == (0.0, "product of 2")
    assert [check.name for check in score.checks] == ["string_match", "url_match"]
    told = [(check.expected, check.normalised, check.value) for check in leaves(score.checks[:1])]
    assert told == [("red", "red only", 1.0), ("blue", "red only", 0.0)]
    assert score.checks[0].why == '"blue" does not occur in "red only"'
    assert score.metrics == {"string_match": 0.0, "url_match": 1.0}


def test_the_same_evidence_gives_the_same_bytes() -> None:
    evidence = {"answer": "b", "url": "http://shop.example/a?q=2"}
    first, second = (msgspec.json.encode(score_of(URL, dict(evidence))) for _ in range(2))
    assert first == second
    assert len(score_of(URL, evidence).data_sha256) == 64
    assert score_of(URL, evidence).evidence_sha256 != score_of(URL, {"url": "http://x"}).evidence_sha256


def test_without_a_judge_a_score_is_pending_with_what_it_can_still_be() -> None:
    score = score_of(answers({"must_include": ["red"], "fuzzy_match": ["a", "b"]}), {"answer": "red"})
    assert (score.status, score.value, score.interval) == (Status.PENDING, None, (0.0, 1.0))
    decided = score_of(answers({"must_include": ["red"], "fuzzy_match": ["a"]}), {"answer": "blue"})
    assert (decided.status, decided.interval) == (Status.PENDING, (0.0, 0.0))


def test_questions_are_asked_once_for_both_rule_sets_and_have_prompts() -> None:
    task, evidence = task_of(answers({"fuzzy_match": ["5 mugs", "in May"]})), {"answer": "'Five mugs'"}
    questions = EVALUATOR.questions(task, evidence)
    assert [question.fields["reference"] for question in questions] == ["5 mugs", "in May"]
    assert questions == EVALUATOR.questions(task, evidence, "paper")
    reason = EVALUATOR.questions(task_of(UNACHIEVABLE), evidence)
    for question in (*questions, *reason):
        text = prompt_text(question)
        assert all(value in text for value in question.fields.values())
        assert text.rstrip().endswith("VERDICT: <word>")


@pytest.mark.parametrize(
    ("reply", "published", "paper"),
    [
        ("It names both.\nVERDICT: correct", 1.0, 1.0),
        ("Incorrect would be too hard.\nVERDICT: correct", 1.0, 1.0),
        ("One is missing.\nVERDICT: partially correct", 0.0, 0.0),
        ("not correct", 1.0, None),
        ("Incorrect", 0.0, None),
        ("yes", None, None),
        ("", None, None),
    ],
)
def test_verdicts(reply: str, published: float | None, paper: float | None) -> None:
    gold = answers({"fuzzy_match": ["a"]})
    scores = asked(gold, {"answer": "b"}, reply), asked(gold, {"answer": "b"}, reply, "paper")
    for score, expected in zip(scores, (published, paper), strict=True):
        assert score.value == expected
        assert score.status is (Status.ERROR if expected is None else Status.SCORED)
        assert expected is not None or "unreadable verdict" in score.reason
    if published != paper:
        assert VERDICT_CLAUSE in clauses(scores[0])


def test_a_judge_that_failed_leaves_the_score_pending_and_is_asked_again() -> None:
    task, evidence = task_of(answers({"fuzzy_match": ["a"]})), {"answer": "b"}
    (question,) = EVALUATOR.questions(task, evidence)
    failed = {**evidence, REPLIES: {question.key: msgspec.to_builtins(Reply(error="429"))}}
    assert EVALUATOR.score(task, failed).status is Status.PENDING
    assert "429" in EVALUATOR.score(task, failed).reason
    assert EVALUATOR.questions(task, failed) == (question,)


def test_a_task_that_cannot_be_done() -> None:
    assert score_of(UNACHIEVABLE, {"answer": "n/a"}).value == 1
    assert score_of(UNACHIEVABLE, {"answer": "N/A"}, "paper").value == 1
    assert score_of(UNACHIEVABLE, {"answer": "n/a"}, "paper").status is Status.PENDING
    assert asked(UNACHIEVABLE, {"answer": "no such page"}, "same").value == 1
    assert asked(UNACHIEVABLE, {"answer": "no such page"}, "different").value == 0


def test_as_published_the_verdict_replaces_the_product_and_by_the_paper_it_is_a_factor() -> None:
    gold = answers({"must_include": ["mug"], "fuzzy_match": "N/A"})
    score = asked(gold, {"answer": "n/a"}, "VERDICT: same")
    assert score.value == 1
    assert [(check.name, check.counted) for check in leaves(score.checks)] == [
        ("must_include", False),
        ("exact_match", False),
        ("unachievable_match", True),
    ]
    assert score.beside[0].value == 0
    assert clauses(score) == {UNACHIEVABLE_CLAUSE}


@pytest.mark.parametrize(
    ("gold", "evidence", "published", "paper", "clause"),
    [
        (answers({"exact_match": "Red"}), {"answer": "red"}, 1, 0, EXACT_CLAUSE),
        (answers({"must_include": ["0"]}), {"answer": "10"}, 0, 1, INCLUDE_CLAUSE),
        (URL, {"url": "http://shop.example/a?q=2"}, 1, 0, URL_CLAUSE),
        (URL, {"url": "http://shop.example/b?q=2"}, 1, 1, ""),
        (
            pages({"exact_match": "a", "must_include": ["b"]}),
            {"pages": [{"located": "a"}]},
            1,
            0,
            BOTH_CLAUSE,
        ),
    ],
)
def test_where_the_rule_sets_differ_the_clause_is_named(
    gold: dict[str, Any], evidence: dict[str, Any], published: float, paper: float, clause: str
) -> None:
    score = score_of(gold, evidence)
    assert (score.value, score.beside[0].value) == (published, paper)
    assert clauses(score) == clauses(score.beside[0]) == ({clause} - {""})
    other = score_of(gold, evidence, "paper")
    assert (other.value, other.beside[0].value) == (paper, published)


@pytest.mark.parametrize(
    ("gold", "evidence", "reason"),
    [
        (answers({"exact_match": "a"}), {}, "the answer is not recorded"),
        (URL, {"answer": "a"}, "the final address is not recorded"),
        (
            {"eval_types": ["url_match"], "reference_url": "__GITLAB__/x"},
            {},
            "the final address is not recorded",
        ),
        (pages({"exact_match": "a"}), {}, "the contents of the page are not recorded"),
        (pages({"exact_match": "a"}, {"exact_match": "b"}), {"pages": [{"located": "a"}, None]}, "the page"),
        ({"eval_types": ["url_match"], "reference_url": "__GITLAB__/x"}, {"url": "http://x/x"}, "__GITLAB__"),
    ],
)
def test_what_is_not_recorded_is_not_scored(
    gold: dict[str, Any], evidence: dict[str, Any], reason: str
) -> None:
    score = score_of(gold, evidence)
    assert (score.status, score.value) == (Status.NOT_SCORED, None)
    assert reason in score.reason


@pytest.mark.parametrize(
    ("gold", "evidence", "reason"),
    [
        ({}, {}, "no list of eval_types"),
        ({"eval_types": ["magic"]}, {}, '"magic" is unknown'),
        (answers(["a"]), {"answer": "a"}, "no object of reference_answers"),
        (answers({"exact_match": 5}), {"answer": "a"}, "no text but 5"),
        (answers({"exact_match": "a"}), {"answer": 5}, "no text but 5"),
        (answers({"must_include": "a"}), {"answer": "a"}, "must_include is no list"),
        (answers({"fuzzy_match": "n/a"}), {"answer": "a"}, "fuzzy_match is neither"),
        (answers({"fuzzy_match": "N/A"}, string_note=None), {"answer": "a"}, "string_note"),
        (answers({"fuzzy_match": ["a"]}), {"answer": "a", "replies": {}}, "no judge"),
        ({**URL, "url_note": "EXACT"}, {"url": "http://x"}, "matching rule 'EXACT'"),
        (URL, {"url": "http://[::1"}, "can't be parsed"),
        (pages({"fuzzy_match": "a"}), {"pages": [{"located": "a"}]}, "names fuzzy_match"),
        (pages({"exact_match": "a"}), {"pages": []}, "no list of 1"),
        (pages({"exact_match": "a"}), {"pages": ["a"]}, "another shape"),
        (URL, {"url": "http://x", "sites": {"__MAP__": 5}}, "sites"),
    ],
)
def test_trouble_is_told_and_never_a_number(
    gold: dict[str, Any], evidence: dict[str, Any], reason: str
) -> None:
    score = score_of(gold, evidence)
    assert score.status in (Status.ERROR, Status.PENDING)
    assert score.value is None
    assert reason in score.reason
    assert EVALUATOR.score(task_of(gold), evidence, "made up").status is Status.ERROR


def test_an_empty_task_passes_as_published_only() -> None:
    score = score_of({"eval_types": []}, {})
    assert (score.value, score.combination) == (1.0, "1 because nothing is checked")
    assert score.beside[0].status is Status.NOT_SCORED


def test_sites_stand_in_for_their_placeholders() -> None:
    gold = {"eval_types": ["url_match"], "reference_url": "__GITLAB__/x"}
    assert (
        score_of(gold, {"url": "http://g.example/x", "sites": {"__GITLAB__": "http://g.example/"}}).value == 1
    )
    assert score_of(gold, {"url": "__GITLAB__/x"}).value == 1
    required = pages({"must_include": ["__REDDIT__/f/a"]})
    located = {
        "pages": [{"located": "<a href=http://r.example/f/a>"}],
        "sites": {"__REDDIT__": "http://r.example"},
    }
    assert score_of(required, located).value == 1


def test_page_checks_before_the_address_may_have_left_the_page() -> None:
    gold = {**pages({"exact_match": "a"}, kinds=("program_html", "url_match")), "reference_url": "http://x/a"}
    evidence = {"pages": [{"located": "a"}], "url": "http://x/a"}
    assert score_of(gold, evidence).value == 1
    assert score_of(gold, {**evidence, "url_after_pages": "http://x/b"}).value == 0
    later = {**gold, "eval_types": ["url_match", "program_html"]}
    assert score_of(later, {**evidence, "url_after_pages": "http://x/b"}).value == 1


def test_a_whole_page_is_compared_but_not_copied_into_the_score() -> None:
    page = "x" * 50_000 + "needle" + "y" * 50_000
    score = score_of(pages({"must_include": ["Needle", "absent"]}), {"pages": [{"located": page}]})
    found, absent = leaves(score.checks)
    assert (found.value, absent.value) == (1.0, 0.0)
    assert "needle" in found.normalised
    assert len(msgspec.json.encode(score)) < 40_000
