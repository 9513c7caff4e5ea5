"""Counting tokens and cutting texts to a budget, the longest first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webbench.core.models.tokens import (
    first_tokens,
    most_tokens,
    shared_out,
    token_count,
    truncated,
    without_middle,
)


@pytest.mark.parametrize(
    ("lengths", "most", "cut"),
    [
        ([2, 9, 5], 10, [2, 4, 4]),
        ([2, 9, 5], 16, [2, 9, 5]),
        ([2, 9, 5], 100, [2, 9, 5]),
        ([5, 5, 5], 7, [2, 2, 2]),
        ([3], 0, [0]),
        ([], 5, []),
    ],
)
def test_the_longest_give_first(lengths: list[int], most: int, cut: list[int]) -> None:
    assert shared_out(lengths, most) == cut


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 120))
def test_a_budget_is_kept_and_used(lengths: list[int], most: int) -> None:
    cut = shared_out(lengths, most)
    assert sum(cut) <= most
    assert all(after <= before for after, before in zip(cut, lengths, strict=True))
    if sum(lengths) > most:
        assert most - sum(cut) < len(lengths), "what is left over would give nobody another token"
    else:
        assert cut == lengths


@given(st.text(max_size=80), st.integers(0, 20))
def test_cut_texts_have_no_more_tokens(text: str, most: int) -> None:
    assert token_count(first_tokens(text, most)) <= most
    assert token_count(without_middle(text, most)) <= most
    assert token_count("".join(truncated([text, text[:10]], most))) <= most


@given(st.text(max_size=80))
def test_the_most_is_no_less_than_what_is_counted_or_than_the_bytes_beyond_ascii(text: str) -> None:
    beyond = "".join(one for one in text if not one.isascii())
    assert most_tokens(text) >= max(token_count(text.encode("ascii", "ignore").decode()), len(beyond))
    assert most_tokens(text + "中") >= most_tokens(text) + 3


def test_what_is_kept() -> None:
    text = "one two three four five six"
    assert first_tokens(text, 2) == "one two"
    assert without_middle(text, 4) == "one two…six"
    assert without_middle(text, 6) == text
