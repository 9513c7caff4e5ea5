"""What a person types is never a syntax error, and finds what it says."""

from __future__ import annotations

import contextlib
import random
import sqlite3

import pytest

from webbench.core.analysis.find.wanted_text import MOST_WORDS, spaced, wanted_text
from webbench.core.errors import UsageError

TEXTS = (
    "Add to cart the blue mug",
    "Ärger in Zürich: a refund, refunded",
    "找不到产品",
    "AND then OR so it went",
    "x:y near the add button",
)


@pytest.fixture
def words() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize='unicode61 remove_diacritics 2')")
    database.executemany("INSERT INTO words VALUES (?)", [(spaced(text),) for text in TEXTS])
    return database


def found(words: sqlite3.Connection, typed: str) -> list[int]:
    asked = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid"
    return [rowid for (rowid,) in words.execute(asked, (wanted_text(typed).expression,))]


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("cart ADD", [1]),
        ('"to cart"', [1]),
        ('"cart to"', []),
        ("refund", [2]),
        ("refunde*", [2]),
        ("arger ZURICH", [2]),
        ("mug OR refund", [1, 2]),
        ("(mug OR refund) NOT blue", [2]),
        ("add NOT (cart OR mug)", [5]),
        ("产品", [3]),
        ("品产", []),
        # What is no expression is plain text.
        ("AND then", [4]),
        ("OR", [4]),
        ("(add", [1, 5]),
        ('"blue mug', [1]),
        ("x:y", [5]),
        ("add-to-cart", [1]),
        ("NEAR(add, 2)", []),
        ("^add", [1, 5]),
        ("text:add", []),
        ("'; DROP TABLE words; --", []),
    ],
)
def test_words_phrases_beginnings_and_operators(
    words: sqlite3.Connection, typed: str, rows: list[int]
) -> None:
    assert found(words, typed) == rows


def test_nothing_that_is_typed_is_a_syntax_error(words: sqlite3.Connection) -> None:
    drawn = random.Random(20)
    signs = [*"\"()*^:-+{}\\ 'é产\0\ud800\u200ba", "AND", "OR", "NOT", "NEAR", " ", "mug", "\n"]
    for _ in range(3_000):
        typed = "".join(drawn.choices(signs, k=drawn.randint(1, 14)))
        with contextlib.suppress(UsageError):  # there is no word in it
            found(words, typed)


def test_parentheses_without_end_and_endless_texts_are_bounded(words: sqlite3.Connection) -> None:
    assert found(words, "(" * 200 + "mug" + ")" * 200) == [1]
    with pytest.raises(UsageError, match="too many"):
        wanted_text("a " * (MOST_WORDS + 1))
    with pytest.raises(UsageError, match="too long"):
        wanted_text("a" * 10_000)


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("add to cart", "Add to cart"),
        ("cart NOT mug", "cart"),
        ("mug* OR nothing", "mugs"),
        ("zurich", "Zürich"),
        ("mug", ""),
        ("产品", "产品"),
    ],
)
def test_what_was_found_is_marked(typed: str, marked: str) -> None:
    text = "Zürich, 无产品: Add to cart two mugs"
    start, length = wanted_text(typed).place_in(text)
    assert text[start : start + length] == (marked)
