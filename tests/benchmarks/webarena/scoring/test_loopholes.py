"""Warnings stand beside a score only where it really rests on the weakness."""

from __future__ import annotations

from typing import Any

import pytest

from tests.benchmarks.webarena.judged import answers, asked, pages, score_of
from webbench.benchmarks.webarena.scoring.evaluate import PACKAGE
from webbench.benchmarks.webarena.scoring.loopholes import CONDITIONS
from webbench.core.score.loopholes import load_loopholes
from webbench.core.score.score import Score

LONG = "I looked at every page and think that it may be red, or blue, or green"
URL = {"eval_types": ["url_match"], "reference_url": "http://shop.example/a |OR| http://shop.example/b"}
NOT_POSSIBLE = answers({"fuzzy_match": "N/A"}, string_note="no such page")


def ids(score: Score) -> set[str]:
    return {loophole.id for loophole in score.loopholes}


def test_every_entry_has_a_condition_and_every_condition_an_entry() -> None:
    assert {entry.id for entry in load_loopholes(PACKAGE)} == set(CONDITIONS)


@pytest.mark.parametrize(
    ("gold", "evidence", "expected"),
    [
        (answers({"must_include": ["green"]}), {"answer": LONG}, {"substring-answer"}),
        (answers({"must_include": ["green"]}), {"answer": "it is green"}, set()),
        (answers({"must_include": ["purple"]}), {"answer": LONG}, set()),
        (answers({"must_include": ["I looked at every page", "green"]}), {"answer": LONG}, set()),
        (
            answers({"must_include": ["5"]}),
            {"answer": "5"},
            {"single-digit-reference", "short-reference"},
        ),
        (answers({"must_include": ["5"]}), {"answer": "6"}, set()),
        (answers({"must_include": ["12"]}), {"answer": "2012"}, {"short-reference"}),
        (answers({"exact_match": "yes"}), {"answer": "Yes"}, {"short-reference"}),
        (answers({"must_include": ["1234"]}), {"answer": "1234"}, set()),
        (
            pages({"must_include": ["0 |OR| zero"]}),
            {"pages": [{"located": "10"}]},
            {"single-digit-reference", "short-reference"},
        ),
        (pages({"must_include": ["0 |OR| zero"]}), {"pages": [{"located": "zero"}]}, set()),
        (
            pages({"exact_match": "2"}),
            {"pages": [{"located": "2"}]},
            {"single-digit-reference", "short-reference"},
        ),
        (pages({"exact_match": "2"}), {"pages": [{"located": "3"}]}, set()),
        (pages({"exact_match": "yes"}), {"pages": [{"located": "Yes"}]}, {"short-reference"}),
        (pages({"exact_match": "a name"}), {"pages": [{"located": "a name"}]}, set()),
        (NOT_POSSIBLE, {"answer": "n/a"}, {"credit-for-giving-up"}),
        (URL, {"url": "http://shop.example/b"}, set()),
        (URL, {"url": "http://shop.example/b?page=2"}, set()),
        (URL, {"url": "http://shop.example/basket"}, {"url-substring"}),
        (URL, {"url": "http://shop.example/c"}, set()),
    ],
)
def test_when_a_warning_stands_beside_a_score(
    gold: dict[str, Any], evidence: dict[str, Any], expected: set[str]
) -> None:
    assert ids(score_of(gold, evidence)) == expected


def test_a_failed_product_rests_on_none_of_its_credits() -> None:
    gold = {**URL, "eval_types": ["string_match", "url_match"], "reference_answers": {"exact_match": "a"}}
    assert ids(score_of(gold, {"answer": "b", "url": "http://shop.example/basket"})) == set()


def test_a_judge_is_named_whatever_it_said_but_not_before_it_spoke() -> None:
    gold = answers({"fuzzy_match": ["several words"]})
    assert ids(score_of(gold, {"answer": "x"})) == set()
    assert ids(asked(gold, {"answer": "x"}, "incorrect")) == {"judge-used"}
    assert ids(asked(NOT_POSSIBLE, {"answer": "gone"}, "same")) == {"judge-used"}


def test_a_verdict_over_a_failed_comparison_is_named_under_the_rules_that_do_so() -> None:
    gold = answers({"must_include": ["somewhere"], "fuzzy_match": "N/A"}, string_note="no such page")
    score = asked(gold, {"answer": "n/a"}, "VERDICT: same")
    assert ids(score) == {"judge-used", "judge-replaces-product"}
    assert "judge-replaces-product" not in ids(score.beside[0])


def test_a_warning_belongs_to_its_rule_set() -> None:
    score = score_of(URL, {"url": "http://shop.example/basket"})
    assert ids(score) == {"url-substring"}
    assert ids(score.beside[0]) == set()
