"""Commands called in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cli.program import Done, Here, call_here


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    def run(home: Path, *arguments: str, **variables: str) -> Done:
        return call_here(home, monkeypatch, capsys, *arguments, **variables)

    return run
