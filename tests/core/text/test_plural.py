"""Numbers with their nouns."""

from __future__ import annotations

from webbench.core.text.plural import counted


def test_one_is_singular() -> None:
    assert [counted(number, "step") for number in (0, 1, 2, 1000)] == [
        "0 steps",
        "1 step",
        "2 steps",
        "1,000 steps",
    ]
