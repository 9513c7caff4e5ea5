"""What a score shows, how the rule sets differ, what a judge is asked, and that scoring never raises."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.core.judge import Reply
from webbench.core.score.score import Score, Status
from webbench.core.scoring.judges.question_prompts import prompt_text
from webbench.core.task import Task

EVALUATOR = WebCanvasEvaluator()
PAGE = "<html><body><div id=box><button id=b><span class=t>Go</span></button><input id=q></div></body></html>"

SHOP = {"match_function": "url_included_match", "key": "", "reference_answer": "shop."}
SEARCH = {"match_function": "url_exactly_match", "key": "q", "reference_answer": "red shoes"}
BUTTON = {
    "match_function": "element_path_exactly_match",
    "method": "selector",
    "netloc": "shop",
    "reference_answer": ".t",
}
TYPED = {
    "match_function": "element_value_exactly_match",
    "netloc": "shop",
    "reference_answer": "10019",
    "path": "#q",
}
MEANT = {"match_function": "url_semantic_match", "key": "q", "reference_answer": "decide if it is footwear"}
ANSWER = {"match_function": "final_answer_semantic_match", "reference_answer": "decide if it is Paris"}

FRONT, FOUND = "https://www.shop.example/", "https://www.shop.example/find?q=red+shoes"


def task(*nodes: dict[str, Any], length: float | None = 4) -> Task:
    gold = {"key_nodes": list(nodes)} | ({"reference_length": length} if length is not None else {})
    return Task(benchmark="webcanvas", name="1", intent="Buy red shoes", gold=gold)


def evidence(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"steps": list(steps), **more}


def paper(score: Score) -> Score:
    return next(beside for beside in score.beside if beside.rules == "paper")


def metric(score: Score, name: str) -> float | None:
    return score.metrics[name]


def with_replies(given: dict[str, Any], tested: Task, text: str, rules: str = "published") -> dict[str, Any]:
    questions = EVALUATOR.questions(tested, given, rules)
    return given | {"replies": {q.key: msgspec.to_builtins(Reply(text=text)) for q in questions}}


def test_a_score_unfolds_from_the_mean_to_every_comparison() -> None:
    given = evidence(
        {"url": FRONT},
        {"url": FOUND, "path": "#b", "value": "Go", "html": PAGE},
        {"url": FRONT, "path": "#q", "value": "1001", "html": PAGE},
    )
    score = EVALUATOR.score(task(SHOP, SEARCH, BUTTON, TYPED), given)
    assert (score.status, score.value, score.combination) == (Status.SCORED, 0.75, "mean of 4 key nodes")
    shop, search, button, typed, *_ = score.checks
    assert [check.value for check in (shop, search, button, typed)] == [1, 1, 1, 0]
    assert (shop.why, button.why) == ("reached at step 1 and kept", "reached at step 2 and kept")
    assert (search.actual, search.normalised, search.expected) == (FOUND, "red shoes", "red shoes")
    assert [check.target for check in search.checks] == ["step 1", "step 2"]
    assert search.checks[0].why == 'the parameter "q" is not in the address'
    assert typed.checks[-1].why == "the value doesn't equal the reference"
    assert [check.target for check in typed.checks] == ["step 2", "step 3"]
    assert typed.checks[0].why == "it is the value of another element"
    assert sum(check.value or 0 for check in score.checks if check.counted) / 4 == score.value


def test_the_same_evidence_gives_the_same_bytes_and_survives_json() -> None:
    tested, given = task(SHOP, BUTTON), evidence({"url": FRONT, "path": "#b", "html": PAGE})
    first, second = (msgspec.json.encode(EVALUATOR.score(tested, given)) for _ in range(2))
    assert first == second
    score = msgspec.json.decode(first, type=Score)
    assert score == EVALUATOR.score(tested, given)
    assert len(score.data_sha256) == len(score.evidence_sha256) == 64
    assert score.evaluator == "webcanvas 2"


def test_success_and_efficiency_differ_between_the_rule_sets() -> None:
    half = EVALUATOR.score(task(SHOP, SEARCH), evidence({"url": FRONT}, {"url": FRONT}, status="finished"))
    assert (metric(half, "task_success"), metric(paper(half), "task_success")) == (1, 0)
    assert any("success" in check.clause for check in half.checks)
    nothing = EVALUATOR.score(task(SEARCH), evidence({"url": FRONT}, status="step_limit"))
    assert (metric(nothing, "efficiency"), metric(paper(nothing), "efficiency")) == (0, None)
    assert any("efficiency" in check.clause for check in nothing.checks)
    assert (metric(nothing, "task_length_score"), metric(paper(nothing), "task_length_score")) == (1, None)


@pytest.mark.parametrize(
    ("nodes", "signal", "aligned"),
    [((SHOP,), True, 1.0), ((SHOP,), False, 0.95), ((SHOP, SEARCH), True, 0.5), ((SHOP, SEARCH), False, 0.4)],
)
def test_human_alignment(nodes: tuple[dict[str, Any], ...], signal: bool, aligned: float) -> None:
    score = EVALUATOR.score(task(*nodes), evidence({"url": FRONT}, signal=signal))
    assert metric(score, "human_alignment_score") == pytest.approx(aligned)


def test_a_semantic_node_is_pending_until_a_judge_has_answered() -> None:
    tested, given = task(SHOP, MEANT), evidence({"url": FRONT}, {"url": FOUND})
    open_score = EVALUATOR.score(tested, given)
    assert (open_score.status, open_score.value, open_score.interval) == (Status.PENDING, None, (0.5, 1.0))
    (question,) = EVALUATOR.questions(tested, given)
    assert question.fields == {"answer": "red shoes", "requirement": "decide if it is footwear"}
    assert "red shoes" in prompt_text(question)
    assert "VERDICT: 0.7" in prompt_text(question)
    done = with_replies(given, tested, "It is.\nVERDICT: 1")
    assert EVALUATOR.questions(tested, done) == ()
    assert EVALUATOR.score(tested, done).value == 1


def test_part_of_a_semantic_match_counts_only_as_published() -> None:
    tested, given = task(MEANT), evidence({"url": FOUND})
    score = EVALUATOR.score(tested, with_replies(given, tested, "VERDICT: 0.5"))
    assert (score.value, paper(score).value) == (0.5, 0)
    assert "semantic match" in score.checks[0].clause


@pytest.mark.parametrize(
    ("reply", "published", "by_paper"),
    [
        ("```0.333```", 0.33, None),
        ("```0.4``` at first.\nVERDICT: 1", 1.0, 1.0),
        ("```0.4```\nVERDICT: perhaps", None, None),
        ("```yes```", None, None),
        ("no idea", None, None),
        ("0", None, None),
        ("", None, None),
        ("VERDICT: 0.55", None, None),
        ("VERDICT: 1", 1.0, 1.0),
    ],
)
def test_a_verdict_that_cannot_be_read_is_an_error_and_never_a_number(
    reply: str, published: float | None, by_paper: float | None
) -> None:
    tested, given = task(MEANT), evidence({"url": FOUND})
    score = EVALUATOR.score(tested, with_replies(given, tested, reply))
    assert (score.value, paper(score).value) == (published, by_paper)
    for one in (score, paper(score)):
        assert (one.status is Status.ERROR) == ("unreadable verdict" in one.reason) == (one.value is None)


def test_a_judge_that_failed_leaves_an_error_and_no_number() -> None:
    tested, given = task(MEANT), evidence({"url": FOUND})
    (question,) = EVALUATOR.questions(tested, given)
    failed = given | {"replies": {question.key: {"error": "429 Too Many Requests", "judge": "model"}}}
    score = EVALUATOR.score(tested, failed)
    assert (score.status, score.value) == (Status.ERROR, None)
    assert "429" in score.reason


def test_an_unusable_reply_leaves_the_node_open_to_a_later_step() -> None:
    given = evidence({"url": FOUND + "&q=x"}, {"url": "https://www.shop.example/find?q=boots"})
    tested = task(MEANT)
    first, second = EVALUATOR.questions(tested, given)
    bad, good = (msgspec.to_builtins(Reply(text=text)) for text in ("no idea", "VERDICT: 1"))
    half = given | {"replies": {first.key: bad}}
    assert EVALUATOR.score(tested, half).status is Status.PENDING
    assert EVALUATOR.questions(tested, half) == (second,)
    assert EVALUATOR.score(tested, given | {"replies": {first.key: bad, second.key: good}}).value == 1
    assert (
        EVALUATOR.score(tested, given | {"replies": {first.key: bad, second.key: bad}}).status is Status.ERROR
    )


def test_texts_are_judged_by_the_paper_alone() -> None:
    tested, given = task(ANSWER), evidence({"url": FRONT, "text": "Paris"})
    score = EVALUATOR.score(tested, given)
    assert (score.status, paper(score).status) == (Status.ERROR, Status.PENDING)
    assert "never waits" in score.reason
    assert EVALUATOR.questions(tested, given) == ()
    assert len(EVALUATOR.questions(tested, given, "paper")) == 1


def test_a_page_that_was_not_recorded_leaves_the_task_unscored() -> None:
    score = EVALUATOR.score(task(SHOP, BUTTON), evidence({"url": FRONT, "path": "#b", "value": "Go"}))
    assert (score.status, score.value) == (Status.NOT_SCORED, None)
    assert "key node 2" in score.reason
    assert "step 1" in score.reason
    elsewhere = EVALUATOR.score(task(SHOP, BUTTON), evidence({"url": FRONT}))
    assert (elsewhere.status, elsewhere.value) == (Status.SCORED, 0.5)


@pytest.mark.parametrize(
    ("gold", "given", "told"),
    [
        ({}, {"steps": []}, "no key nodes"),
        ({"key_nodes": [{"match_function": 3}]}, {"steps": []}, "another shape"),
        ({"key_nodes": [SHOP]}, {}, "another shape"),
        ({"key_nodes": [SHOP]}, {"steps": [{"url": FRONT}], "scores": [1, 1]}, "2 scores"),
        ({"key_nodes": [SHOP]}, {"steps": [{"url": FRONT}], "scores": [7]}, "not within 0 and 1"),
        ({"key_nodes": [SHOP | {"score": 2}]}, {"steps": [{"url": FRONT}]}, "not within 0 and 1"),
        ({"key_nodes": [SHOP | {"key": None}]}, {"steps": [{"url": 7}]}, "is no text"),
        ({"key_nodes": [{"match_function": "url_exactly_match", "reference_answer": "x"}]}, None, '"key"'),
    ],
)
def test_trouble_is_an_error_that_names_it(
    gold: dict[str, Any], given: dict[str, Any] | None, told: str
) -> None:
    tested = Task(benchmark="webcanvas", name="1", gold=gold)
    score = EVALUATOR.score(tested, evidence({"url": FRONT}) if given is None else given)
    assert (score.status, score.value) == (Status.ERROR, None)
    assert told in score.reason


def test_unknown_rules_are_refused() -> None:
    assert EVALUATOR.score(task(SHOP), evidence({"url": FRONT}), "strict").status is Status.ERROR


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text(max_size=5) | st.just(FOUND),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=3,
)
NODES = st.sampled_from([SHOP, SEARCH, BUTTON, TYPED, MEANT, ANSWER])
STEPS = st.fixed_dictionaries(
    {}, optional={"url": JSON, "path": JSON, "value": JSON, "text": JSON, "html": st.just(PAGE) | JSON}
)


@settings(max_examples=examples(200), deadline=None)
@given(nodes=st.lists(NODES, min_size=1, max_size=3), steps=st.lists(STEPS, max_size=3))
def test_it_never_raises_and_scores_lie_between_0_and_1(
    nodes: list[dict[str, Any]], steps: list[dict[str, Any]]
) -> None:
    for rules in ("published", "paper"):
        score = EVALUATOR.score(task(*nodes), evidence(*steps), rules)
        assert (score.value is not None) == (score.status is Status.SCORED)
        assert score.value is None or 0 <= score.value <= 1
        json.dumps(msgspec.to_builtins(score))
