"""Labels with a place: which of them meet, and segments against the figures of `segeval` 2.0.11."""

from __future__ import annotations

import pytest

from webbench.core.statistics.located_labels import boundaries, boundary_parts, met


def test_each_label_meets_at_most_one() -> None:
    assert met([2, 3], [3, 4], 0) == 1
    assert met([2, 3], [3, 4], 1) == 2
    assert met([5], [4, 6], 1) == 1
    assert met([1, 9], [5], 3) == 0


def test_a_boundary_is_where_another_label_begins() -> None:
    assert boundaries("..aab.") == {2, 4, 5}
    assert boundaries("aaaa") == boundaries("") == frozenset()


@pytest.mark.parametrize(
    ("first", "second", "tolerance", "similarity"),
    [
        ({3, 7}, {4, 7}, 1, 0.75),
        ({3, 7}, {5, 9}, 2, 1 / 3),
        ({2, 5, 9}, {2, 6, 8, 11}, 1, 0.5),
        ({1, 2, 3}, {4, 5}, 3, 1 / 3),
        ({2, 3, 8, 9}, {3, 4, 8, 10}, 2, 0.75),
        ({4}, {4}, 0, 1.0),
        ({4}, set(), 1, 0.0),
    ],
)
def test_boundary_similarity(first: set[int], second: set[int], tolerance: int, similarity: float) -> None:
    """`segeval.boundary_similarity(..., n_t=tolerance + 1)` says the same, and either way round."""
    for one, other in ((first, second), (second, first)):
        alike, count = boundary_parts(frozenset(one), frozenset(other), tolerance)
        assert alike / count == pytest.approx(similarity, abs=1e-12)
