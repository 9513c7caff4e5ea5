"""A model's own tokens by its tokenizer.json."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from webbench.core.errors import UsageError
from webbench.core.models import tokeniser_file
from webbench.core.models.tokens import first_tokens, token_count, without_middle

HERE = importlib.util.find_spec(tokeniser_file.PACKAGE) is not None
"""Few need this extra, and it brings a hub's client along: `make setup` leaves both out, so that what is said
where they are missing is tried as users have it."""


@pytest.mark.skipif(not HERE, reason="the package tokenizers (extra tokenizer) is not installed")
def test_tokens_are_those_of_the_file(tmp_path: Path) -> None:
    from tokenizers import (  # pyright: ignore[reportMissingImports]  # of the extra `tokenizer`
        Tokenizer,
        models,
        pre_tokenizers,
    )

    vocabulary = {"[UNK]": 0, "the": 1, "shop": 2, "naïve": 3, "!": 4}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.enable_truncation(2)
    file = tmp_path / "tokenizer.json"
    made.save(str(file))
    pieces = tokeniser_file.pieces_of(str(file))
    text = "the naïve shop! other"
    assert token_count(text, pieces) == 5, "the file's own limit doesn't cut what is counted"
    assert first_tokens(text, 3, pieces) == "the naïve shop"
    assert without_middle(text, 3, "!", pieces) == "the!other"
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(UsageError, match="is no tokenizer"):
        tokeniser_file.pieces_of(str(tmp_path / "other.json"))
    with pytest.raises(UsageError, match="can't be read"):
        tokeniser_file.pieces_of(str(tmp_path / "none.json"))


def test_without_the_package_it_is_told_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokeniser_file, "PACKAGE", "no_such_package_of_tokens")
    with pytest.raises(UsageError, match="takes the package") as told:
        tokeniser_file.pieces_of("any.json")
    assert "webbench-tui[tokenizer]" in told.value.hint
