"""What holds for every task, evidence, address and action text."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.webarena.judged import EVALUATOR, task_of
from tests.benchmarks.webarena.test_tasks import JSON
from tests.effort import examples
from tests.parity.id_actions import actions_equivalent, extract_action, parse_id_action
from webbench.benchmarks.webarena.scoring.final_address import OR, reddit_post_url
from webbench.benchmarks.webarena.scoring.rules import RULE_SETS
from webbench.benchmarks.webarena.scoring.url_match import url_match
from webbench.core.errors import BadData
from webbench.core.score.score import Check, Score, Status

WORDS = st.sampled_from(["", "a", "A", "0", "10", "N/A", "n/a", "'a'", "a |OR| b", "b", " a b ", "café"])
REFERENCES = st.fixed_dictionaries(
    {},
    optional={
        "exact_match": WORDS | JSON,
        "must_include": st.lists(WORDS, max_size=3) | JSON,
        "fuzzy_match": st.just("N/A") | st.lists(WORDS, max_size=2) | JSON,
    },
)
URLS = st.sampled_from(
    [
        "",
        "http://a/x",
        "http://a/x/",
        "http://a/xy?q=1",
        "http://b?q=1&q=2&r=",
        "http://[::1",
        "/f/a/1",
        "//a",
    ]
)
REQUIRED = st.fixed_dictionaries(
    {}, optional={"exact_match": WORDS | JSON, "must_include": st.lists(WORDS, max_size=2) | JSON}
)
TARGETS = st.lists(st.fixed_dictionaries({"required_contents": REQUIRED}) | JSON, max_size=2)
GOLD = st.fixed_dictionaries(
    {
        "eval_types": st.lists(
            st.sampled_from(["string_match", "url_match", "program_html", "other"]), max_size=3
        )
    },
    optional={
        "reference_answers": REFERENCES | JSON,
        "string_note": WORDS | JSON,
        "reference_url": URLS | st.tuples(URLS, URLS).map(OR.join) | JSON,
        "url_note": st.just("GOLD in PRED") | JSON,
        "program_html": st.lists(st.fixed_dictionaries({"required_contents": REQUIRED}) | JSON, max_size=2)
        | JSON,
    },
)
EVIDENCE = st.fixed_dictionaries(
    {},
    optional={
        "answer": WORDS | JSON,
        "url": URLS | JSON,
        "pages": st.lists(st.fixed_dictionaries({"located": WORDS | JSON}) | JSON, max_size=2) | JSON,
        "sites": st.just({"__MAP__": "http://a"}) | JSON,
        "replies": JSON,
    },
)
VERDICTS = st.sampled_from(
    ["VERDICT: same", "VERDICT: different", "VERDICT: correct", "incorrect", "correct", "not the same", "?"]
)
VERBS = ("click", "type", "stop", "press", "scroll", "goto", "tab_focus", "new_tab")
PIECES = (" ", "[5]", "[", "]", "[1]", "[a]", "up", "\n", "é", "Ж", "٣", "Meta+a", "```")
PARTS = st.sampled_from(VERBS) | st.sampled_from(PIECES)
ACTIONS = st.lists(PARTS, max_size=8).map("".join) | st.text(max_size=20)


@settings(max_examples=examples(500), deadline=None)
@given(GOLD, EVIDENCE, st.data())
def test_a_score_is_in_range_or_has_a_reason(
    gold: dict[str, Any], evidence: dict[str, Any], data: st.DataObject
) -> None:
    task = task_of(gold)
    if not isinstance(evidence.get("replies"), dict):
        replies = {
            question.key: {"text": data.draw(VERDICTS)}
            for rules in RULE_SETS
            for question in EVALUATOR.questions(task, evidence, rules)
            if data.draw(st.booleans())
        }
        evidence = {**evidence, "replies": replies} if replies else evidence
    score = EVALUATOR.score(task, evidence)
    for one in (score, *score.beside):
        check_state(one)
    assert msgspec.json.decode(msgspec.json.encode(score), type=Score) == score
    assert msgspec.json.encode(EVALUATOR.score(task, evidence)) == msgspec.json.encode(score)


def check_state(score: Score) -> None:
    if score.status is Status.SCORED:
        assert score.value in (0.0, 1.0)
        return
    assert score.value is None
    assert score.reason
    if score.status is Status.PENDING:
        assert score.interval is not None
        low, high = score.interval
        assert 0 <= low <= high <= 1


@settings(max_examples=examples(300), deadline=None)
@given(GOLD, EVIDENCE)
def test_every_combined_check_is_the_product_of_those_below_it(
    gold: dict[str, Any], evidence: dict[str, Any]
) -> None:
    score = EVALUATOR.score(task_of(gold), evidence)
    if score.value is not None:
        assert score.value == product_of(score.checks)
        for check in score.checks:
            check_tree(check)


def check_tree(check: Check) -> None:
    if check.checks and check.status is Status.SCORED:
        assert check.value == product_of(check.checks)
        for below in check.checks:
            check_tree(below)


def product_of(checks: tuple[Check, ...]) -> float:
    value = 1.0
    for check in checks:
        if check.counted:
            assert check.value is not None
            value *= check.value
    return value


@settings(max_examples=examples(300), deadline=None)
@given(URLS, st.lists(URLS, min_size=1, max_size=3))
def test_an_alternative_matches_itself_and_more_of_them_never_lose_a_path(
    url: str, others: list[str]
) -> None:
    try:
        alone = url_match({"reference_url": url}, url)
        first = url_match({"reference_url": OR.join(others)}, url)
        more = url_match({"reference_url": OR.join([*others, url])}, url)
    except BadData:
        assert any("[" in one for one in (url, *others))
        return
    assert alone.value == 1
    assert (more.checks[0].value or 0) >= (first.checks[0].value or 0)
    assert url_match({"reference_url": url}, url, "paper").value == 1


@settings(max_examples=examples(200), deadline=None)
@given(URLS | st.text(max_size=30))
def test_the_address_of_a_post_is_its_own_canonical_form(url: str) -> None:
    try:
        once = reddit_post_url(url)
    except BadData:
        return
    if once != url and "//" not in once.partition("://")[2]:
        assert reddit_post_url(once) == once


@settings(max_examples=examples(600), deadline=None)
@given(ACTIONS, ACTIONS)
def test_any_text_is_an_action_or_refused(first: str, second: str) -> None:
    try:
        one, other = parse_id_action(first), parse_id_action(second)
    except BadData:
        return
    assert actions_equivalent(one, one)
    assert actions_equivalent(one, other) == actions_equivalent(other, one)


@settings(max_examples=examples(200))
@given(st.text(max_size=30))
def test_a_fenced_action_is_found(text: str) -> None:
    if "`" not in text:
        assert extract_action(f"So I do ```{text}``` now", {}) == text.strip()


def test_long_texts_take_no_long_time() -> None:
    many = "[" * 20_000
    for text in (f"type [5] {many}", f"stop {many}", f"click {many}", "`" * 20_000):
        try:
            parse_id_action(text)
            extract_action(text, {})
        except BadData:
            continue


@pytest.mark.parametrize("local", [None, 5, ["http://forum.example"], {}])
def test_a_local_address_that_is_no_text_is_named_where_it_is_needed(local: Any) -> None:
    addresses = {"http://reddit.com": local}
    with pytest.raises(BadData, match=r"the local address of 'http://reddit\.com' is no text but"):
        extract_action("```goto [http://reddit.com/f/books]```", addresses)
    assert extract_action("```click [5]```", addresses) == "click [5]"
