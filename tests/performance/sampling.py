"""Where a thread's time goes, told by looking at its stack every few milliseconds."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

EVERY = 0.004
"""Seconds between two looks."""

OWN, PLAYWRIGHT, OTHER, WAITING = "our own", "Playwright", "event loop and others", "waiting"
_WAITS = ("select", "poll")


class Sampler:
    """Looks at the thread it is made in, from one of its own, while it is open.

    What a library does for a caller of ours counts as ours, unless Playwright stands between: a sample
    belongs to the innermost frame that is in our package or in Playwright's.

    Attributes:
        shares: samples by who was at work.
        places: the innermost frames of our own package that were seen, "file:function".
    """

    def __init__(self) -> None:
        self.shares: Counter[str] = Counter()
        self.places: Counter[str] = Counter()
        self._watched = threading.get_ident()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Sampler:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def share(self, who: str) -> float:
        """Of all samples."""
        return self.shares[who] / max(1, sum(self.shares.values()))

    def _look(self) -> None:
        while not self._stop.wait(EVERY):
            frame = sys._current_frames().get(self._watched)
            if frame is not None:
                who, place = owner(frame)
                self.shares[who] += 1
                if who == OWN:
                    self.places[place] += 1


def owner(frame: FrameType) -> tuple[str, str]:
    """Who is at work, and for our own code where."""
    if frame.f_code.co_name in _WAITS and "selectors" in frame.f_code.co_filename:
        return WAITING, ""
    at: FrameType | None = frame
    while at is not None:
        file = at.f_code.co_filename
        if "/playwright/" in file:
            return PLAYWRIGHT, ""
        if "/webbench/" in file:
            return OWN, f"{Path(file).name}:{at.f_code.co_name}"
        at = at.f_back
    return OTHER, ""


def resident_mib() -> float:
    """Memory of this process that is in RAM, on Linux."""
    return _field("/proc/self/status", "VmRSS:")


def family_mib() -> float:
    """Of this process and all that it has started, memory that several of them share counted once."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text("utf-8").rpartition(")")[2].split()[1])
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours and pid not in ours}:
        ours |= more
    return sum(_field(f"/proc/{pid}/smaps_rollup", "Pss:") for pid in ours)


def _field(path: str, name: str) -> float:
    """Of a file of /proc, in MiB; 0 where its process has gone."""
    with contextlib.suppress(OSError):
        for line in Path(path).read_text("ascii").splitlines():
            if line.startswith(name):
                return int(line.split()[1]) / 1024
    return 0.0
