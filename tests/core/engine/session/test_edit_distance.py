"""How many words a person changed of what an agent had proposed."""

from __future__ import annotations

import pytest

from webbench.core.action.action import Action, Click, ElementRef, Goto, Type
from webbench.core.engine.session.edit_distance import Edit, edit_between
from webbench.core.observation import AccessibilityNode, Observation

PAGE = Observation(
    nodes=(
        AccessibilityNode(id=1, role="searchbox", name="Search"),
        AccessibilityNode(id=2, role="button", name="Add to cart"),
        AccessibilityNode(id=3, role="button", name="Add to cart"),
        AccessibilityNode(id=4, role="button", name="Remove"),
    )
)
SEARCH = ElementRef(id=1)


def click(id: int) -> Click:
    return Click(target=ElementRef(id=id))


@pytest.mark.parametrize(
    ("proposed", "done", "distance"),
    [
        (Type(target=SEARCH, text="red mug"), Type(target=SEARCH, text="red lamp"), 1),
        (Type(target=SEARCH, text="red mug"), Type(target=SEARCH, text="mug red"), 1),
        (Type(target=SEARCH, text="mug"), Type(target=SEARCH, text="mug", enter=True), 3),
        (click(2), click(4), 3),
        (click(2), click(3), 1),
        (click(1), Click(target=ElementRef(role="searchbox", name="Search")), 0),
        (Goto(url="http://a.test/x"), "fly [1]", 11),
    ],
    ids=["word", "swap", "and press Enter", "another button", "its twin", "same by name", "no action"],
)
def test_words_that_differ(proposed: Action, done: Action | str, distance: int) -> None:
    assert edit_between(proposed, done, PAGE).distance == distance
    assert edit_between(done, proposed, PAGE).distance == distance, "either way"


def test_the_share_is_of_the_longer_one() -> None:
    assert edit_between(click(2), click(2), PAGE) == Edit(0, 0.0)
    assert edit_between("stop", "click here now", PAGE) == Edit(3, 1.0)
    assert edit_between("", "", PAGE) == Edit(0, 0.0)
