"""Verdicts: the last line says one word of the closed set, or nothing is read at all."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webbench.core.errors import BadData
from webbench.core.judge import Question, Reply
from webbench.core.scoring.judges.verdict import read_verdict, verdict_line

WORDS = ("correct", "incorrect", "partially correct")
QUESTION = Question(kind="b/k", fields={}, verdicts=WORDS)


def read(text: str) -> str:
    return read_verdict(QUESTION, Reply(text=text))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("VERDICT: correct", "correct"),
        ("It is not correct.\n\nVERDICT: Incorrect\n\n", "incorrect"),
        ("  VERDICT:partially correct  ", "partially correct"),
        ("VERDICT: correct\nOn reflection, still:\nVERDICT: correct", "correct"),
    ],
)
def test_the_last_line_counts(text: str, verdict: str) -> None:
    assert read(text) == verdict


@pytest.mark.parametrize(
    "text",
    [
        "",
        "correct",
        "VERDICT: correct.",
        "VERDICT: not correct",
        "VERDICT: mostly correct",
        "**VERDICT: correct**",
        "The VERDICT: correct",
        "VERDICT: correct\nI hope this helps.",
        "VERDICT: incorrect\nVERDICT: correct",
        "VERDICT:",
    ],
)
def test_anything_else_is_unreadable(text: str) -> None:
    with pytest.raises(BadData, match="unreadable verdict"):
        read(text)


def test_a_reply_that_failed_is_named_with_its_judge() -> None:
    with pytest.raises(BadData, match="m at h gave no reply: the endpoint answered 500"):
        read_verdict(QUESTION, Reply(judge="m at h", error="the endpoint answered 500"))


@given(st.text(), st.sampled_from(WORDS))
def test_what_a_judge_writes_before_never_decides(before: str, word: str) -> None:
    if "VERDICT:" not in before:
        assert read(f"{before}\n{verdict_line(word)}") == word


@given(st.text())
def test_only_words_of_the_set_come_out(text: str) -> None:
    with suppress(BadData):
        assert read(text) in WORDS
