"""No control byte of a page reaches the terminal: checked on the raw bytes of a pty."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal.page_task import page_task
from tests.terminal.pty_program import PtyProgram

PAGE = r"""<!doctype html><html><head><title>t</title></head><body>
<main id="m"></main>
<script>
  const ESC = "\u001b", CSI = "\u009b", OSC = "\u009d", BEL = "\u0007";
  const hostile = [
    "[bold]markup[/bold]", "[/]", "[link=https://evil.example]x[/link]", "[@click=app.quit]quit[/]",
    ESC + "]0;PWNED" + BEL, ESC + "[2J" + ESC + "[31mRED", CSI + "2J", OSC + "0;PWNED" + "\u009c",
    "\u202egnp.exe\u202c", "a\u200bb\u200dc\ufeff", "z" + "\u0301".repeat(500),
    "日本語のボタン 👩‍👩‍👧 ＦＵＬＬ",
    "\udc80 lone", "line\u2028sep\u2029", "A".repeat(1000000), "\u0000nul\u0008\u007f",
  ];
  document.title = ESC + "]0;PWNED-TITLE" + BEL + " [/] title";
  for (const [i, name] of hostile.entries()) {
    const b = document.createElement("button");
    b.setAttribute("aria-label", name); b.textContent = "b" + i; b.name = name.slice(0, 40);
    document.getElementById("m").append(b);
    const f = document.createElement("input"); f.value = name; f.title = name;
    document.getElementById("m").append(f);
  }
  console.log(ESC + "]0;PWNED-LOG" + BEL); console.error("[/] " + CSI + "2J");
</script></body></html>"""

FORBIDDEN = [
    re.compile(rb"\x1b\]0;PWNED"),
    re.compile(rb"\x1b\]8;[^\x1b\x07]*evil"),
    re.compile(rb"\xc2[\x80-\x9f]"),
    re.compile("\u202e".encode()),
    re.compile("\u2028".encode()),
    re.compile(rb"\x1b\[2J\x1b\[31mRED"),
    re.compile(rb"\x00|\x7f"),
]


TOUR = (
    ("/lone\r", "button � lone"),
    ("G", "A" * 20),
    ("1", "published rules"),
    ("2", "]0;PWNED-TITLE"),
    ("3", "]0;PWNED-LOG"),
    ("4", "A note on this step"),
)
"""Keys, and what of the page or of the program stands on the screen after them."""


def assert_harmless(output: bytes) -> None:
    for pattern in FORBIDDEN:
        found = pattern.search(output)
        assert found is None, (pattern, output[max(0, found.start() - 80) : found.end() + 80])


@pytest.mark.thorough
def test_observe_prints_no_control_bytes(serve: Callable[[str], str]) -> None:
    program = [sys.executable, "-m", "webbench.tui", "observe", serve(PAGE)]
    for extra in ([], ["--format", "browsergym"], ["--json"]):
        done = subprocess.run([*program, *extra], capture_output=True, timeout=120, check=True)
        assert b"markup" in done.stdout
        assert_harmless(done.stdout + done.stderr)
        assert b"\x1b" not in done.stdout


@pytest.mark.parametrize("size", [(160, 48), pytest.param((80, 24), marks=pytest.mark.thorough)])
def test_stepper_shows_a_hostile_page_harmlessly(tmp_path: Path, size: tuple[int, int]) -> None:
    task = page_task(tmp_path / "data", PAGE)
    program_of_task = [sys.executable, "-m", "webbench.tui", *task, "--store", str(tmp_path / "store")]
    with PtyProgram(program_of_task, columns=size[0], rows=size[1]) as program:
        program.wait_to_show("[bold]markup[/bold]", 60)
        program.send("f")
        program.settle(seconds=2)
        program.send("\x1b")  # alone: an escape right before a letter is a key of its own
        program.settle(seconds=2)
        for keys, shown in TOUR:
            program.send(keys)
            program.wait_to_show(shown)
        program.wait_to_show("f1 Help")  # the footer of a field
        program.send("\x1b")
        program.wait_to_show("f1 Help", gone=True)
        program.send("?")
        program.wait_to_show("Help ─")
        program.send("\x1b")
        program.wait_to_show("Help ─", gone=True)
        assert_harmless(bytes(program.output))
