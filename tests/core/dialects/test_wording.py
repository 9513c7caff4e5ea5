"""Actions are put into the shortest words a language has for them."""

from __future__ import annotations

import pytest

from webbench.core.action.action import Action, Check, Click, Drag, ElementRef, Hover, ScrollTo, Type
from webbench.core.action.words import action_words
from webbench.core.dialects.dialect import ParseError, find_dialect
from webbench.core.dialects.wording import wording
from webbench.core.observation import Box

NODE = ElementRef(id=7, field="agree", role="radio", name="Yes", selector="#y", box=Box(1, 2, 3, 4))
OPTION = ElementRef(field="agree", option="3", role="radio")


@pytest.mark.parametrize(
    ("dialect", "action", "words"),
    [
        ("webarena", Click(target=NODE), "click [7]"),
        ("webarena", Click(target=NODE, at=(40, 60.5)), "click [7] at 40% 60.5%"),
        ("webarena", Click(target=NODE, count=2, at=(0, 100)), "double_click [7] at 0% 100%"),
        ("assistantbench", Hover(target=NODE, at=(5, 5)), "hover [7] at 5% 5%"),
        ("webarena", Drag(source=NODE, target=NODE, target_at=(90, 50)), "drag [7] [7] at 90% 50%"),
        ("browsergym", Click(target=NODE), "click('7')"),
        ("turkingbench", Check(target=OPTION), 'modify_radio("agree", "3")'),
        (
            "turkingbench",
            ScrollTo(target=ElementRef(field="agree", role="group")),
            'scroll_to_element("agree")',
        ),
        ("turkingbench", Type(target=ElementRef(field="why"), text="so"), 'modify_text("why", "so")'),
    ],
)
def test_wording(dialect: str, action: Action, words: str) -> None:
    assert wording(find_dialect(dialect), action) == words


def test_what_no_word_exists_for_is_written_as_json() -> None:
    words = wording(find_dialect("webarena"), Type(target=ElementRef(selector="#why"), text="so"))
    assert words.startswith("{")
    assert find_dialect("webarena").parse(words) == Type(target=ElementRef(selector="#why"), text="so")


@pytest.mark.parametrize(
    "text",
    [
        "click [12] at 40% 60%",
        "right_click [12] at 40% 60%",
        "hover [12] at 0% 100%",
        "drag [3] at 10% 50% [3] at 90% 50%",
        "drag [3] at 10% 50% [4]",
    ],
)
def test_a_point_of_an_element_is_read_and_written_as_it_stands(text: str) -> None:
    dialect = find_dialect("webarena")
    action = dialect.parse(text)
    assert not isinstance(action, ParseError)
    assert dialect.format(action) == text


def test_other_ways_to_say_a_point() -> None:
    dialect = find_dialect("webarena")
    wanted = Click(target=ElementRef(id=12), at=(40, 60))
    for text in ("click_in [12] [40] [60]", "click [12] at 40%, 60%", "CLICK [12] AT (40% 60%)"):
        assert dialect.parse(text) == wanted
    assert action_words(wanted) == "click [12] at 40% 60%"
    drag = Drag(source=ElementRef(id=3), target=ElementRef(id=4), source_at=(1, 2))
    assert action_words(drag) == "drag [3] at 1% 2% to [4]"


@pytest.mark.parametrize(
    ("text", "reason", "nearest"),
    [
        ("click [12] at 40 60", "two percents", "click [12] at 40% 60%"),
        ("click 12 at 40% 60%", '"[" is missing', "click [12] at 40% 60%"),
        ("click [12] at 140% 60%", "from 0 to 100", "click [id]"),
        ("click [12] [3]", "takes 1 argument", "click [12]"),
    ],
)
def test_a_point_that_is_none_is_told_with_what_was_meant(text: str, reason: str, nearest: str) -> None:
    error = find_dialect("webarena").parse(text)
    assert isinstance(error, ParseError)
    assert reason in error.reason
    assert error.nearest == nearest


def test_points_are_completed_behind_an_element_and_nowhere_else() -> None:
    dialect = find_dialect("webarena")
    for text in ("click [12] ", "click [12] a", "drag [3] [4] at"):
        (first, *_) = dialect.complete(text, None)
        assert first.text == "at 50% 50%"
        assert text[first.start :] in ("", "a", "at")
    for text in ("click [12]", "click [12] at 40% 60%", "type [5] "):
        assert dialect.complete(text, None) == []
