"""Agreement measures against worked examples."""

import pytest

from webbench.core.statistics.inter_rater import cohen_kappa, krippendorff_alpha, percent


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
