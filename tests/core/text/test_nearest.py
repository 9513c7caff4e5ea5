"""Hints for misspelt names."""

from __future__ import annotations

import pytest

from webbench.core.text.nearest import suggestion

MANY = [f"task {number:02}" for number in range(20)] + ["Word Alignment"]


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("trian", ["test_easy", "train"], 'there are "train", "test_easy"'),
        ("nosuch", ["test_easy", "train"], 'there are "test_easy", "train"'),
        ("nosuch", ["one"], 'there is "one"'),
        ("nosuch", [], "there are none"),
        ("word alignmnet", MANY, 'nearest: "Word Alignment"'),
        ("zzzzzz 19", MANY, 'there are 21, the least unlike "task 19", "task 09", "task 10"'),
        ("", MANY, 'there are 21, the least unlike "task 00", "task 01", "task 02"'),
    ],
)
def test_a_hint_names_names(name: str, known: list[str], hint: str) -> None:
    assert suggestion(name, known) == hint
