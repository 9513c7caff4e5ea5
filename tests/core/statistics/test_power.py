"""Power: how many tasks a difference takes, against textbook figures and against each other."""

import pytest

from webbench.core.analysis.detectable_differences import planned_section
from webbench.core.errors import UsageError
from webbench.core.statistics.figures import Table
from webbench.core.statistics.power import (
    design_effect,
    intraclass_correlation,
    paired_power,
    smallest_difference,
    tasks_needed,
    weighted_size,
)


def test_power_and_number_of_tasks_belong_together() -> None:
    assert tasks_needed(0.5, 0.65) == 170
    rise = smallest_difference(170, 0.5)
    assert rise is not None
    assert rise == pytest.approx(0.15, abs=0.002)
    assert smallest_difference(2, 0.9) is None
    assert tasks_needed(0.5, 0.5) is None


def test_pairs_show_what_independent_tasks_do_not() -> None:
    """Of 170 pairs that differ on 25 % of the tasks a rise of 15 points is found almost for sure."""
    connor = 0.9796  # his normal approximation (1987), which is a little too sure
    assert paired_power(170, 0.20, 0.05) == pytest.approx(connor, abs=0.002)
    assert paired_power(170, 0.10, 0.10) < 0.05
    assert paired_power(5, 1.0, 0.0) == 0.0
    assert paired_power(6, 1.0, 0.0) == 1.0
    with pytest.raises(UsageError, match="shares"):
        paired_power(10, 0.8, 0.3)


def test_tasks_of_one_template_count_for_less() -> None:
    alike = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    pairs = [at // 2 for at in range(8)]

    assert intraclass_correlation(alike, pairs) == pytest.approx(1.0)
    assert design_effect(2, 1.0) == 2.0
    assert intraclass_correlation(alike, range(8)) is None
    assert intraclass_correlation([1.0] * 4, [0, 0, 1, 1]) is None


def test_large_clusters_weigh_more() -> None:
    assert weighted_size("aaabbb") == 3.0
    assert weighted_size("aaaab") == pytest.approx(17 / 5)


def test_a_plan_tells_no_power_of_what_cannot_be() -> None:
    """Of tasks of which 90 % are solved already none but 10 % can be won."""
    _, rises = planned_section(100, 0.9).figures
    assert isinstance(rises, Table)
    assert {row.cells[0]: row.cells[3] is None for row in rises.rows} == {
        "0.90 to 0.92": False,
        "0.90 to 0.95": False,
        "0.90 to 1.00": True,
    }
