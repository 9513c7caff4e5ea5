"""When an episode is given up."""

from __future__ import annotations

import msgspec
import pytest

from webbench.core import registry
from webbench.core.action import Action, Click, ElementRef, Noop, Scroll
from webbench.core.episode_limits import LimitCount, with_limits
from webbench.core.episode_options import EpisodeOptions
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.settings import Settings

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
    webarena, demo = registry.benchmark("webarena"), registry.benchmark("demo")
    own = with_limits(EpisodeOptions(), webarena, Settings())
    assert (own.step_limit, own.repeat_limit, own.invalid_limit) == (30, 3, 3)
    assert with_limits(EpisodeOptions(), demo, Settings()).repeat_limit == 0
    mine = with_limits(EpisodeOptions(), webarena, Settings(step_limit=7, repeat_limit=9, invalid_limit=5))
    assert (mine.step_limit, mine.repeat_limit, mine.invalid_limit) == (7, 9, 5)


def test_a_negative_setting_takes_a_limit_away() -> None:
    settings = Settings(repeat_limit=-1, invalid_limit=-1)

    chosen = with_limits(EpisodeOptions(), registry.benchmark("webarena"), settings)

    assert (chosen.repeat_limit, chosen.invalid_limit) == (0, 0)
