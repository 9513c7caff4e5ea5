"""Actions are put into the shortest words a language has for them."""

from __future__ import annotations

import pytest

from webbench.core.action.action import Action, Check, Click, ElementRef, ScrollTo, Type
from webbench.core.dialects.dialect import find_dialect
from webbench.core.dialects.wording import wording
from webbench.core.observation import Box

NODE = ElementRef(id=7, field="agree", role="radio", name="Yes", selector="#y", box=Box(1, 2, 3, 4))
OPTION = ElementRef(field="agree", option="3", role="radio")


@pytest.mark.parametrize(
    ("dialect", "action", "words"),
    [
        ("webarena", Click(target=NODE), "click [7]"),
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
