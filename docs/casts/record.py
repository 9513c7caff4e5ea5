"""Records the five minutes of the README: `make casts` drives the real program in a terminal of its own.

Writes `five-minutes.cast` (asciicast version 2: a header, then a line for each mark, key and piece of output
with its time in seconds) and stills of three scenes as SVG. What is written is what the screen shows once it
stands, as changes against the picture before and in 256 colours: a fiftieth of what the program itself sends.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
sys.path[:0] = [str(HERE), str(REPOSITORY)]

from screen import Cell, changes, drawing, screen_of  # noqa: E402  # stands beside this script

from tests.terminal.pty_program import PtyProgram  # noqa: E402  # the repository is on the path only now

COLUMNS, ROWS = 120, 34
READING = 1.6
"""Seconds that a scene stands in the recording, however long the machine took for it."""
SHORTER_THAN_A_BLINK = 0.4
"""Seconds without output after which a screen stands; a text field's cursor blinks all the time."""
PATIENCE = 90
"""Seconds in which a busy machine gets to any scene."""
PROMPT = "webbench-tui $"
NEXT_PROMPT = f"\n(.venv) {PROMPT}"
"""Below another line: the command in the first one is through."""
IN_THE_TREE = "⏎ Act"
"""In the footer while the tree has the focus."""
SCORING = "  scoring "
"""In the header."""
ESCAPE = "\x1b"
CTRL_L, CTRL_S = "\x0c", "\x13"


class Camera(PtyProgram):
    """A program in a terminal, and the lines of the recording."""

    def __init__(self, argv: list[str], environment: dict[str, str]) -> None:
        super().__init__(argv, columns=COLUMNS, rows=ROWS, environment=environment)
        self.lines: list[str] = []
        self.seconds = 0.0
        self._before: list[list[Cell]] = []

    @property
    def screen(self) -> list[list[Cell]]:
        """What is shown, with its colours."""
        _ = self.shown  # has the emulator read all that came
        return screen_of(self._emulator)

    def mark(self, label: str) -> None:
        """Name the part of the recording that begins here; players jump to it."""
        self._keep("m", label)

    def scene(self, keys: str, wanted: str, *, still: str = "", stands: bool = True) -> None:
        """Press keys, wait until the screen shows a text and stands, and keep what it shows.

        Args:
            still: name of a drawing of it.
            stands: false where the screen goes on by itself, and the next key can't wait.
        """
        if keys:
            self.send(keys)
            self._keep("i", keys)
        self.wait_to_show(wanted, PATIENCE)
        if stands:
            self.wait_to_show(SCORING, PATIENCE, gone=True)
            self.settle(SHORTER_THAN_A_BLINK)
        screen = self.screen
        self._keep("o", changes(self._before, screen))
        self._before = screen
        self.seconds += READING
        if still:
            (HERE / f"{still}.svg").write_text(drawing(screen), "utf-8")

    def command(self, words: str, wanted: str = NEXT_PROMPT) -> None:
        """Run a command on a screen of its own: what stood there could be taken for its output."""
        self.send(CTRL_L)
        self.wait_to_show(NEXT_PROMPT, gone=True)
        self.scene(words, f"$ {words}")
        self.scene("\r", wanted)

    def _keep(self, kind: str, text: str) -> None:
        self.lines.append(json.dumps([round(self.seconds, 1), kind, text], ensure_ascii=False))


def film(camera: Camera) -> None:
    """The README's five minutes: each of its steps under a mark of its number, then its commands."""
    for number, step in enumerate((library, tree, action, panels, agent, end), 1):
        camera.mark(f"{number}. {step.__doc__}")
        step(camera)
    camera.mark("In a shell")
    shell(camera)


def library(camera: Camera) -> None:
    """The library"""
    camera.scene("", PROMPT)
    camera.scene("make demo", "$ make demo")
    camera.scene("\r", "camp-mugs", still="library")
    camera.scene("/", "/ Filter")
    camera.scene("camp", "1 of")
    camera.scene("\r", "§ main")


def tree(camera: Camera) -> None:
    """The page as a tree"""
    camera.scene("jjj", "step 0 of")
    camera.scene("k", "step 0 of")
    camera.scene("hh", "▸ ¶ paragraph")
    camera.scene("l", "step 0 of")
    camera.scene("/", "/ Search")
    camera.scene("browse\r", "/browse")
    camera.scene("i", "interactive only")
    camera.scene("F", "a   ↗")
    camera.scene(ESCAPE, "interactive only")
    camera.scene("f", "a   ↗")
    camera.scene(hint(camera, "link Browse all products"), IN_THE_TREE)


