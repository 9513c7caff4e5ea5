"""The pure metrics: known values, degenerate cases, and what holds for every input."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.scoring.metrics.number import mean_distance
from webbench.core.scoring.metrics.porter import stem
from webbench.core.scoring.metrics.rouge import (
    LARGEST_PRODUCT,
    longest_common_subsequence,
    quick_rouge_l,
    rouge_l,
    rouge_tokens,
)
from webbench.core.scoring.metrics.rouge import rouge_scorer as our_rouge_scorer
from webbench.core.scoring.metrics.sets import intersection_over_union, majority, votes

ITEMS = st.lists(st.sampled_from("abcd"), max_size=12)


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("flies", "fli"),
        ("dies", "die"),
        ("agreed", "agre"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("conflated", "conflat"),
        ("happy", "happi"),
        ("say", "say"),
        ("relational", "relat"),
        ("geologically", "geolog"),
        ("adoption", "adopt"),
        ("probate", "probat"),
        ("controll", "control"),
        ("skies", "sky"),
        ("is", "is"),
        ("", ""),
    ],
)
def test_stems(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed


def test_tokens_are_ascii_and_stemmed_above_three_letters() -> None:
    assert rouge_tokens("Café, the CATS' 1,000 flies!") == ["caf", "the", "cat", "1", "000", "fli"]


@pytest.mark.parametrize(
    ("prediction", "reference", "value"),
    [
        ("a b c", "a c", 0.8),
        ("one two three four", "one three two four", 0.75),
        ("", "x", 0.0),
        ("日本", "日本", 0.0),
        ("organization", "organizations", 1.0),
    ],
)
def test_rouge_l(prediction: str, reference: str, value: float) -> None:
    assert rouge_l(prediction, [reference]) == [pytest.approx(value)]
    assert quick_rouge_l(prediction, reference) == pytest.approx(value)


@given(st.text(max_size=60), st.text(max_size=60))
def test_rouge_l_is_symmetric_and_in_range(first: str, second: str) -> None:
    (value,) = rouge_l(first, [second])
    assert 0 <= value <= 1
    assert [value] == pytest.approx(rouge_l(second, [first]))


STARTS = (
    "hope",
    "relat",
    "sens",
    "agre",
    "fl",
    "pony",
    "ski",
    "organ",
    "probat",
    "y",
    "oxen",
    "a1",
    "co",
    "ss",
)
ENDINGS = (
    *(
        "",
        "s",
        "es",
        "ies",
        "ed",
        "eed",
        "ing",
        "y",
        "ational",
        "tional",
        "enci",
        "izer",
        "bli",
        "alli",
        "ness",
    ),
    *("ization", "iveness", "fulness", "biliti", "logi", "icate", "ative", "alize", "ical", "ement", "ion"),
)
BETWEEN = (" ", " ", " ", ", ", "-", "\n", "'", " ’", "é", "ﬁ", " 日本 ", "_", ".5 ", "\u0130")


def wordy_text(draw: random.Random) -> str:
    """Words that the stemmer has rules for, and characters that the tokeniser must tell apart."""
    words = (draw.choice(STARTS) + draw.choice(ENDINGS) for _ in range(draw.randrange(9)))
    return "".join((word.upper() if draw.random() < 0.2 else word) + draw.choice(BETWEEN) for word in words)


@settings(max_examples=examples(200), deadline=None)
@given(st.integers())
def test_rouge_l_is_that_of_rouge_score(seed: int) -> None:
    """50 pairs an example, 10,000 in all; drawing them by hypothesis itself would take minutes."""
    from rouge_score import rouge_scorer

    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)
    draw = random.Random(seed)
    for _ in range(50):
        prediction, reference = wordy_text(draw), wordy_text(draw)
        theirs = scorer.score(reference, prediction)["rougeL"].fmeasure
        assert rouge_l(prediction, [reference]) == [theirs], (prediction, reference)
        assert quick_rouge_l(prediction, reference) == theirs, (prediction, reference)


def test_long_texts_have_the_same_value_in_no_table() -> None:
    draw = random.Random(7)
    first, second = (" ".join(wordy_text(draw) for _ in range(10)) for _ in range(2))
    (value,) = rouge_l(first, [second])
    many = [second] * (LARGEST_PRODUCT // (len(first) * len(second)) + 1)
    assert len(many) > 1
    assert rouge_l(first, many) == [value] * len(many)
    endless = "word " * 20_000
    assert rouge_l(endless, [endless]) == [1.0]


IMPORTING = """
import sys
from webbench.core.scoring.metrics.rouge import rouge_l
print(rouge_l("", ["a cat hops"]), "rouge_score" in sys.modules, rouge_l("hopping cats", ["a cat hops"]))
print([name for name in ("scipy", "nltk.stem") if name in sys.modules], sys.meta_path)
from rouge_score.rouge_scorer import RougeScorer
print(RougeScorer(["rougeL"], use_stemmer=True).score("a cat hops", "hopping cats")["rougeL"].fmeasure)
print(RougeScorer(["rougeLsum"], split_summaries=True)._split_summaries, "nltk.stem" in sys.modules)
"""


def test_nothing_of_nltk_is_imported_for_a_score_and_all_of_it_for_who_uses_it() -> None:
    """The library's own tokenizer works in the same process."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING], capture_output=True, text=True, timeout=120, check=True
    )
    before, loaded, theirs, after = done.stdout.splitlines()
    assert before == "[0.0] False [0.4]"
    assert loaded.startswith("[] [")
    assert "_ImportedLater" not in loaded
    assert (theirs, after) == ("0.4", "True True")


class Walked(list[Any]):
    """What another thread's import may be in the middle of."""

    def insert(self, index: Any, finder: Any) -> None:
        raise AssertionError("a finder would be met twice")

    def remove(self, finder: Any) -> None:
        raise AssertionError("a finder would be skipped")


def test_imports_of_other_threads_walk_through_finders_that_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    finders = list(sys.meta_path)
    monkeypatch.setattr(sys, "meta_path", Walked(finders))
    our_rouge_scorer.cache_clear()
    our_rouge_scorer()
    assert sys.meta_path == finders


@given(ITEMS, ITEMS)
def test_longest_common_subsequence_is_that_of_the_textbook(first: list[str], second: list[str]) -> None:
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first, start=1):
        for j, b in enumerate(second, start=1):
            above = max(lengths[i - 1][j], lengths[i][j - 1])
            lengths[i][j] = lengths[i - 1][j - 1] + 1 if a == b else above
    assert longest_common_subsequence(first, second) == lengths[-1][-1]


@given(ITEMS, ITEMS)
def test_intersection_over_union(first: list[str], second: list[str]) -> None:
    value = intersection_over_union(first, second)
    assert 0 <= value <= 1
    assert (value == 1) == (set(first) == set(second))
    assert value == intersection_over_union(second, first)


def test_majority_is_the_first_among_equals() -> None:
    assert majority(["b", "a", "a", "b"]) == "b"
    assert votes(["b", "a", "b"]) == {"b": 2, "a": 1}
    with pytest.raises(ValueError, match="no majority"):
        majority([])


def test_each_nan_is_a_vote_of_its_own() -> None:
    shared = float("nan")
    assert list(votes([shared, shared, "a"]).values()) == [2, 1]
    assert list(votes([float("nan"), float("nan"), "a"]).values()) == [1, 1, 1]


def test_mean_distance() -> None:
    assert mean_distance([5, 10], 5) == 2.5
    assert math.isnan(mean_distance([math.nan], 5))
    with pytest.raises(ValueError, match="no values"):
        mean_distance([], 1)
