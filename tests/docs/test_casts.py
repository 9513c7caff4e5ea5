"""The recordings of the five minutes are whole, small, and name what their page shows."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.terminal.emulator import Emulator

CASTS = Path(__file__).parents[2] / "docs" / "casts"
LARGEST = 400_000
"""Bytes of a recording; it is part of the repository."""
STILLS = ("library", "stepper", "score")


def script(name: str) -> ModuleType:
    """A script beside the recordings, as a module."""
    spec = importlib.util.spec_from_file_location(f"casts_{name}", CASTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_recording_is_an_asciicast_of_the_whole_way() -> None:
    file = CASTS / "five-minutes.cast"
    assert file.stat().st_size < LARGEST
    header, *pieces = map(json.loads, file.read_text("utf-8").splitlines())
    assert (header["version"], header["width"], header["height"]) == (2, 120, 34)
    times = [seconds for seconds, _, _ in pieces]
    assert times == sorted(times)
    assert {kind for _, kind, _ in pieces} == {"o"}
    screen = Emulator(120, 34)
    shown = []
    for _, _, text in pieces:
        screen.feed(text.encode())
        shown.append(screen.text)
    for wanted in ("camp-mugs", "step 0 of", "oracle proposes", "Episode ended"):
        assert any(wanted in text for text in shown), wanted


def test_it_is_played_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    script("play").play(CASTS / "five-minutes.cast", speed=1e9)
    assert "camp-mugs" in capsys.readouterr().out


def test_changes_turn_one_screen_into_the_next() -> None:
    screen = script("screen")
    outputs = [b"\x1b[31mone\x1b[0m two", b"\x1b[31mone\x1b[0m two\x1b[1;5H\x1b[44mTWO\x1b[0m three"]
    before, after = (screen.screen_of(output, 20, 2) for output in outputs)
    written = screen.changes([], before) + screen.changes(before, after)
    played = screen.screen_of(written.encode(), 20, 2)
    assert [[cell.character for cell in row] for row in played] == [
        [cell.character for cell in row] for row in after
    ]
    assert [[cell.shade for cell in row] for row in played] == [[cell.shade for cell in row] for row in after]
    assert screen.changes(after, after) == ""


@pytest.mark.parametrize("name", STILLS)
def test_stills_load_nothing_and_are_shown(name: str) -> None:
    text = (CASTS / f"{name}.svg").read_text("utf-8")
    assert text.startswith("<svg ")
    assert not re.search(r"<script|href=|url\(|@import", text)
    assert f"({name}.svg)" in (CASTS / "README.md").read_text("utf-8")
