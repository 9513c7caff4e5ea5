"""Names of languages, time zones and places: their usual spelling, or the nearest that there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from webbench.core.errors import BadData, UsageError
from webbench.core.settings.load_settings import checked_value, load_settings
from webbench.core.settings.regions import checked_locale, checked_region, checked_timezone, position_of


@pytest.mark.parametrize(
    ("check", "given", "usual"),
    [
        (checked_locale, "de_de", "de-DE"),
        (checked_locale, "zh-hant-tw", "zh-Hant-TW"),
        (checked_locale, "", "auto"),
        (checked_timezone, "europe/berlin", "Europe/Berlin"),
        (checked_timezone, "utc", "UTC"),
        (checked_region, "germany", "DE"),
        (checked_region, "uk", "GB"),
        (checked_region, "new york", "America/New_York"),
        (checked_region, "-33.9,151.2", "-33.9, 151.2"),
        (checked_region, "Auto", "auto"),
    ],
)
def test_names_get_their_usual_spelling(check: Callable[[str], str], given: str, usual: str) -> None:
    assert check(given) == usual
    assert check(usual) == usual


@pytest.mark.parametrize(
    ("setting", "given", "nearest"),
    [
        ("browser.locale", "de-DE.UTF-8", '"de-DE"'),
        ("browser.locale", "x-klingon", "no language tag"),
        ("browser.timezone", "berlin", '"Europe/Berlin"'),
        ("browser.timezone", "Asia/Tokio", '"Asia/Tokyo"'),
        ("browser.region", "germny", '"germany"'),
        ("browser.region", "97, 13", '"90, 13"'),
        ("browser.region", "13", "latitude, longitude"),
    ],
)
def test_an_unknown_name_tells_the_nearest(
    setting: str, given: str, nearest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=nearest):
        checked_value(setting, (given,), Path())
    monkeypatch.setenv("WEBBENCH_" + setting.upper().replace(".", "_"), given)
    with pytest.raises(BadData, match=nearest):
        load_settings()


def test_places_have_positions_and_auto_has_none() -> None:
    assert position_of("DE") == position_of("Europe/Berlin") == (52.5, 13.3667)
    assert position_of("US") == (40.7142, -74.0064)
    assert position_of("-33.9, 151.2") == (-33.9, 151.2)
    assert position_of("auto") is None
    assert position_of("") is None
    with pytest.raises(ValueError, match="no place"):
        position_of("Atlantis")
