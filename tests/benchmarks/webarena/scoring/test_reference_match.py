"""Comparing texts: both rule sets, word tokens against NLTK, and properties that hold for every text."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.webarena.scoring.reference_match import (
    clean_answer,
    exact_match,
    must_include,
    normalised,
    word_tokens,
)
from webbench.benchmarks.webarena.scoring.rules import PAPER, RULE_SETS
from webbench.core.errors import BadData

WORDS = st.lists(
    st.sampled_from(
        [
            *("0", "2", "0.", "$0", "0,", "(0)", "a", "a.", "i", "i'm", "e.g.", "u.s.", "no.", "p.m.", "dr."),
            *(
                "and",
                "more",
                "international",
                '"',
                "'",
                "''",
                "``",
                "...",
                "—",
                "?",
                "!",
                "%",
                "cannot",
                "0's",
            ),
            *("cannot", "\n", "\t", "\u00a0", "．", "é", "10", "0.5", "1.", "who", "zimmer", "b.", "smith"),
        ]
    ),
    max_size=8,
).map(" ".join)
TEXTS = st.one_of(WORDS, st.text(max_size=20))
CHARACTERS = st.one_of(
    st.sampled_from([*"029ai.,'\"$%?", "'\"'", '""']),
    st.characters(),
)


@pytest.mark.parametrize(
    ("reference", "answer", "published", "paper"),
    [
        ("Sprite", "Sprite", 1, 1),
        ("Sprite", " 'sprite' ", 1, 0),
        ("Sprite", "The Sprite", 0, 0),
        ("", "  ", 1, 0),
    ],
)
def test_exact_match(reference: str, answer: str, published: float, paper: float) -> None:
    assert exact_match(reference, answer) == published
    assert exact_match(reference, answer, PAPER) == paper


@pytest.mark.parametrize(
    ("reference", "answer", "published", "paper"),
    [
        ("0", "10", 0, 1),
        ("0", "it is 0.", 1, 1),
        ("0", "it is 0. and more", 0, 1),
        ("12", "2012", 1, 1),
        ("'\"'", "'\"'", 0, 1),
        ('"\'"', '"\'"', 1, 1),
        ("Yes", "yes, it does", 1, 0),
    ],
)
def test_a_lone_reference_to_include(reference: str, answer: str, published: float, paper: float) -> None:
    assert must_include(reference, answer, tokenise=True) == published
    assert must_include(reference, answer, tokenise=True, rules=PAPER) == paper


@pytest.mark.parametrize("value", [5, None, ["a"], True])
def test_what_is_no_text_is_refused_by_name(value: Any) -> None:
    with pytest.raises(BadData, match=r"reference.* is no text but"):
        exact_match(value, "a")
    with pytest.raises(BadData, match="is no text but"):
        must_include("a", value)


@settings(max_examples=examples(500), deadline=None)
@given(TEXTS)
def test_cleaning_ends_and_keeps_no_capitals(text: str) -> None:
    once = clean_answer(text)
    assert once == once.lower()
    assert len(clean_answer(once)) <= len(once)
    quoteless = once.strip().strip("'\"").strip()
    if quoteless and quoteless == once:
        assert clean_answer(once) == once


@settings(max_examples=examples(500), deadline=None)
@given(TEXTS, TEXTS, st.booleans(), st.sampled_from(RULE_SETS))
def test_comparisons_are_0_or_1_and_consistent(
    reference: str, answer: str, tokenise: bool, rules: str
) -> None:
    exact = exact_match(reference, answer, rules)
    included = must_include(reference, answer, tokenise=tokenise, rules=rules)
    assert {exact, included} <= {0.0, 1.0}
    assert exact == exact_match(answer, reference, rules)
    assert exact_match(answer, answer, rules) == 1
    if included:
        assert normalised(reference, rules) in normalised(answer, rules)
        assert must_include(reference, answer, rules=rules) == 1


@settings(max_examples=examples(600), deadline=None)
@given(CHARACTERS, TEXTS)
def test_a_character_is_a_token_where_nltk_says_so(character: str, text: str) -> None:
    reference, answer = clean_answer(character), clean_answer(text)
    if len(reference) == 1 and len(nltk_tokens(reference)) == 1:
        expected = reference in nltk_tokens(answer)
    else:
        expected = reference in answer
    assert must_include(character, text, tokenise=True) == expected


@settings(max_examples=examples(300), deadline=None)
@given(TEXTS)
def test_word_tokens_are_those_of_nltk(text: str) -> None:
    assert word_tokens(text) == nltk_tokens(text)


ALONE = """
import sys
from webbench.benchmarks.webarena.scoring.reference_match import word_tokens
print(word_tokens("10 or 0."), "nltk.stem" in sys.modules)
from nltk import word_tokenize
from nltk.tokenize import TweetTokenizer
print("nltk.stem" in sys.modules)
"""


def test_of_nltk_only_the_tokenisers_are_imported_and_the_rest_for_who_uses_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.splitlines() == ["['10', 'or', '0', '.'] False", "True"]


def nltk_tokens(text: str) -> list[str]:
    """NLTK's own door, which loads the model from files."""
    from nltk.tokenize import word_tokenize

    tokens: list[str] = word_tokenize(text)
    return tokens


@pytest.fixture(scope="module", autouse=True)
def _model_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The installed sentence model in the files that NLTK looks for."""
    import nltk.data
    from punkt.data import english

    root = tmp_path_factory.mktemp("nltk_data")
    folder = root / "tokenizers" / "punkt_tab" / "english"
    folder.mkdir(parents=True)
    lines = {
        "abbrev_types.txt": sorted(english.ABBREV_TYPES),
        "sent_starters.txt": sorted(english.SENT_STARTERS),
        "collocations.tab": ["\t".join(pair) for pair in sorted(english.COLLOCATIONS)],
        "ortho_context.tab": [f"{word}\t{flags}" for word, flags in english.ORTHO_CONTEXT.items()],
    }
    for name, listed in lines.items():
        (folder / name).write_text("\n".join(listed), encoding="utf-8")
    nltk.data.path.insert(0, str(root))
    yield
    nltk.data.path.remove(str(root))
