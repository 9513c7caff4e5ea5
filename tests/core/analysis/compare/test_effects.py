"""The same action with an effect for one and none for another."""

import msgspec
import pytest

from tests.core.analysis.compare.test_align import moment
from tests.core.analysis.compare.test_moments import trajectory
from webbench.core.action.action import Check, Click, ElementRef, Scroll, Type
from webbench.core.analysis.compare.compared_step import Effect, Moment, moments
from webbench.core.analysis.compare.divergence import UnequalEffect, unequal_effects
from webbench.core.analysis.compare.parting_rows import Row
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.trajectory import Step

BOX = ElementRef(role="checkbox", name="Agree")


def with_effect(effect: Effect, verb: str = "click") -> list[Moment]:
    return [msgspec.structs.replace(moment(0, 1, verb), effect=effect)]


@pytest.mark.parametrize(
    ("effects", "told"),
    [
        (("changed", "failed"), [UnequalEffect(0, (0,), (1,))]),
        (("unchanged", "changed"), [UnequalEffect(0, (1,), (0,))]),
        (("failed", ""), [UnequalEffect(0, (1,), (0,))]),
        (("unchanged", ""), []),
        (("failed", "unchanged"), []),
        (("changed", "changed"), []),
    ],
)
def test_one_had_an_effect_and_one_had_none(
    effects: tuple[Effect, Effect], told: list[UnequalEffect]
) -> None:
    assert list(unequal_effects([Row((0, 0))], [with_effect(one) for one in effects])) == told


def test_other_actions_in_a_row_are_not_compared() -> None:
    row = Row((0, 0), similarity=0.5, agreed=False)

    assert unequal_effects([row], [with_effect("changed"), with_effect("failed", "type")]) == ()


def test_an_effect_is_read_from_the_pages_before_and_after() -> None:
    def seen(name: str, **states: bool) -> Observation:
        return Observation(nodes=(AccessibilityNode(id=1, role="checkbox", name=name, states=dict(states)),))

    pages = {"off": seen("Agree", checked=False), "on": seen("Agree", checked=True)}
    pages["focus"] = seen("Agree", checked=True, focused=True)
    steps = (
        Step(index=0, at="", url="http://s/", observation="off"),
        Step(index=1, at="", action=Check(target=BOX), url="http://s/", observation="on"),
        Step(index=2, at="", action=Click(target=BOX), url="http://s/", observation="focus"),
        Step(index=3, at="", action=Scroll(dy=9), url="http://s/", observation="focus"),
        Step(index=4, at="", action=Click(target=BOX), ok=False, url="http://s/", observation="focus"),
        Step(index=5, at="", action=Type(target=BOX, text="yes"), url="http://s/", observation="focus"),
        Step(index=6, at="", action=Click(target=BOX), url="http://s/"),
        Step(index=7, at="", action=Click(target=BOX), url="http://s/elsewhere"),
    )

    found = moments(trajectory(*steps), lambda step: pages.get(step.observation))

    assert [one.effect for one in found] == ["changed", "unchanged", "", "failed", "", "", "changed"]
