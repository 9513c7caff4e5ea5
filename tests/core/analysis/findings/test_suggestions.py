"""Each suggestion on a trajectory that shows it, and none on one that is as it should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from webbench.core.action.action import Action, Click, ElementRef, Goto, Say, Scroll, Stop
from webbench.core.analysis.findings.suggest import suggest
from webbench.core.analysis.findings.suggestion import Suggestion
from webbench.core.json_types import JsonObject
from webbench.core.observation import AccessibilityNode, Observation, PageMessage
from webbench.core.score.score import Score, Status
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory

SHOP = "http://shop.test/"
Pages = dict[int, tuple[str, Sequence[str]]]


def trajectory(
    actions: Sequence[Action | str],
    *,
    gold: JsonObject | None = None,
    value: float | None = 0.0,
    ended: str = "now",
    reason: str = "stopped",
    **about: Mapping[int, Any],
) -> Trajectory:
    """Steps 1.. of these actions (a text is none); `about` gives fields of steps by number."""
    steps = [Step(index=0, at="", **_fields(0, about))]
    for index, action in enumerate(actions, 1):
        done = None if isinstance(action, str) else action
        text = action if isinstance(action, str) else repr(action)
        given = {"text": text, **_fields(index, about)}
        steps.append(Step(index=index, at="", action=done, **given))
    score = Score(status=Status.SCORED, value=value) if value is not None else None
    header = EpisodeHeader(
        run="r",
        episode="e",
        task=Task(benchmark="b", name="t", intent="Find the price of the lamp", gold=gold or {}),
        actor="agent",
        dialect="",
        ended=ended,
        end_reason=reason,
        score=score,
    )
    return Trajectory(header=header, steps=tuple(steps))


def _fields(index: int, about: Mapping[str, Mapping[int, Any]]) -> dict[str, Any]:
    return {name: by[index] for name, by in about.items() if index in by}


def found(one: Trajectory, pages: Pages | None = None, *, blind: bool = False) -> list[Suggestion]:
    """Suggestions, where each page is a title and the names of its nodes, numbered from 1."""
    seen = {
        index: Observation(
            url=SHOP,
            title=title,
            nodes=tuple(
                AccessibilityNode(id=number, role="link", name=name) for number, name in enumerate(names, 1)
            ),
        )
        for index, (title, names) in (pages or {}).items()
    }
    return list(suggest(one, lambda step: seen.get(step.index), blind=blind))


def click(id: int) -> Click:
    return Click(target=ElementRef(id=id))


def one_page(count: int) -> Pages:
    return {index: ("Shop", ["Lamp", "Cart"]) for index in range(count + 1)}


ADDRESSES = dict.fromkeys(range(9), SHOP)


def test_a_straight_way_that_was_solved_gives_none() -> None:
    pages: Pages = {0: ("Shop", ["Lamp"]), 1: ("Lamp", ["$5", "Buy"]), 2: ("Lamp", ["$5", "Buy"])}
    way = trajectory([click(1), Stop(answer="$5")], value=1.0, gold={"answer": "$5"}, url=ADDRESSES)
    assert found(way, pages) == []


def test_the_same_on_the_same_page_is_a_loop() -> None:
    way = trajectory([click(1), click(1), click(2)], url=ADDRESSES)
    (loop,) = found(way, one_page(3))
    assert (loop.kind, loop.first, loop.step, loop.means) == ("loop", 1, 2, ("cause.repetition",))
    assert loop.text.endswith('as at step 1: click link "Lamp"'), loop.text


def test_without_pages_three_times_in_a_row_is_a_loop_but_scrolling_is_not() -> None:
    assert [one.step for one in found(trajectory(["click the button"] * 3))] == [3]
    assert found(trajectory(["click the button"] * 2)) == []
    assert found(trajectory([Scroll(dy=300)] * 5)) == []
    nameless = Click(target=ElementRef(role="span"))
    assert found(trajectory([nameless] * 4)) == [], "each may be another one"


def test_of_pages_that_were_not_recorded_it_claims_nothing() -> None:
    """Only the first address is known: where the second click was done nobody can tell."""
    assert found(trajectory([click(1), Scroll(dy=300), click(1), Scroll(dy=300)], url={0: SHOP})) == []
    assert found(trajectory([click(1), click(1)], url=dict.fromkeys(range(3), SHOP))) == []


def test_two_pages_that_take_turns_oscillate() -> None:
    pages: Pages = {index: (f"P{index % 2}", [f"Link {index % 2}"]) for index in range(7)}
    way = trajectory([click(1)] * 6, url={index: f"{SHOP}{'ab'[index % 2]}" for index in range(7)})
    kinds = {one.kind for one in found(way, pages)}
    assert "oscillation" in kinds


def test_invalid_actions_in_a_row_and_an_element_that_is_not_there() -> None:
    way = trajectory(
        ["klick 1", "klick 1", click(7)],
        ok={1: False, 2: False},
        error={1: "not an action", 2: "not an action"},
        url=ADDRESSES,
    )
    invalid, dead = (one for one in found(way, one_page(3)) if one.kind != "loop")
    assert (invalid.kind, invalid.first, invalid.step, invalid.quote) == (
        "repeated-invalid",
        1,
        2,
        "not an action",
    )
    assert "same action" in invalid.text
    assert (dead.kind, dead.step) == ("dead-element", 3)
    assert "[7], which the observation of step 2 doesn't have" in dead.text


@pytest.mark.parametrize("answer", ["N/A", "This is impossible to do.", ""])
def test_giving_up_is_an_early_stop_unless_the_reference_says_so(answer: str) -> None:
    pages = one_page(4)
    way = [click(1), click(2), Stop(answer=answer)]
    (stop,) = found(trajectory(way, gold={"answer": "$50"}, url=ADDRESSES), pages)
    assert (stop.kind, stop.step) == ("early-stop", 3)
    assert found(trajectory(way, gold={"answer": "N/A"}, url=ADDRESSES), pages) == []
    assert found(trajectory(way, gold={"answer": "$50"}, url=ADDRESSES), pages, blind=True) == []


def test_the_answer_on_a_page_is_told_only_after_the_end_and_never_blindly() -> None:
    pages: Pages = {0: ("Shop", ["Lamp"]), 1: ("Lamp", ["costs 12.50", "12"]), 2: ("Cart", ["Lamp"])}
    steps = [click(1), click(1), Goto(url=SHOP), Stop(answer="I think it is 11")]
    gold: JsonObject = {"reference_answers": {"must_include": ["12.50", "lamp"]}, "reference_url": "Cart"}
    (seen,) = found(trajectory(steps, gold=gold, url=ADDRESSES), pages)
    assert (seen.kind, seen.step, seen.quote) == ("answer-seen", 1, "Lamp costs 12.50 12")
    for hidden in (trajectory(steps, gold=gold, url=ADDRESSES, ended=""),):
        assert found(hidden, pages) == []
    assert found(trajectory(steps, gold=gold, url=ADDRESSES), pages, blind=True) == []
    assert found(trajectory(steps, gold={"answer": "2.5"}, url=ADDRESSES), pages) == []


def test_none_of_the_pages_with_the_answer_was_opened() -> None:
    """AssistantBench, section 6.2: the way does not lead to the gold answer."""
    gold: JsonObject = {
        "answer": "12",
        "solution": {"pages": ["https://www.shop.test/lamps/?a=1", "http://b.test"]},
    }
    way = [Goto(url=SHOP), Goto(url=f"{SHOP}beds"), Stop(answer="11")]
    (missed,) = found(trajectory(way, gold=gold, url={1: SHOP, 2: f"{SHOP}beds"}))
    assert (missed.kind, missed.step, missed.means) == ("pages-missed", 3, ("cause.navigation",))
    assert (
        missed.text == "opened none of the 2 pages where the answer can be verified; of 1 it was on the site"
    )
    assert found(trajectory(way, gold=gold, url={1: SHOP, 2: f"{SHOP}beds"}), blind=True) == []
    assert found(trajectory(way, gold=gold, url={2: "https://shop.test/lamps#top"})) == []
    assert found(trajectory(way, gold=gold)) == [], "no addresses were recorded"
    assert found(trajectory(way, gold=gold, url={1: SHOP}, ended="")) == [], "it would tell where to look"


def test_pages_that_keep_one_out_or_fail() -> None:
    pages: Pages = {
        0: ("Just a moment...", []),
        1: ("Shop", ["Verify you are human"]),
        2: ("Shop", ["Verify you are human", "x" * 2000]),
        3: ("404 Not Found", ["nothing"]),
    }
    way = trajectory(
        [Goto(url=SHOP), click(1), click(1), click(1)],
        url=ADDRESSES,
        condition={4: "offline"},
        messages={2: (PageMessage("network", "error", "GET 429", SHOP),)},
    )
    kinds = [(one.kind, one.step) for one in found(way, pages) if one.kind != "loop"]
    assert kinds == [
        ("blocked-page", 0),
        ("blocked-page", 1),
        ("blocked-page", 2),
        ("page-error", 3),
        ("page-error", 4),
    ]


def test_a_limit_is_a_budget_that_was_spent() -> None:
    for reason in ("step limit of 30 reached", "error_max_turns", "time limit"):
        (spent,) = found(trajectory(["a", "b"], reason=reason))
        assert (spent.kind, spent.step, spent.quote) == ("budget-spent", 2, reason)


def test_in_a_talk_what_is_said_again_and_its_last_words_count() -> None:
    again = "Please search for the price of the lamp"
    way = trajectory(
        [
            Say(text=again),
            Say(text="I found nothing there."),
            Say(text=again),
            Say(text="Max rounds (30) reached."),
        ],
        note={1: "boss", 2: "surfer", 3: "boss", 4: "boss"},
    )
    assert [(one.kind, one.first, one.step) for one in found(way)] == [("loop", 1, 3), ("budget-spent", 4, 4)]
