"""The best pairing of two lists, against trying every one."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webbench.core.scoring.metrics.assignment import best_pairs

SCORE = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(-5, 5, allow_subnormal=False))


@st.composite
def matrices(draw: st.DrawFn) -> list[list[float]]:
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return draw(st.lists(st.lists(SCORE, min_size=columns, max_size=columns), min_size=rows, max_size=rows))


def by_trial(scores: list[list[float]]) -> float:
    rows, columns = len(scores), len(scores[0])
    if rows > columns:
        return by_trial([list(column) for column in zip(*scores, strict=True)])
    return max(
        math.fsum(scores[row][column] for row, column in enumerate(chosen))
        for chosen in permutations(range(columns), rows)
    )


@given(matrices())
def test_no_pairing_is_better(scores: list[list[float]]) -> None:
    pairs = best_pairs(scores)
    assert len(pairs) == min(len(scores), len(scores[0]))
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert math.fsum(scores[row][column] for row, column in pairs) == pytest.approx(by_trial(scores))


@given(matrices())
def test_turning_the_table_changes_no_sum(scores: list[list[float]]) -> None:
    turned = [list(column) for column in zip(*scores, strict=True)]
    total = math.fsum(scores[row][column] for row, column in best_pairs(scores))
    assert total == pytest.approx(math.fsum(turned[row][column] for row, column in best_pairs(turned)))


@given(matrices())
def test_scipy_finds_no_other_sum(scores: list[list[float]]) -> None:
    """Nor where its own pairing isn't asked for."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(scores, maximize=True)
    wanted = math.fsum(scores[row][column] for row, column in zip(rows, columns, strict=True))
    assert math.fsum(scores[row][column] for row, column in best_pairs(scores)) == pytest.approx(wanted)


def test_a_greedy_choice_would_lose() -> None:
    assert best_pairs([[0.9, 0.8], [0.8, 0.0]]) == [(0, 1), (1, 0)]


def test_equal_scores_pair_in_order() -> None:
    assert best_pairs([[1.0, 1.0, 1.0]] * 3) == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize("empty", [[], [[]], [[], []]])
def test_nothing_pairs_with_nothing(empty: list[list[float]]) -> None:
    assert best_pairs(empty) == []


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_scores_have_to_be_finite(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        best_pairs([[0.0, bad]])
