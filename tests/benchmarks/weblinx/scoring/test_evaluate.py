"""Scores of single turns, and what they say."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.benchmarks.weblinx.turns import BOXES, action, evidence, task
from webbench.benchmarks.weblinx.scoring import explanation
from webbench.benchmarks.weblinx.scoring.evaluate import WebLinxEvaluator
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task

EVALUATOR = WebLinxEvaluator()


def scored(wanted: Any, raw: str, rules: str = "published") -> Score:
    return EVALUATOR.score(task(wanted), evidence(raw), rules)


def check(score: Score, name: str) -> Check:
    found = [one for top in score.checks for one in (top, *top.checks) if one.name == name]
    assert len(found) == 1, [one.name for one in found]
    return found[0]


@pytest.mark.parametrize(
    ("wanted", "raw", "value"),
    [
        (action("click", "button"), 'click(uid="button")', 1),
        (action("click", "button"), "click(x=20, y=20)", 1),
        (action("click", "menu"), 'click(uid="button")', 0.2),
        (action("click", "menu"), 'click(uid="nowhere")', 0),
        (action("say", utterance="Yes"), 'say(speaker="navigator", utterance="Yes")', 1),
        (action("load", url="https://a.example/b"), 'load(url="https://a.example/c")', 1 / 2),
        (action("load", url="https://a.example/b"), 'load(url="a.example/b")', 0.8),
        (action("textinput", "menu", text="lamp"), 'textinput(text="lamp", uid="button")', 0.2),
        (action("click", "menu"), 'say(utterance="menu")', 0),
        (action("scroll", x=0, y=300), "scroll(x=0, y=300)", 0),
    ],
)
def test_the_headline_counts_another_intent_as_zero(wanted: Any, raw: str, value: float) -> None:
    score = scored(wanted, raw)
    assert score.status is Status.SCORED
    assert score.value == pytest.approx(value)


def test_the_tree_unfolds_from_the_headline_to_each_comparison() -> None:
    score = scored(action("textinput", "menu", text="lamp"), 'textinput(text="lump", uid="button")')
    assert score.combination == "intent match x product of IoU and chrF"
    overall = check(score, "overall")
    parts = [one.value for one in overall.checks if one.counted]
    assert len(parts) == 2
    assert overall.value == pytest.approx((parts[0] or 0) * (parts[1] or 0))
    assert check(score, "intent match").value == 1
    assert score.value == overall.value
    assert check(score, "chrF").actual == "lump"
    assert check(score, "chrF").expected == "lamp"
    assert check(score, "IoU").expected == {"id": "menu", "bbox": BOXES["menu"]}
    assert not check(score, "exact match").counted


def test_another_intent_is_left_out_of_conditional_means_and_says_so() -> None:
    score = scored(action("click", "menu"), 'say(utterance="menu")')
    assert score.metrics["overall"] is None
    assert score.metrics["overall-unconditional"] == 0
    assert "conditional means leave the turn out" in score.headline()
    assert check(score, "overall").status is Status.NOT_SCORED


@pytest.mark.parametrize(
    ("wanted", "raw", "name", "clause"),
    [
        (
            action("say", utterance="a lamp"),
            'say(utterance="a lamp please")',
            "chrF",
            explanation.CHRF_CLAUSE,
        ),
        (action("say", utterance="300"), 'say(utterance="300")', "chrF", explanation.QUOTES_CLAUSE),
        (
            action("load", url="https://hat.com"),
            'load(url="https://what.com")',
            "URL-F",
            explanation.HOST_CLAUSE,
        ),
        (action("scroll", x=0, y=3), "scroll(x=0, y=3)", "overall", explanation.GROUPS_CLAUSE),
    ],
)
def test_what_differs_between_the_rule_sets_is_named(wanted: Any, raw: str, name: str, clause: str) -> None:
    score = scored(wanted, raw)
    assert check(score, name).clause == clause
    (beside,) = score.beside
    assert beside.rules == "paper"
    assert beside.value != score.value


def test_equal_texts_name_no_clause() -> None:
    score = scored(action("say", utterance="a lamp"), 'say(utterance="a lamp")')
    assert all(not one.clause for top in score.checks for one in (top, *top.checks))


def test_the_paper_leaves_out_intents_of_no_group() -> None:
    score = scored(action("scroll", x=0, y=3), "scroll(x=0, y=3)", "paper")
    assert score.status is Status.NOT_SCORED
    assert "leaves out turns of intent scroll" in score.reason
    assert score.metrics["intent-match"] == 1


@pytest.mark.parametrize(
    ("wanted", "given", "told"),
    [
        (action("say", utterance="2"), evidence('say(utterance="²")'), "'²' can't be read as a number"),
        (action("say", utterance="2"), {}, "neither a model's output nor an action"),
        (action("say", utterance="2"), {"action": []}, "an action is an object, this is list"),
        (action("load", url="a"), {"output": "load(url=5)"}, "an address has to be text"),
        (
            action("click", "menu"),
            {"action": {"intent": "click", "element": {"attributes": {}, "bbox": {"left": 1}}}},
            "a box has no 'right'",
        ),
    ],
)
def test_what_can_not_be_scored_is_an_error_that_names_it(wanted: Any, given: Any, told: str) -> None:
    score = EVALUATOR.score(task(wanted), given)
    assert score.status is Status.ERROR
    assert score.value is None
    assert told in score.reason
    assert "shop#3" in score.reason


def test_an_output_that_only_the_published_code_can_not_read_has_a_value_by_the_paper() -> None:
    wanted = action("textinput", "field", text="m²")
    score = scored(wanted, 'textinput(text="²", uid="field")')
    assert score.status is Status.ERROR
    assert score.beside[0].status is Status.SCORED
    assert check(score.beside[0], "IoU").value == 1


def test_a_dropped_turn_is_not_scored() -> None:
    score = EVALUATOR.score(task(action("click", "menu"), "a click before a copy"), evidence("click()"))
    assert score.status is Status.NOT_SCORED
    assert "a click before a copy" in score.reason
    assert score.metrics == {}


def test_unknown_rules_missing_gold_and_several_references() -> None:
    assert "no rule set" in EVALUATOR.score(task(action("say")), {}, "none").reason
    assert "holds no reference" in EVALUATOR.score(Task(benchmark="weblinx", name="x"), {}).reason
    gold = {"references": [{"intent": "click"}, {"intent": "say", "args": {"utterance": "ok"}}]}
    score = EVALUATOR.score(Task(benchmark="weblinx", name="x", gold=gold), evidence("say(utterance=ok)"))
    assert score.value == 1


def test_scoring_twice_gives_the_same_bytes_and_the_evidence_is_hashed() -> None:
    wanted, raw = action("say", utterance="a lamp"), 'say(utterance="lamp")'
    first, second = (msgspec.json.encode(scored(wanted, raw)) for _ in range(2))
    assert first == second
    score = scored(wanted, raw)
    assert score.evaluator == "weblinx 1"
    assert len(score.data_sha256) == len(score.evidence_sha256) == 64
    assert scored(wanted, raw + " ").evidence_sha256 != score.evidence_sha256


LOOPHOLES = [
    (action("load", url="https://hat.com"), 'load(url="https://what.com")', {"letters-of-host"}),
    (action("load", url="https://hat.com"), 'load(url="https://www.hat.com")', set()),
    (action("load", url="https://a.b/c/d"), 'load(url="https://a.b/d/c?q=1")', {"other-address"}),
    (action("load", url="https://a.b/c/"), 'load(url="http://a.b/c")', set()),
    (action("say", utterance="one lamp"), 'say(utterance="no lump")', {"no-common-word"}),
    (action("say", utterance="one lamp"), 'say(utterance="a lamp")', set()),
    (action("say", utterance="xyz"), 'say(utterance="abc")', set()),
    (action("say", utterance="300"), 'say(utterance="300")', {"quoted-number"}),
    (action("say", utterance="300"), 'say(utterance="301")', set()),
    (action("scroll", x=0, y=300), "scroll(x=0, y=300)", {"same-scroll"}),
    (action("scroll", x=0, y=300), "scroll(x=0, y=301)", set()),
    (action("say", utterance="what.com"), "scroll(x=0, y=301)", set()),
]


@pytest.mark.parametrize(("wanted", "raw", "expected"), LOOPHOLES)
def test_loopholes_appear_where_they_hold(wanted: Any, raw: str, expected: set[str]) -> None:
    assert {one.id for one in scored(wanted, raw).loopholes} == expected


def test_weaknesses_of_the_published_code_are_not_told_of_the_paper() -> None:
    score = scored(action("load", url="https://hat.com"), 'load(url="https://what.com")', "paper")
    assert score.value == 0
    assert score.loopholes == ()


def test_many_turns_together_give_what_each_gives_alone() -> None:
    words = ("a lamp", "the lamps", "m²", "300", "", "red — or blue")
    turns = [
        (task(action("textinput", "menu", text=wanted)), evidence(f'textinput(text="{given}", uid="button")'))
        for wanted in words
        for given in (*words, "²")
    ] * 3
    turns += [(task(action("say", utterance="a")), {}), (task(action("click", "menu")), evidence("click()"))]
    for rules in ("published", "paper", "none"):
        together = EVALUATOR.score_many(turns, rules)
        assert together == [EVALUATOR.score(*turn, rules) for turn in turns]


@pytest.mark.parametrize(
    ("wanted", "raw", "told"),
    [
        (action("click", "menu"), 'say(utterance="menu")', "the intent differs"),
        (action("click", "menu"), 'click(uid="button")', "the element's id differs"),
        (action("load", url="https://a.b/c"), 'load(url="https://a.b/d")', "the address differs"),
        (
            action("textinput", "menu", text="lamp"),
            'textinput(text="lump", uid="button")',
            "the element's id and the text differ",
        ),
        (
            action("scroll", x=0, y=3),
            "scroll(x=0, y=3)",
            "the reference has no element, which a scroll needs",
        ),
    ],
)
def test_an_exact_match_names_the_part_that_differs(wanted: Any, raw: str, told: str) -> None:
    exact = check(scored(wanted, raw), "exact match")
    assert exact.value == 0
    assert exact.why.startswith(told)
    assert isinstance(exact.actual, dict)
    assert isinstance(exact.expected, dict)
    assert exact.actual != exact.expected


@pytest.mark.parametrize(
    ("wanted", "raw", "told"),
    [
        (action("copy", "menu", text="lamp"), 'copy(text="lamp", uid="menu")', "take no text from a copy"),
        (action("paste", "menu", text="lamp"), 'paste(text="lamp", uid="menu")', "take no text from a paste"),
        (action("say", utterance="300"), 'say(utterance="300")', "is read as int 300, which is no text"),
        (action("say", utterance="300"), "say()", "the prediction has no text"),
    ],
)
def test_why_there_is_no_chrf_is_told_truly(wanted: Any, raw: str, told: str) -> None:
    assert told in check(scored(wanted, raw), "chrF").why
