"""Another way past key nodes counts as far as it was gone, and never above the nodes that it stands for."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.webcanvas.scoring.test_evaluate import (
    BUTTON,
    EVALUATOR,
    FRONT,
    MEANT,
    SEARCH,
    SHOP,
    evidence,
    paper,
    task,
    with_replies,
)
from tests.effort import examples
from webbench.benchmarks.webcanvas.agents.golden import _with_others
from webbench.benchmarks.webcanvas.framework_results import framework_result
from webbench.benchmarks.webcanvas.scoring.outcomes import step_reached
from webbench.benchmarks.webcanvas.tasks import read_task
from webbench.core.errors import BadData
from webbench.core.score.score import Status
from webbench.core.task import Task


def at(word: str) -> dict[str, Any]:
    return {"match_function": "url_included_match", "key": "", "reference_answer": f"/{word}"}


def other(instead_of: list[int], *nodes: dict[str, Any], note: str = "") -> dict[str, Any]:
    return {"instead_of": instead_of, "nodes": list(nodes), "note": note}


def ways(tested: Task, *alternatives: dict[str, Any]) -> Task:
    return msgspec.structs.replace(tested, gold=tested.gold | {"alternatives": list(alternatives)})


def pages(*words: str) -> dict[str, Any]:
    return evidence({"url": FRONT}, *({"url": f"{FRONT}{word}"} for word in words))


def test_one_of_several_functions_will_do_and_the_check_says_which() -> None:
    tested = ways(
        task(SHOP, SEARCH), other([2], at("red"), note="the shelf of red things"), other([2], at("shoes"))
    )
    score = EVALUATOR.score(tested, pages("shoes"))
    assert (score.value, score.metrics["task_success"]) == (1, 1)
    search = score.checks[1]
    assert (search.name, search.value, search.why) == (
        "url_exactly_match",
        1,
        "met by alternative 2 at step 2 and kept",
    )
    assert (search.actual, search.expected) == (f"{FRONT}shoes", "/shoes")
    assert search.combination == "best of 2 comparisons and 2 alternatives"
    first, second = search.checks[-2:]
    assert (first.name, first.value, first.target) == ("alternative 1", 0, "alternative 1")
    assert first.why == "0 of 1 node met, in place of key node 2: the shelf of red things"
    assert (second.name, second.value, second.target) == ("alternative 2", 1, "step 2")
    assert [line.target for line in second.checks] == ["alternative 2, node 1"]
    assert step_reached(search) == 2
    assert EVALUATOR.score(tested, pages()).checks[1].why == "not reached up to step 1, nor by an alternative"


@pytest.mark.parametrize(
    ("words", "values", "strict"),
    [
        ((), [0, 0], [0, 0]),
        (("one",), [2 / 3, 0], [0, 0]),
        (("one", "two"), [1, 1 / 3], [1, 0]),
        (("three", "one", "two"), [1, 1], [1, 1]),
        (("a", "one"), [1, 0], [1, 0]),
        (("a", "one", "two"), [1, 1 / 3], [1, 0]),
        (("a", "b", "one", "two"), [1, 1], [1, 1]),
    ],
)
def test_a_way_of_three_nodes_past_two_key_nodes(
    words: tuple[str, ...], values: list[float], strict: list[float]
) -> None:
    """Half of one way and half of the other are not added up: whichever got further counts."""
    tested = ways(task(at("a"), at("b")), other([1, 2], at("one"), at("two"), at("three")))
    score = EVALUATOR.score(tested, pages(*words))
    assert [check.value for check in score.checks[:2]] == pytest.approx(values)
    assert [check.value for check in paper(score).checks[:2]] == strict
    assert score.value == pytest.approx(sum(values) / 2)


def test_ways_that_share_a_key_node_are_counted_once() -> None:
    tested = ways(task(at("a"), at("b"), at("c")), other([1, 2], at("x")), other([2, 3], at("y")))
    assert EVALUATOR.score(tested, pages("x", "y")).metrics["step_score"] == 2
    assert EVALUATOR.score(tested, pages("x", "y", "a")).metrics["step_score"] == 3
    assert EVALUATOR.score(tested, pages("x", "c")).metrics["step_score"] == 3


def test_by_the_paper_parts_of_ways_do_not_outweigh_what_another_one_makes_up_for() -> None:
    """Three quarters of two ways count 0 there, and half of the way past both key nodes counts one."""
    visited = [at(word) for word in "pqr"]
    tested = ways(
        task(at("a"), at("b")),
        other([1], *visited, at("x")),
        other([2], *visited, at("y")),
        other([1, 2], at("p"), at("z")),
    )
    score = EVALUATOR.score(tested, pages("p", "q", "r"))
    assert (score.metrics["step_score"], paper(score).metrics["step_score"]) == (1.5, 1)


def test_what_is_open_on_another_way_leaves_the_score_open() -> None:
    tested = ways(task(SHOP, at("a")), other([2], MEANT))
    given_ = evidence({"url": FRONT}, {"url": f"{FRONT}find?q=boots"})
    score = EVALUATOR.score(tested, given_)
    assert (score.status, score.interval) == (Status.PENDING, (0.5, 1.0))
    assert score.checks[1].why == "alternative 1: a judge has to answer 1 question"
    answered = EVALUATOR.score(tested, with_replies(given_, tested, "VERDICT: 1"))
    assert (answered.status, answered.value) == (Status.SCORED, 1)
    done = EVALUATOR.score(tested, evidence({"url": f"{FRONT}a"}))
    assert (done.status, done.value) == (Status.SCORED, 1)


def test_an_element_whose_page_is_missing_on_another_way_is_told_of_it() -> None:
    tested = ways(task(at("a")), other([1], BUTTON))
    score = EVALUATOR.score(tested, evidence({"url": FRONT, "path": "#b", "value": "Go"}))
    assert score.status is Status.NOT_SCORED
    assert score.checks[0].why.startswith("alternative 1: the page of step 1 decides")


def test_the_framework_knows_no_other_way_and_its_steps_are_read_for_them() -> None:
    written: dict[str, Any] = {
        "index": 1,
        "task": "Buy red shoes",
        "reference_task_length": 2,
        "evaluation": [
            {"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "/a"}}
        ],
        "alternatives": [
            {
                "instead_of": [1],
                "evaluation": [
                    {
                        "match_function_name": "url_included_match",
                        "content": {"key": "", "reference_answer": "/b"},
                    }
                ],
            }
        ],
    }
    result = framework_result(
        {
            "task_name": "Buy red shoes",
            "status": "step_limit",
            "evaluate_steps": [
                {"match_function": "url_included_match", "key": "", "reference_answer": "/a", "score": 0}
            ],
            "step_list": [
                {"step_index": 0, "score": "0 / 1", "step_url": f"{FRONT}b"},
                {"step_index": 1, "score": "0 / 1", "step_url": f"{FRONT}b"},
            ],
        }
    )
    known = read_task(written)
    assert EVALUATOR.score(result.task(), result.evidence).value == 0
    score = EVALUATOR.score(result.task(known), result.evidence)
    assert (score.value, score.checks[0].why) == (
        1,
        "met by alternative 1 at step 2 and kept; the framework recorded 0",
    )
    assert (score.metrics["task_success"], paper(score).metrics["task_success"]) == (0, 1)


@pytest.mark.parametrize(
    ("alternative", "told"),
    [
        (7, "no object"),
        ({"instead_of": [1], "evaluation": []}, "has no nodes"),
        ({"instead_of": [], "evaluation": "x"}, 'no list "evaluation"'),
        ({"instead_of": [2], "evaluation": [{}]}, 'alternative 1: key node 1 has no object "content"'),
        ({"instead_of": [2, 1]}, 'no list "evaluation"'),
        ({"instead_of": [3]}, "from 1 to 2"),
        ({"instead_of": [2, 1], "evaluation": "node"}, "in order"),
        ({"instead_of": "all", "evaluation": "node"}, "another shape"),
    ],
)
def test_an_alternative_that_cannot_be_is_told_with_its_number(alternative: Any, told: str) -> None:
    node = {"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "/a"}}
    if isinstance(alternative, dict) and alternative.get("instead_of") == [3]:
        alternative = alternative | {"evaluation": [node]}
    if isinstance(alternative, dict) and alternative.get("evaluation") == "node":
        alternative = alternative | {"evaluation": [node]}
    written = {"index": 1, "task": "x", "evaluation": [node, node], "alternatives": [alternative]}
    with pytest.raises(BadData, match=told):
        read_task(written)


def test_a_reward_model_with_the_annotation_hears_of_other_ways() -> None:
    tested = ways(task(SHOP, SEARCH), other([2], at("red"), at("shoes")))
    assert list(_with_others(tested)) == [
        "the address holds shop.",
        'the parameter "q" of the address is red shoes; or, by another way: the address holds /red and '
        "the address holds /shoes",
    ]


WORDS = st.sampled_from("abcdef")


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(WORDS, min_size=1, max_size=4),
    st.lists(
        st.tuples(st.sets(st.integers(1, 4), min_size=1), st.lists(WORDS, min_size=1, max_size=3)), max_size=4
    ),
    st.lists(WORDS, max_size=6),
)
def test_alternatives_only_add_and_never_above_the_count(
    nodes: list[str], others: list[tuple[set[int], list[str]]], visited: list[str]
) -> None:
    plain = task(*map(at, nodes))
    kept = [
        other(sorted(numbers), *map(at, found)) for numbers, found in others if max(numbers) <= len(nodes)
    ]
    before, after = (EVALUATOR.score(one, pages(*visited)) for one in (plain, ways(plain, *kept)))
    for lower, score in zip((before, paper(before)), (after, paper(after)), strict=True):
        assert (lower.value or 0) - 1e-9 <= (score.value or 0) <= 1
        assert (score.metrics["step_score"] or 0) <= len(nodes) + 1e-9
        assert score.status is Status.SCORED
