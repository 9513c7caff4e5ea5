"""Agreement measures against worked examples."""

from typing import Literal

import pytest

from webbench.core.statistics.inter_rater import (
    cohen_kappa,
    confusion_matrices,
    krippendorff_alpha,
    percent,
)


def named(*rows: str) -> dict[str, dict[str, str]]:
    """Annotators' labels from texts of one letter an item, "." where there is none."""
    return {
        f"annotator {at}": {str(item): label for item, label in enumerate(row) if label != "."}
        for at, row in enumerate(rows)
    }


def test_kappa_of_a_worked_example() -> None:
    """Two readers and 50 grants: both yes 20, both no 15, they differ on 5 and 10; kappa 0.4."""
    first = "y" * 20 + "y" * 5 + "n" * 10 + "n" * 15
    second = "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15

    found = cohen_kappa(named(first, second))

    assert found.value == pytest.approx(0.4)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.4 < found.high
    assert percent(named(first, second)).value == pytest.approx(0.7)


def test_alpha_of_a_worked_example_with_gaps() -> None:
    """Three coders, fifteen units, gaps: the nominal alpha of this much printed example is 0.691."""
    rows = (".....34121133.3", "1.213343.......", "..21344.21133.4")

    found = krippendorff_alpha(named(*rows))

    assert found.value == pytest.approx(0.691, abs=0.001)
    assert found.n == 12, "units that one coder alone labelled tell nothing"


def test_nothing_to_agree_on_is_no_figure() -> None:
    assert krippendorff_alpha(named("aaa", "aaa")).value is None
    assert krippendorff_alpha(named("a.", ".b"), order="ab").value is None
    assert cohen_kappa(named("a.", ".b")).value is None
    assert cohen_kappa(named("ab")).value is None
    assert percent(named("ab", "..")).value is None
    assert "nothing to tell" in percent(named("ab", "..")).method


def test_where_all_agree_no_interval_pretends_to_know() -> None:
    labels = named("aabbab", "aabbab")

    for found in (percent(labels), cohen_kappa(labels), krippendorff_alpha(labels)):
        assert (found.value, found.low, found.high) == (1.0, None, None)


def test_a_label_that_many_resamples_lack_gives_no_interval() -> None:
    found = krippendorff_alpha(named("b" + "a" * 9, "b" + "a" * 8 + "b"))

    assert found.value is not None
    assert found.low is None
    assert "too few labels" in found.method


def test_items_of_one_cluster_are_drawn_together() -> None:
    """Two annotators agree on all 10 steps of three episodes and on none of a fourth's."""
    labels = named("ab" * 15 + "a" * 10, "ab" * 15 + "b" * 10)
    episodes = {str(item): item // 10 for item in range(40)}

    for measure in (percent, cohen_kappa, krippendorff_alpha):
        single, clustered = measure(labels), measure(labels, clusters=episodes)
        assert single.value == pytest.approx(clustered.value)
        assert None not in (single.low, single.high, clustered.low, clustered.high)
        assert (clustered.high or 0) - (clustered.low or 0) > 1.5 * ((single.high or 0) - (single.low or 0))
        assert clustered.clusters == 4


def test_alpha_and_kappa_are_those_of_their_packages_to_all_digits() -> None:
    """Two to five raters, gaps, two to six codes: the arithmetic of `krippendorff` and of statsmodels."""
    import krippendorff
    import numpy as np
    from statsmodels.stats.inter_rater import cohens_kappa, to_table

    generator = np.random.default_rng(16)
    compared = 0
    for _ in range(60):
        codes, raters = int(generator.integers(2, 7)), int(generator.integers(2, 6))
        given = generator.integers(codes, size=(raters, 40)).astype(float)
        given[:, 20:] = given[0, 20:]
        full, order = named(*("".join(f"{int(one)}" for one in row) for row in given)), "012345"[:codes]
        given[generator.random(given.shape) < 0.2] = np.nan
        gaps = named(*("".join("." if np.isnan(one) else f"{int(one)}" for one in row) for row in given))
        levels: tuple[tuple[Literal["nominal", "ordinal"], str], ...] = (("nominal", ""), ("ordinal", order))
        for level, ranks in levels:
            expected = krippendorff.alpha(given, level_of_measurement=level)
            assert krippendorff_alpha(gaps, order=ranks).value == pytest.approx(expected, abs=1e-14)
        if raters == 2:
            rows = np.array([[int(one) for one in by.values()] for by in full.values()]).T
            table = to_table(rows, bins=codes)[0]
            for weights, ranks in ((None, ""), ("quadratic", order)):
                expected = cohens_kappa(table, wt=weights, return_results=False)
                assert cohen_kappa(full, order=ranks).value == pytest.approx(expected, abs=1e-14)
            compared += 1
    assert compared > 5


def test_confusion_matrices_cross_each_two_raters() -> None:
    first, second, third = confusion_matrices(named("aabb", "abbb", "..ba"), ["a", "b", "c"])

    assert (first.first, first.second, first.n) == ("annotator 0", "annotator 1", 4)
    assert first.counts == ((1, 1, 0), (0, 2, 0), (0, 0, 0))
    assert (second.n, third.counts) == (2, ((0, 0, 0), (1, 1, 0), (0, 0, 0)))
    assert first.kappa.value == pytest.approx(0.5)
