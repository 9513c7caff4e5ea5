"""The pages that say how to add something are followed to the letter, and what they add works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import following


@pytest.mark.browser
def test_add_a_verb(tmp_path: Path) -> None:
    page = "add-a-verb.md"
    following.copied(page, tmp_path)
    following.write(page, tmp_path)
    assert following.follow(page, tmp_path) == ["pytest tests/core/browser/acting/test_hold.py"]


def test_a_place_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        following.patched("a\nb\n", " b\n+c\n c\n")
    assert following.patched("a\nb\n", " b\n+c\n@@\n-a\n") == "b\nc\n"


@pytest.mark.parametrize(
    ("page", "ran"),
    [
        ("add-a-benchmark.md", 4),
        pytest.param("add-a-format.md", 3, marks=pytest.mark.thorough),
        pytest.param("add-an-agent.md", 3, marks=pytest.mark.thorough),
    ],
)
@pytest.mark.browser
def test_what_a_plug_in_brings(tmp_path: Path, page: str, ran: int) -> None:
    following.write(page, tmp_path)
    following.announced(tmp_path)
    assert len(following.follow(page, tmp_path)) == ran
