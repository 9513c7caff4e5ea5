"""Records the five minutes of the README: `make casts` drives the real program in a terminal of its own.

Writes `five-minutes.cast` (asciicast version 2: a header, then a line for each piece of output with its time
in seconds) and stills of three scenes as SVG. What is written is what the screen shows once it stands, as
changes against the picture before and in 256 colours: a fiftieth of what the program itself sends.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from screen import Cell, changes, drawing, screen_of  # noqa: E402  # stands beside this script

from tests.terminal.pty_program import PtyProgram  # noqa: E402  # the repository is on the path only now

COLUMNS, ROWS = 120, 34
READING = 1.6
"""Seconds that a scene stands in the recording, however long the machine took for it."""


class Camera(PtyProgram):
    """A program in a terminal, and a line of the recording for each scene."""

    def __init__(self, argv: list[str], environment: dict[str, str]) -> None:
        super().__init__(argv, columns=COLUMNS, rows=ROWS, environment=environment)
        self.lines: list[str] = []
        self._before: list[list[Cell]] = []

    def scene(self, keys: str, wanted: str, *, still: str = "") -> None:
        """Press keys, wait until the screen shows a text and stands, and keep what it shows.

        Args:
            still: name of a drawing of it.
        """
        if keys:
            self.send(keys)
        self.wait_to_show(wanted, 90)
        self.settle(0.6)
        screen = screen_of(bytes(self.output), COLUMNS, ROWS)
        piece = changes(self._before, screen)
        self.lines.append(json.dumps([round(len(self.lines) * READING, 1), "o", piece], ensure_ascii=False))
        self._before = screen
        if still:
            (HERE / f"{still}.svg").write_text(drawing(screen), "utf-8")


def film(camera: Camera) -> None:
    """The README's steps, one after the other."""
    camera.scene("", "ferry-of-the-second-shop")
    camera.scene("\x1b[Z\x1b[B", "camp-mugs", still="library")
    camera.scene("/camp", "1 of")
    camera.scene("\r", "Put three Ember")
    camera.scene("\r", "step 0 of")
    camera.scene("jjjjjj", "step 0 of")
    camera.scene("i", "step 0 of")
    camera.scene("A", "oracle")
    camera.scene("oracle", "oracle")
    camera.scene("\r", "at hand")
    camera.scene("O", "Accept", still="stepper")
    camera.scene("\r", "step 1 of")
    camera.scene("L", "step 2 of")
    camera.scene("P", "Episode ended", still="score")
    camera.scene("2", "step")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        places = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
        own = {name: f"{folder}/{name.lower()}" for name in places}
        camera = Camera([sys.executable, "-m", "webbench.tui"], own)
        with camera:
            film(camera)
    header = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "webbench-tui: the first five minutes"}
    recording = [json.dumps(header), *camera.lines, json.dumps([len(camera.lines) * READING, "o", ""])]
    (HERE / "five-minutes.cast").write_text("\n".join(recording) + "\n", "utf-8")


if __name__ == "__main__":
    main()
