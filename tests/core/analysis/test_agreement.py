"""Agreement measures against worked examples."""

import pytest

from webbench.core.analysis.agreement import cohen_kappa, krippendorff_alpha, percent


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
    assert found.n == 13


def test_nothing_to_agree_on_is_no_figure() -> None:
    assert krippendorff_alpha(named("aaa", "aaa")).value is None
    assert cohen_kappa(named("ab")).value is None
    assert percent(named("ab", "..")).value is None
    assert "nothing to tell" in percent(named("ab", "..")).method
