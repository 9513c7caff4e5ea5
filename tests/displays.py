"""What tests of real mouse and keyboard need of the machine."""

from __future__ import annotations

import os
import shutil

import pytest

MISSING = "no Xvfb for a private display: apt install xvfb"


def need_xvfb() -> None:
    """Without it the test is skipped, or fails where `CI` is "true"."""
    if shutil.which("Xvfb") is not None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(MISSING)
    pytest.skip(MISSING)
