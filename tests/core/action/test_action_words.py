"""Actions in words."""

from typing import get_args

import pytest

from webbench.core.action import action as a
from webbench.core.action.words import action_words
from webbench.core.trajectory import Step, step_words

BUTTON = a.ElementRef(id=3, role="button", name="Add to cart")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (a.Click(target=BUTTON), 'click button "Add to cart"'),
        (a.Click(target=BUTTON, button="right", count=2), 'right double click button "Add to cart"'),
        (a.Click(target=a.ElementRef(id=7)), "click [7]"),
        (a.ClickAt(x=1.5, y=2), "click at (1.5, 2)"),
        (
            a.Type(target=a.ElementRef(field="q"), text="mug", enter=True),
            'type "mug" into field "q" and press Enter',
        ),
        (a.Scroll(dy=-1, unit="viewports"), "scroll up by 1 viewport"),
        (a.Scroll(), "scroll"),
        (a.Stop(answer="$5"), 'stop with the answer "$5"'),
        (a.Stop(), "stop"),
    ],
)
def test_an_action_is_a_clause(action: a.Action, words: str) -> None:
    assert action_words(action) == words


def test_every_action_has_words() -> None:
    given = {
        "target": BUTTON,
        "source": BUTTON,
        "keys": "Enter",
        "text": "t",
        "query": "q",
        "url": "http://u/",
        "key": "Shift",
    }
    given |= {
        "options": ("a",),
        "files": ("f",),
        "index": 1,
        "value": 2.0,
        "x": 1,
        "y": 2,
        "to_x": 3,
        "to_y": 4,
    }
    for kind in get_args(a.Action):
        fields = {name: value for name, value in given.items() if name in kind.__struct_fields__}
        assert action_words(kind(**fields))


def test_a_step_without_an_action_keeps_its_text() -> None:
    assert step_words(Step(index=1, at="", text="clikc [4]")) == "clikc [4]"
