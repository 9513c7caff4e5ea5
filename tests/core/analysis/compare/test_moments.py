"""Steps reduced to what can be compared between runs."""

import pytest

from webbench.core.action.action import Action, Click, ClickAt, ElementRef, Select, Stop
from webbench.core.analysis.compare.compared_step import moments, url_pattern
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory


def trajectory(*steps: Step) -> Trajectory:
    task = Task(benchmark="b", name="t")
    return Trajectory(
        header=EpisodeHeader(run="r", episode="e", task=task, actor="human", dialect="d"), steps=steps
    )


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://Shop.test/p/4711?b=1&a=2#top", "shop.test/p/*?a&b"),
        ("http://user:pw@shop.test:8080/9f86d081884c7d65/x", "shop.test:8080/*/x"),
        ("http://127.0.0.1:40213/shop/", "127.0.0.1/shop"),
        ("http://shop.test/quest-lumaflex-band.html", "shop.test/quest-lumaflex-band.html"),
        ("http://[broken", "http://[broken"),
        ("", ""),
    ],
)
def test_addresses_become_patterns(url: str, pattern: str) -> None:
    assert url_pattern(url) == pattern


def test_a_moment_is_an_action_with_the_page_it_was_done_on() -> None:
    steps = (
        Step(index=0, at="", url="http://s/a", title="A", observation="a"),
        Step(index=1, at="", note="a remark"),
        Step(
            index=2,
            at="",
            text="click [2]",
            action=Click(target=ElementRef(id=2, role="link", name=" Big  Lamp")),
            url="http://s/b",
            title="B",
            observation="b",
        ),
        Step(index=3, at="", text="stop [x]", action=Stop(answer="$5"), url="http://s/b"),
        Step(index=4, at="", text="gibberish", ok=False),
    )
    pages = {name: Observation(nodes=(AccessibilityNode(id=1, role="main", name=name),)) for name in "ab"}

    first, second, third = moments(trajectory(*steps), lambda step: pages.get(step.observation))

    assert (first.step, first.url, first.title, first.verb) == (2, "s/a", "a", "click")
    assert first.element == ("link", "big lamp")
    assert (second.url, second.verb, second.value) == ("s/b", "stop", "$5")
    assert (third.verb, third.value, third.ok) == ("", "gibberish", False)
    assert first.state != second.state
    assert first.shingles
    assert first.shingles != second.shingles


def test_the_same_by_other_means_is_the_same_verb() -> None:
    def verb(action: Action) -> str:
        return moments(trajectory(Step(index=1, at="", action=action)), lambda _: None)[0].verb

    assert verb(ClickAt(x=1, y=2)) == verb(Click(target=ElementRef(id=1)))
    assert verb(Select(target=ElementRef(id=1), options=("a",))) == "type"


def test_after_an_action_whose_page_was_not_recorded_nobody_knows_the_page() -> None:
    button = Click(target=ElementRef(id=7))
    steps = (
        Step(index=0, at="", url="http://s/a"),
        Step(index=1, at="", action=button, ok=False),
        Step(index=2, at="", action=button),
        Step(index=3, at="", action=button),
    )

    assert [one.url for one in moments(trajectory(*steps), lambda _: None)] == ["s/a", "s/a", ""]
