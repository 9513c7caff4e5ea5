"""Kaplan and Meier's curve on numbers worked out by hand."""

from __future__ import annotations

import pytest

from webbench.core.statistics.survival import kaplan_meier


def test_the_curve_steps_down_at_events_and_not_where_somebody_is_lost() -> None:
    """Of six: one event at 1, one lost at 2, two events at 3, one lost at 4, one event at 5."""
    found = kaplan_meier([1, 2, 3, 3, 4, 5], [True, False, True, True, False, True])
    assert found.times == (1, 2, 3, 4, 5)
    assert found.shares == pytest.approx((5 / 6, 5 / 6, 5 / 6 * 2 / 4, 5 / 12, 0))
    assert found.at_risk == (6, 5, 4, 2, 1)
    assert found.events == (1, 0, 2, 0, 1)
    assert found.censored == (0, 1, 0, 1, 0)
    assert (found.median, found.n) == (3, 6)


def test_bounds_are_greenwoods_on_the_log_log_scale() -> None:
    """At 3: S = 5/12, sum of d / (n (n - d)) = 1/30 + 2/8."""
    found = kaplan_meier([1, 2, 3, 3, 4, 5], [True, False, True, True, False, True])
    assert (found.low[2], found.high[2]) == (pytest.approx(0.0560, abs=1e-3), pytest.approx(0.7665, abs=1e-3))
    assert (found.low[4], found.high[4]) == (None, None)


def test_where_nothing_happens_there_is_no_median() -> None:
    found = kaplan_meier([2, 2], [False, False])
    assert (found.shares, found.median, found.censored) == ((1.0,), None, (2,))
    assert kaplan_meier([], []).n == 0
