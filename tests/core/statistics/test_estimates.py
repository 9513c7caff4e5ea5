"""Rates, differences and power against textbook figures."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webbench.core.errors import UsageError
from webbench.core.statistics.estimates import (
    clustered_mean,
    holm,
    paired_difference,
    pass_at_k,
    standard_error,
    wilson,
)
from webbench.core.statistics.power import paired_power


def test_wilsons_interval() -> None:
    found = wilson(15, 20)

    assert (found.value, found.n) == (0.75, 20)
    assert (found.low, found.high) == pytest.approx((0.5313, 0.8881), abs=1e-4)
    assert wilson(0, 0).value is None
    with pytest.raises(UsageError, match="3 successes of 2"):
        wilson(3, 2)


def test_clusters_widen_the_interval() -> None:
    values = [1.0] * 10 + [0.0] * 10
    alone = clustered_mean(values, range(20))
    together = clustered_mean(values, [at // 10 for at in range(20)])

    assert alone.value == together.value == 0.5
    assert (together.low, together.high, together.clusters) == (0.0, 1.0, 2)
    assert alone.low is not None
    assert alone.high is not None
    assert 0.2 < alone.low < alone.high < 0.8
    assert clustered_mean(values, range(20)) == alone


def test_one_cluster_gives_a_mean_without_an_interval() -> None:
    found = clustered_mean([0.0, 1.0], ["a", "a"])

    assert (found.value, found.low, found.high) == (0.5, None, None)


def test_mcnemar_looks_at_the_tasks_that_only_one_solved() -> None:
    first = [1] * 30 + [1] * 10 + [0] * 2 + [0] * 8
    second = [1] * 30 + [0] * 10 + [1] * 2 + [0] * 8

    found = paired_difference(first, second)

    assert (found.only_first, found.only_second, found.test) == (10, 2, "McNemar, exact")
    assert found.p == found.p_mcnemar == pytest.approx(0.03857, abs=1e-5)
    assert found.p_flips == pytest.approx(0.03857, abs=1e-5)
    assert found.estimate.value == pytest.approx(0.16)


def test_few_differences_are_flipped_in_every_way() -> None:
    found = paired_difference([0.9, 0.8, 0.7], [0.1, 0.2, 0.3])

    assert found.p == pytest.approx(2 / 8)
    assert found.test == "sign flips, all 8"


def test_flips_go_by_cluster() -> None:
    first, second = [1] * 12, [0] * 12

    assert paired_difference(first, second, ["a"] * 12).p == 1.0
    assert paired_difference(first, second, range(12)).p == pytest.approx(2 / 2**12)


def test_many_differences_are_flipped_at_random_and_always_alike() -> None:
    first, second = [0.5 + at % 3 / 10 for at in range(40)], [0.5] * 40

    found = paired_difference(first, second)

    assert found == paired_difference(first, second)
    assert found.p is not None
    assert found.p < 0.01


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])), max_size=12))
def test_changing_sides_changes_only_the_sign(pairs: list[tuple[float, float]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    there, back = paired_difference(first, second), paired_difference(second, first)

    assert there.p == back.p
    if pairs:
        assert there.estimate.value == pytest.approx(-(back.estimate.value or 0.0))
    else:
        assert there.estimate.value is None


def test_pass_at_k() -> None:
    assert pass_at_k(5, 2, 1) == pytest.approx(0.4)
    assert pass_at_k(5, 2, 3) == pytest.approx(0.9)
    assert pass_at_k(4, 4, 1) == 1
    with pytest.raises(UsageError):
        pass_at_k(3, 1, 4)


def test_standard_error_and_several_tests() -> None:
    assert standard_error([1.0]) is None
    assert standard_error([1.0] * 46) is None, "that all are alike is no certainty"
    assert standard_error([0.0, 1.0, 1.0, 0.0]) == pytest.approx(0.288675)
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_intervals_and_tests_are_those_of_scipy_and_statsmodels() -> None:
    """What is worked out here so that a table needn't wait for their imports."""
    from scipy.stats import binom, binomtest
    from statsmodels.stats.multitest import multipletests

    for n in (1, 7, 812):
        for solved in {0, 1, n // 3, n}:
            expected = binomtest(solved, n).proportion_ci(0.95, "wilson")
            found = wilson(solved, n)
            assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    for ours, theirs in ((0, 0), (1, 0), (10, 2), (150, 190)):
        found_p = paired_difference([1] * ours + [0] * theirs, [0] * ours + [1] * theirs).p_mcnemar
        expected_p = binomtest(ours, ours + theirs).pvalue if ours + theirs else None
        assert found_p == (None if expected_p is None else pytest.approx(expected_p, abs=1e-12))
    several = [0.2, 0.011, 0.04, 0.9, 0.011]
    assert holm(several) == pytest.approx(list(multipletests(several, method="holm")[1]))
    power = sum(
        binom.pmf(count, 30, 0.4) * binom.pmf(fewer, count, 0.75)
        for count in range(31)
        for fewer in range(count + 1)
        if 2 * binom.cdf(min(fewer, count - fewer), count, 0.5) <= 0.05
    )
    assert paired_power(30, 0.3, 0.1) == pytest.approx(power, abs=1e-12)
