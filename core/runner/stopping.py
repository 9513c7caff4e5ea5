"""Ending a run from outside: its runner is told as Ctrl+C tells it, and nothing else ever is.

A sign of life names a process by its id and by when that process was started. An id that was given to another
process since then doesn't match, nor does one that means another process in here than where the runner lives.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import msgspec

from webbench.core.errors import EnvironmentDown
from webbench.core.runner.lease import Beat, process_start, read_beat, this_boot, works_here
from webbench.core.runner.status.run_status import RunState, run_status

SCHEMA_VERSION = 1
LOOK_SECONDS = 0.1
HEARD_SECONDS = 3.0
"""So long is waited for the runner to say that it is ending, before it is told a second time."""


class OutOfReach(EnvironmentDown):
    """The runner can't be told anything from here."""


class Stopping(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it.

    Attributes:
        pid, host: of the runner, 0 and "" where nobody worked at the run.
        told: it was told just now; not where it was ending already.
        left: nobody works at the run any more.
        state, waiting: of the run now; `waiting` episodes are left to be played.
    """

    run: str
    pid: int = 0
    host: str = ""
    told: bool = False
    left: bool = True
    state: RunState = "finished"
    waiting: int = 0
    schema_version: int = SCHEMA_VERSION


def stop_run(root: Path, run: str, *, wait: float, at_once: bool = False) -> Stopping:
    """Have the runner end its episodes as not scored and leave; wait so many seconds until it has.

    Args:
        at_once: tell it a second time, so that it leaves its episodes as they are.

    Raises `OutOfReach` for a runner on another machine or of another user; as `run_status` for the run.
    """
    run_status(root, run)
    folder = root / run
    beat = runner_here(folder)
    told = beat is not None and _tell(folder, beat, at_once=at_once)
    deadline = time.monotonic() + wait
    while _lives(folder, beat) and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
    left = not _lives(folder, beat)
    status = run_status(root, run)
    return Stopping(
        run=run,
        pid=beat.pid if beat is not None else 0,
        host=beat.host if beat is not None else "",
        told=told,
        left=left,
        state=status.state,
        waiting=status.waiting,
    )


def runner_here(folder: Path) -> Beat | None:
    """The sign of life of the process of this machine that works at a run; None where nobody does.

    Raises `OutOfReach` where somebody does, or may, whom a signal from here wouldn't reach for certain.
    """
    beat = read_beat(folder)
    if beat is None:
        return None
    there = f"process {beat.pid} on {beat.host} works at the run {folder.name}"
    if beat.boot != this_boot():
        raise OutOfReach(there, f"`webbench-tui stop {folder.name}` ends it on that machine")
    if beat.started and process_start(beat.pid) == beat.started:
        return beat
    if works_here(folder):
        hint = "end it there: it runs in another container, or by an older release"
        raise OutOfReach(f"{there}, and isn't to be found here by that number", hint)
    return None


def _lives(folder: Path, beat: Beat | None) -> bool:
    """Whether the process is there, and the run is still its own."""
    if beat is None or process_start(beat.pid) != beat.started:
        return False
    now = read_beat(folder)
    return now is not None and now.runner == beat.runner


def _tell(folder: Path, beat: Beat, *, at_once: bool) -> bool:
    """Signal it, unless it is ending already and may do so in order; whether it was signalled."""
    if not beat.ending:
        _signal(folder, beat)
        if not at_once:
            return True
        _await_ending(folder, beat)
    elif not at_once:
        return False
    if _lives(folder, beat):
        _signal(folder, beat)
    return True


def _await_ending(folder: Path, beat: Beat) -> None:
    deadline = time.monotonic() + HEARD_SECONDS
    while _lives(folder, beat) and time.monotonic() < deadline:
        now = read_beat(folder)
        if now is not None and now.ending:
            return
        time.sleep(LOOK_SECONDS)


def _signal(folder: Path, beat: Beat) -> None:
    """The process is held while it is looked at once more, so that its number can't become another's."""
    with contextlib.suppress(ProcessLookupError):
        try:
            if sys.platform != "linux":
                os.kill(beat.pid, signal.SIGINT)
                return
            held = os.pidfd_open(beat.pid)
            try:
                if process_start(beat.pid) == beat.started:
                    signal.pidfd_send_signal(held, signal.SIGINT)
            finally:
                os.close(held)
        except PermissionError as error:
            raise OutOfReach(
                f"process {beat.pid} works at the run {folder.name}, and is another user's",
                "that user, or root, can stop it",
            ) from error
