"""The recording of the five minutes shows all that the README says of them, and is small."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from tests.terminal.emulator import Emulator

REPOSITORY = Path(__file__).parents[2]
CASTS = REPOSITORY / "docs" / "casts"
LARGEST = 400_000
"""Bytes of a recording; it is part of the repository."""
STILLS = ("library", "stepper", "score")


class Part(NamedTuple):
    """What the recording holds under one mark.

    Attributes:
        keys: those that changed the screen; a text that was typed in one go counts as none.
        screens: the terminal's text after each piece of output.
    """

    label: str
    keys: set[str]
    screens: list[str]

    def shows(self, pattern: str) -> bool:
        """Whether some screen does, and another one comes after it."""
        return any(re.search(pattern, text, re.MULTILINE) for text in self.screens[:-1])


def parts() -> list[Part]:
    header, *pieces = map(json.loads, (CASTS / "five-minutes.cast").read_text("utf-8").splitlines())
    screen = Emulator(header["width"], header["height"])
    found: list[Part] = []
    pressed = ""
    for _, kind, text in pieces:
        if kind == "m":
            found.append(Part(text, set(), []))
        elif kind == "i":
            pressed = text
        elif text:
            screen.feed(text.encode())
            found[-1].screens.append(screen.text)
            if len(set(pressed)) == 1:
                found[-1].keys.add(pressed[0])
            pressed = ""
    return found


def five_minutes() -> tuple[list[str], list[str]]:
    """The numbered steps of the README, and the commands below them."""
    section = (REPOSITORY / "README.md").read_text("utf-8").partition("## Five minutes\n")[2]
    steps, _, commands = section.partition("\n## ")[0].partition("```sh\n")
    lines = commands.partition("```")[0].splitlines()
    return re.split(r"^\d+\. ", steps, flags=re.MULTILINE)[1:], [
        line.partition("#")[0].strip() for line in lines
    ]


def as_typed(command: str) -> str:
    """How a command looks in a shell, as a pattern."""
    return rf"\$ {re.escape(command).replace('EPISODE', '[^ ]+')} *$"


def missing(step: str, part: Part) -> list[str]:
    """What a step names in backticks, and the part of the recording doesn't show."""
    keys = {"Enter": "\r"} | {f"Ctrl+{chr(64 + code)}": chr(code) for code in range(1, 27)}
    lacking = []
    for named in {*re.findall(r"`([^`]+)`", step), *re.findall(r"\bEnter\b", step)}:
        if named in keys or len(named) == 1:
            shown = keys.get(named, named) in part.keys
        elif named.startswith(("make ", "webbench-tui")):
            shown = part.shows(as_typed(named))
        else:
            shown = part.shows(re.sub(r"\d+", r"\\d+", re.escape(named)))
        if not shown:
            lacking.append(named)
    return lacking


def test_every_step_and_command_of_the_readme_is_shown() -> None:
    *steps, shell = parts()
    numbered, commands = five_minutes()
    assert [part.label.partition(" ")[0] for part in steps] == [f"{n + 1}." for n in range(len(numbered))]
    lacking = {step: missing(step, part) for step, part in zip(numbered, steps, strict=True)}
    assert not {step: names for step, names in lacking.items() if names}
    assert not [command for command in commands if not shell.shows(as_typed(command))]


def test_what_is_not_in_the_recording_is_found() -> None:
    part = Part("1.", {"j"}, ["$ make demo\n", "click [30]", "the end"])
    assert missing("`make demo`, then `j`; it says `click [12]`.", part) == []
    found = missing("`make test`, then `k`, Enter and `Ctrl+S`; it says `hover [12]`, `the end`.", part)
    assert sorted(found) == ["Ctrl+S", "Enter", "hover [12]", "k", "make test", "the end"]


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
    assert {kind for _, kind, _ in pieces} == {"o", "i", "m"}
    shown = [text for part in parts() for text in part.screens]
    for wanted in ("camp-mugs", "step 0 of", "oracle proposes", "Result: camp-mugs"):
        assert any(wanted in text for text in shown), wanted


def test_it_is_played_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    script("play").play(CASTS / "five-minutes.cast", speed=1e9)
    assert "camp-mugs" in capsys.readouterr().out


def showing(output: str) -> Emulator:
    emulator = Emulator(20, 2)
    emulator.feed(output.encode())
    return emulator


def test_changes_turn_one_screen_into_the_next() -> None:
    screen = script("screen")
    first = "\x1b[31mone\x1b[0m two \U0001f916 x"
    outputs = [first, f"{first}\x1b[1;5H\x1b[44mTWO\x1b[0m \x1b[41m\U0001f916\x1b[0m y z\x1b[2;3Hthree"]
    before, after = (screen.screen_of(showing(output)) for output in outputs)
    written = screen.changes([], before) + screen.changes(before, after)
    played = screen.screen_of(showing(written))
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
