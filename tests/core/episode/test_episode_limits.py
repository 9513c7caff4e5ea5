"""When an episode is given up."""

from __future__ import annotations

import msgspec
import pytest

from webbench.core.action.action import Action, Click, ElementRef, Noop, Scroll
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.episode.limits import Budget, LimitCount, with_limits
from webbench.core.episode.options import EpisodeOptions
from webbench.core.models.spending import Spent
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.settings.settings import Settings

OPTIONS = EpisodeOptions(step_limit=30, repeat_limit=3, invalid_limit=3)
CLICK = Click(target=ElementRef(id=4))
PAGE = Observation(url="http://a.example/", nodes=(AccessibilityNode(id=4, role="link", name="More"),))
OTHER = msgspec.structs.replace(PAGE, url="http://a.example/2")


def after(
    *moves: tuple[Action, Observation], by_agent: bool = True, options: EpisodeOptions = OPTIONS
) -> str:
    count = LimitCount(options)
    for action, seen in moves:
        count.acted(action, seen, by_agent=by_agent)
    return count.reached()


def test_the_same_action_on_the_same_observation() -> None:
    assert after(*[(CLICK, PAGE)] * 2) == ""
    assert after(*[(CLICK, PAGE)] * 3) == "the same action 3 times in a row on the same observation"


@pytest.mark.parametrize(
    "moves",
    [
        [(CLICK, PAGE), (CLICK, PAGE), (CLICK, OTHER)],
        [(CLICK, PAGE), (CLICK, PAGE), (Scroll(), PAGE), (CLICK, PAGE)],
        [(Noop(seconds=1), PAGE)] * 5,
    ],
    ids=["another page", "another action between", "waiting"],
)
def test_what_is_no_repetition(moves: list[tuple[Action, Observation]]) -> None:
    assert after(*moves) == ""


def test_a_person_may_repeat_as_often_as_they_like() -> None:
    assert after(*[(CLICK, PAGE)] * 9, by_agent=False) == ""


def test_an_observation_is_the_same_whatever_its_reading_took() -> None:
    slower = msgspec.structs.replace(PAGE, timing=msgspec.structs.replace(PAGE.timing, total=99.0))
    assert after((CLICK, PAGE), (CLICK, slower), (CLICK, PAGE)) != ""


def test_texts_that_are_no_action_count_in_a_row_and_as_transitions() -> None:
    count = LimitCount(OPTIONS)
    count.no_action()
    count.no_action()
    count.acted(CLICK, PAGE, by_agent=True)
    count.no_action()
    count.no_action()
    assert count.reached() == ""
    count.no_action()
    assert count.reached() == "3 invalid actions in a row"
    short = LimitCount(msgspec.structs.replace(OPTIONS, step_limit=2))
    short.no_action()
    short.acted(CLICK, PAGE, by_agent=True)
    assert short.reached() == "step limit of 2 reached"


def test_settings_come_before_the_benchmarks_own_limits() -> None:
    webarena, demo = find_benchmark("webarena"), find_benchmark("demo")
    own = with_limits(EpisodeOptions(), webarena, Settings())
    assert (own.step_limit, own.repeat_limit, own.invalid_limit) == (30, 3, 3)
    assert with_limits(EpisodeOptions(), demo, Settings()).repeat_limit == 0
    mine = with_limits(EpisodeOptions(), webarena, Settings(step_limit=7, repeat_limit=9, invalid_limit=5))
    assert (mine.step_limit, mine.repeat_limit, mine.invalid_limit) == (7, 9, 5)


def test_a_negative_setting_takes_a_limit_away() -> None:
    settings = Settings(repeat_limit=-1, invalid_limit=-1)

    chosen = with_limits(EpisodeOptions(), find_benchmark("webarena"), settings)

    assert (chosen.repeat_limit, chosen.invalid_limit) == (0, 0)


def test_a_budget_comes_before_the_settings() -> None:
    settings = Settings(step_limit=7, seconds_limit=60.0, token_limit=500, cost_limit=0.5)
    webarena = find_benchmark("webarena")

    by_settings = with_limits(EpisodeOptions(), webarena, settings)
    by_budget = with_limits(
        EpisodeOptions(), webarena, settings, Budget(steps=2, seconds=9.0, tokens=10, cost=0.01)
    )

    limits = [
        (it.step_limit, it.seconds_limit, it.token_limit, it.cost_limit) for it in (by_settings, by_budget)
    ]
    assert limits == [(7, 60.0, 500, 0.5), (2, 9.0, 10, 0.01)]


def test_tokens_and_cost_add_up_over_all_proposals() -> None:
    count = LimitCount(msgspec.structs.replace(OPTIONS, token_limit=1_000, cost_limit=0.02))
    count.pay(Spent(input_tokens=800, output_tokens=100, cost=0.005))
    assert count.reached() == ""
    count.pay(Spent(output_tokens=100))
    assert count.reached() == "token limit of 1,000 reached: 1,000 were used"

    dear = LimitCount(msgspec.structs.replace(OPTIONS, cost_limit=0.02))
    dear.pay(Spent(cost=0.015))
    assert dear.reached() == ""
    dear.pay(Spent(cost=0.015))
    assert dear.reached() == "cost limit of $0.02 reached: $0.0300 were spent"


def test_an_agent_that_tells_no_spending_is_named_once() -> None:
    count = LimitCount(msgspec.structs.replace(OPTIONS, token_limit=1_000, cost_limit=0.02))
    assert count.pay(Spent(cost=0.001)) == "tokens"
    assert count.pay(Spent()) == ""
    assert LimitCount(OPTIONS).pay(Spent()) == ""


def test_time_before_a_resumption_counts_and_breaks_do_not() -> None:
    moment = 100.0
    count = LimitCount(
        msgspec.structs.replace(OPTIONS, seconds_limit=60.0), seconds_before=20.0, clock=lambda: moment
    )
    count.time.restart()
    moment = 110.0
    assert count.seconds_left == 30.0
    count.time.pause()
    moment = 500.0
    count.time.go_on()
    assert (count.seconds_left, count.reached()) == (30.0, "")
    moment = 530.0
    assert count.reached() == "time limit of 60 s reached"


def test_what_is_left_is_told_of_what_is_limited() -> None:
    assert LimitCount(msgspec.structs.replace(OPTIONS, step_limit=4)).left() == {"steps": 4}
    options = msgspec.structs.replace(
        OPTIONS, step_limit=4, seconds_limit=60.0, token_limit=10, cost_limit=0.5
    )
    count = LimitCount(options, clock=lambda: 100.0)
    count.time.restart()
    count.no_action()
    count.pay(Spent(input_tokens=30, cost=0.25))
    assert count.left() == {"steps": 3, "seconds": 60.0, "tokens": 0, "cost": 0.25}
