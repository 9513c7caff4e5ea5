"""Prompts: found by kind, replaced by a user's file, and never sent with a gap."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.core.errors import BadData
from webbench.core.judge import Question
from webbench.core.scoring.judges.question_prompts import prompt_text

QUESTION = Question(
    kind="demo/same", fields={"answer": "4 $dollars $5", "wanted": "four"}, verdicts=("same", "different")
)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's file for the question's kind; not yet written."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "webbench" / "prompts" / "demo" / "same.txt"
    path.parent.mkdir(parents=True)
    return path


def test_fields_are_filled_in_as_they_are(own: Path) -> None:
    own.write_text("$$1: is $answer the same as $wanted? ($verdicts)")
    assert prompt_text(QUESTION) == "$1: is 4 $dollars $5 the same as four? (same, different)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Is $answer right?", r"lacks the placeholder \$wanted"),
        ("$answer $wanted $question", r"has the placeholder \$question"),
        ("$answer $wanted costs $5", r"begins no placeholder"),
        ("$answer $wanted " + "x" * 200_000, "characters; at most"),
    ],
)
def test_a_prompt_that_would_mislead_is_refused(own: Path, text: str, said: str) -> None:
    own.write_text(text)
    with pytest.raises(BadData, match=said):
        prompt_text(QUESTION)


def test_a_kind_without_a_prompt_says_where_to_write_one(own: Path) -> None:
    with pytest.raises(BadData, match="no readable prompt") as caught:
        prompt_text(QUESTION)
    assert str(own) in str(caught.value)


@pytest.mark.parametrize("kind", ["same", "../etc/passwd", "demo/../x", "demo/a/b", "Demo/same", ""])
def test_a_kind_never_leaves_its_folder(kind: str, own: Path) -> None:
    with pytest.raises(BadData, match="is no kind of question"):
        prompt_text(Question(kind=kind, fields={}, verdicts=("a",)))
