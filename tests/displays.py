"""What tests of real mouse and keyboard need of the machine."""

from __future__ import annotations

import os
import shutil

import pytest

from webbench.core.browser.starting.find_chromium import chosen_chromium
from webbench.core.errors import EnvironmentDown

MISSING = "no Xvfb for a private display: apt install xvfb"


def need_xvfb() -> None:
    """Without it, or a Chromium with windows, the test is skipped, or fails where `CI` is "true"."""
    missing = _missing()
    if not missing:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(missing)
    pytest.skip(missing)


def _missing() -> str:
    if shutil.which("Xvfb") is None:
        return MISSING
    try:
        chosen_chromium(None, windowed=True)
    except EnvironmentDown as error:
        return str(error)
    return ""
