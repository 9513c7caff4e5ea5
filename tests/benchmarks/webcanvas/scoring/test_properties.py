"""What holds of every comparison and every episode, whatever is given."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.webcanvas.scoring.test_evaluate import (
    EVALUATOR,
    FOUND,
    FRONT,
    MEANT,
    SEARCH,
    SHOP,
    task,
)
from tests.parity.webcanvas import published_verdict
from webbench.benchmarks.webcanvas.scoring.element_values import (
    text_exact_match,
    text_include_match,
    value_exact_match,
    value_include_match,
)
from webbench.benchmarks.webcanvas.scoring.judge_replies import VERDICTS
from webbench.benchmarks.webcanvas.scoring.key_nodes import key_node
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PUBLISHED, Event
from webbench.benchmarks.webcanvas.scoring.progress import follow
from webbench.benchmarks.webcanvas.scoring.recorded_page import Page
from webbench.benchmarks.webcanvas.scoring.urls import site_label, url_exact_match, url_include_match
from webbench.core.judge import Reply
from webbench.core.score.score import Status

TEXTS = st.text(max_size=12) | st.sampled_from([FRONT, FOUND, "a%20b", "#x", "https://[::1"])
NODES = st.lists(st.sampled_from([SHOP, SEARCH, MEANT]), min_size=1, max_size=4)
URLS = st.lists(st.sampled_from([FRONT, FOUND, "about:blank", "https://shop.example/?q=%41"]), max_size=5)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_comparisons_give_0_or_1_and_what_is_equal_is_included(given_one: str, reference: str) -> None:
    for exact, include in ((value_exact_match, value_include_match), (text_exact_match, text_include_match)):
        equal, included = exact(given_one, reference), include(given_one, reference)
        assert {equal, included} <= {0, 1}
        assert equal <= included
        assert exact(reference, reference) == include(reference, reference) == include(reference, "") == 1
    for compare in (url_exact_match, url_include_match):
        assert compare(given_one, reference, "") in (0, 1)


@settings(deadline=None)
@given(st.from_regex(r"https://(www\.)?[a-z]{1,5}\.example/[a-z]{0,5}", fullmatch=True))
def test_an_address_without_escapes_meets_itself(url: str) -> None:
    assert url_exact_match(url, url, "") == 1
    assert url_include_match(url, url.removeprefix("https://"), "") == 1
    assert site_label(url) == url.removeprefix("https://").removeprefix("www.").split(".")[0]


@settings(deadline=None)
@given(st.sampled_from(["p", "#t", "div", "main", "i", "none"]))
def test_an_element_that_is_there_is_itself(selector: str) -> None:
    page = Page("<main><div><p id=t>x<i>y</i></p></div></main>")
    assert page.same_element(selector, selector, "selector") is (selector != "none")


@settings(deadline=None)
@given(st.lists(st.none() | st.text(max_size=8) | st.floats().map(lambda n: f"```{n}```"), min_size=1))
def test_a_published_verdict_lies_in_0_to_1(replies: list[str | None]) -> None:
    given_ones = iter([*replies, None, None])
    assert 0 <= published_verdict(lambda: next(given_ones)) <= 1


@settings(deadline=None)
@given(NODES, URLS, st.sampled_from(VERDICTS))
def test_scores_never_fall_on_the_way(nodes: list[dict[str, Any]], urls: list[str], verdict: str) -> None:
    events = [Event(url=url) for url in urls]
    known = [key_node(node) for node in nodes]
    before = [0.0] * len(nodes)
    for found in follow(known, events, lambda *_: float(verdict), PUBLISHED):
        now = [one.outcome().value for one in found]
        assert all(0 <= old <= new <= 1 for old, new in zip(before, now, strict=True))
        before = now


@settings(deadline=None)
@given(NODES, URLS, st.sampled_from([f"VERDICT: {word}" for word in VERDICTS] + ["no", "```0.5```", ""]))
def test_judged_scores_lie_in_0_to_1_and_repeating_the_episode_adds_nothing(
    nodes: list[dict[str, Any]], urls: list[str], reply: str
) -> None:
    steps = [{"url": url} for url in urls]
    questions = EVALUATOR.questions(task(*nodes), {"steps": steps})
    replies = {question.key: msgspec.to_builtins(Reply(text=reply)) for question in questions}
    once = EVALUATOR.score(task(*nodes), {"steps": steps, "replies": replies})
    twice = EVALUATOR.score(task(*nodes), {"steps": steps + steps, "replies": replies})
    for one, again in ((once, twice), (once.beside[0], twice.beside[0])):
        assert (one.status, one.value) == (again.status, again.value)
        assert one.status in (Status.SCORED, Status.ERROR)
        assert (one.value is None) == (one.status is Status.ERROR)
        assert one.value is None or 0 <= one.value <= 1
        per_paper = [check.value for check in one.checks if check.counted] if one.rules == "paper" else []
        assert set(per_paper) <= {0.0, 1.0, None}
    paper = once.beside[0].value
    assert paper is None or once.value is None or paper <= once.value + 1e-9
