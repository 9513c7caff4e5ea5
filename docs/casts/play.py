"""Plays a recording in this terminal: `python docs/casts/play.py [FILE] [SPEED]`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def play(file: Path, speed: float) -> None:
    """Write each piece of output when its time has come."""
    _, *lines = file.read_text("utf-8").splitlines()
    at = 0.0
    for line in lines:
        seconds, kind, text = json.loads(line)
        time.sleep(max(0.0, seconds - at) / speed)
        at = seconds
        if kind == "o":
            sys.stdout.write(text)
            sys.stdout.flush()
    sys.stdout.write("\x1b[0m\x1b[?25h\n")


if __name__ == "__main__":
    given = sys.argv[1:]
    recording = Path(given[0]) if given else Path(__file__).with_name("five-minutes.cast")
    play(recording, float(given[1]) if len(given) > 1 else 1.0)
