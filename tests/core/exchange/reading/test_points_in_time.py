"""Points in time: of ISO text, of Unix numbers in any unit, and of what is no time at all."""

from __future__ import annotations

from typing import Any

import pytest

from webbench.core.exchange.reading.points_in_time import utc

NOON = "2026-03-01T12:00:00.000+00:00"


@pytest.mark.parametrize("scale", [1, 10**3, 10**6, 10**9])
def test_unix_numbers_in_any_unit(scale: int) -> None:
    assert utc(1772366400 * scale) == utc(str(1772366400 * scale)) == NOON


def test_iso_text_with_a_zone_and_without() -> None:
    assert utc("2026-03-01T13:00:00+01:00") == utc("2026-03-01T12:00:00") == NOON


@pytest.mark.parametrize("odd", ["9" * 400, 10**400, "inf", "", None, True, [], {}, "noon"])
def test_what_is_no_time_is_none_and_ends(odd: Any) -> None:
    assert utc(odd) == ""