def hint(camera: Camera, name: str) -> str:
    """The letters that go to an element."""
    found = re.search(rf"(\w+) +\S {name}", camera.shown)
    assert found, camera.shown
    return found[1]


def action(camera: Camera) -> None:
    """An action in the benchmark's own language"""
    camera.scene("\r", '] link "Browse all products"')
    camera.scene("\r", "step 1 of")
    for letter, verb, role, name in (
        ("s", "select", "combobox", "Sort by"),
        ("x", "check", "checkbox", "In stock only"),
        ("c", "click", "button", "Apply filters"),
        ("m", "hover", "link", "Clear all"),
        ("t", "type", "spinbutton", "From"),
    ):
        camera.scene(f"/{name}\r", f"{role} {name}")
        camera.scene(letter, f"✔ {verb} [")
        camera.wait_to_show(f'] {role} "{name}"')
        camera.scene(ESCAPE, IN_THE_TREE)


def panels(camera: Camera) -> None:
    """The panels"""
    camera.scene("2", "1 step ")
    camera.scene("3", "has said nothing")
    camera.scene("4", "No notes")
    camera.scene("A notice covers the list\r", "2  A notice covers")
    camera.scene("\t", IN_THE_TREE)
    camera.scene("1", "one check")
    camera.scene("\t", IN_THE_TREE)


def agent(camera: Camera) -> None:
    """Beside an agent"""
    camera.scene("A", "Which agent")
    camera.scene("oracle", "oracle")
    camera.scene("\r", "at hand")
    camera.scene("O", "x Reject", still="stepper")
    camera.scene("\r", "step 2 of")
    camera.scene("O", "x Reject")
    camera.scene("e", "⏎ Send")
    camera.scene("\r", "step 3 of")
    camera.scene("O", "x Reject")
    camera.scene("x", "with or without a reason")
    camera.scene("look first\r", IN_THE_TREE)
    camera.scene("P", "oracle running", stands=False)
    camera.scene("P", "oracle at hand")
    camera.scene("j", IN_THE_TREE)
    camera.scene("m", "✔ hover [")
    camera.scene("\r", next_step(camera))
    while "✔ 1.000" not in camera.shown:
        camera.scene("L", next_step(camera))


def next_step(camera: Camera) -> str:
    """What the header says after one more step."""
    found = re.search(r"step (\d+) of", camera.shown)
    assert found, camera.shown
    return f"step {int(found[1]) + 1} of"


def end(camera: Camera) -> None:
    """The end, and the score"""
    camera.scene(CTRL_S, "How do you end")
    camera.scene("\r", "Result: camp-mugs", still="score")
    camera.scene("q", "1 of 18")
    camera.scene("q", "18 tasks")
    camera.scene("q", PROMPT)


def shell(camera: Camera) -> None:
    """What the README has one type; the episode that went on is left, and kept."""
    episode = "0000_camp-mugs"
    camera.send(CTRL_L)
    camera.scene(". .venv/bin/activate", "$ . .venv/bin/activate")
    camera.scene("\r", NEXT_PROMPT)
    for words in ("runs", f"show {episode}", f"score {episode}", "score --suspect"):
        camera.command(f"webbench-tui {words}")
    camera.command(f"webbench-tui step --resume {episode}", "Resumed")
    camera.scene("q", "Keep it and leave")
    camera.scene("3", "Keep it and leave")
    camera.scene("\r", "18 tasks")
    camera.scene("q", "2  Quit")
    camera.scene("2", NEXT_PROMPT)
    camera.command("webbench-tui runs --unfinished")


def main() -> None:
    os.chdir(REPOSITORY)
    with tempfile.TemporaryDirectory() as folder:
        places = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
        own = {name: f"{folder}/{name.lower()}" for name in places}
        # Else the shell's `make demo` would speak of the `make casts` that it runs in.
        bare = {"PS1": f"{PROMPT} ", "HISTFILE": "", "MAKEFLAGS": "", "MAKELEVEL": ""}
        with Camera(["bash", "--noprofile", "--norc"], own | bare) as camera:
            film(camera)
    header = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "webbench-tui: the first five minutes"}
    recording = [json.dumps(header), *camera.lines, json.dumps([round(camera.seconds, 1), "o", ""])]
    (HERE / "five-minutes.cast").write_text("\n".join(recording) + "\n", "utf-8")


if __name__ == "__main__":
    main()
