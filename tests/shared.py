"""Where the data lie that tests share and the repository doesn't hold."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

VARIABLE = "WEBBENCH_SHARED"
MISSING = f"no shared test data: set {VARIABLE} to their folder"


def shared_folder() -> Path | None:
    """`WEBBENCH_SHARED`, else the folder `shared` beside the repository; None where neither is there."""
    named = os.environ.get(VARIABLE, "")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    return folder if folder.is_dir() else None


def need_shared(*parts: str) -> Path:
    """A path in the shared data; without it the test is skipped, or fails where `CI` is "true"."""
    folder = shared_folder()
    path = folder.joinpath(*parts) if folder else None
    if path is not None and path.exists():
        return path
    if os.environ.get("CI") == "true":
        pytest.fail(MISSING)
    pytest.skip(MISSING)


def need_matplotlib() -> None:
    """Without it the test is skipped, or fails where `CI` is "true"."""
    if find_spec("matplotlib") is None:
        reason = "the extra `figures` is not installed: make setup"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
