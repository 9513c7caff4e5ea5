"""Elements as a lettered choice: what is told of each, and which one a reply names."""

from __future__ import annotations

import pytest

from webbench.core.agents.model.choices import Choice, choices_of, chosen, left_out
from webbench.core.observation import AccessibilityNode, Box, Observation

CHOICES = (Choice(letter="A", node=4, text="button 'Go'"), Choice(letter="AB", node=9, text="link 'Ab'"))


@pytest.mark.parametrize(
    ("said", "node"),
    [
        ("A", 4),
        ("a", 4),
        ("(A).", 4),
        ("**A**", 4),
        ("A. button 'Go'", 4),
        ("A button 'Go'", 4),
        ("AB\nbecause", 9),
        ("A link at the top", None),
        ("An element", None),
        ("NONE", None),
        ("", None),
    ],
)
def test_a_letter_is_told_from_a_word(said: str, node: int | None) -> None:
    found = chosen(CHOICES, said)
    assert (found.node if found else None) == node


def test_options_of_a_closed_list_and_what_is_left_out_are_told() -> None:
    box = Box(0, 0, 9, 9)
    nodes = (
        AccessibilityNode(id=1, role="combobox", name="Size", value="M", interactive=True, box=box),
        *(AccessibilityNode(id=at, role="option", name=name, depth=1) for at, name in ((2, "S"), (3, "M"))),
        AccessibilityNode(id=4, role="button", name="Go", interactive=True, box=Box(0, 20, 9, 9)),
    )
    seen = Observation(nodes=nodes)
    choices = choices_of(seen, 1)
    assert [choice.text for choice in choices] == ["combobox 'Size' = 'M', options: 'S', 'M'"]
    assert left_out(seen, choices) == 1
