"""chrF against fixed figures, against its definition, and against sacrebleu where that is installed."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webbench.core.scoring.metrics.chrf import chrf, overlap
from webbench.core.scoring.metrics.ngram_overlaps import overlaps

PAIRS = 10_000
TEXT = (
    "open the page of a hotel near me please and find news on rain in Dublin Yes, sure. £20 “quoted” naïve "
    "日本語 😀 10:30 www.shop.example/a-b result a a aa aaa"
)

RECORDED = [
    ("", "", 0),
    ("  ", "  ", 0),
    ("a", "a", 1),
    ("a b", "ab", 1),
    ("ab", "a", 5 / 6),
    ("abc", "ab", 0.875),
    ("ab", "abc", 7 / 11),
    ("abc", "abd", 7 / 18),
    ("same", "OTHER", 0),
    ("😀", "😀😃😄", 5 / 13),
]
"""Prediction, reference and sacrebleu 2.6's sentence chrF over 100."""


@pytest.mark.parametrize(("prediction", "reference", "expected"), RECORDED)
def test_figures_that_sacrebleu_gives(prediction: str, reference: str, expected: float) -> None:
    assert chrf(prediction, reference) == pytest.approx(expected, abs=1e-12)


def random_pairs() -> list[tuple[str, str]]:
    dice, known = random.Random(20260112), TEXT.split()
    pairs = []
    for _ in range(PAIRS):
        words = dice.choices(known, k=dice.randrange(12))
        others = dice.choices(known, k=dice.randrange(12))
        cut = dice.randrange(len(words) + 1)
        pairs.append((" ".join(words), dice.choice(["", " "]).join(dice.choice([words[:cut], []]) + others)))
    return pairs


def by_definition(prediction: str, reference: str, beta: float) -> float:
    texts = ["".join(text.split()) for text in (prediction, reference)]
    shares = []
    for order in range(1, 7):
        first, second = (
            Counter(text[start : start + order] for start in range(len(text) - order + 1)) for text in texts
        )
        if first and second:
            shared = (first & second).total()
            shares.append((shared / first.total(), shared / second.total()))
    if not shares:
        return 0.0
    precision, recall = (sum(share[side] for share in shares) / len(shares) for side in (0, 1))
    bottom = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / bottom if bottom else 0.0


def test_random_pairs_have_the_value_of_the_definition() -> None:
    for prediction, reference in random_pairs()[:2000]:
        for beta in (1, 2):
            expected = by_definition(prediction, reference, beta)
            assert chrf(prediction, reference, beta) == pytest.approx(expected, abs=1e-12)


def test_random_pairs_are_identical_to_sacrebleu() -> None:
    import sacrebleu

    for prediction, reference in random_pairs():
        theirs = sacrebleu.sentence_chrf(prediction, [reference]).score / 100
        assert chrf(prediction, reference) == theirs, (prediction, reference)


def test_many_pairs_at_once_are_identical_to_one_by_one() -> None:
    pairs = random_pairs()
    found = overlaps(pairs)
    assert [found[pair] for pair in pairs] == [overlap(*pair) for pair in pairs]


def test_a_few_pairs_and_no_pairs_at_once() -> None:
    assert overlaps([]) == {}
    assert overlaps([("ab", "abc")]) == {("ab", "abc"): overlap("ab", "abc")}


def test_more_pairs_than_one_batch_holds() -> None:
    pairs = [(f"left {number}", f"right {number} x") for number in range(20_000)]
    found = overlaps(pairs)
    assert all(found[pair] == overlap(*pair) for pair in pairs[::37] + pairs[-3:])


@given(st.text(max_size=40), st.text(max_size=40))
def test_bounds_and_what_is_symmetric(first: str, second: str) -> None:
    assert 0 <= chrf(first, second) <= 1
    assert chrf(first, second, beta=1) == pytest.approx(chrf(second, first, beta=1))
    assert chrf(first, first) == float(bool(first.split()))
