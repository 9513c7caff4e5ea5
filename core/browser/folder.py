"""The private folder of a running browser: made, held by a lock, and swept once its holder is dead."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path

PREFIX = "webbench-browser-"
LOCK = "held"
LONGEST_PARENT = 32
UNHELD_SECONDS = 60.0
"""A folder without a lock is being made, unless it is older than this."""


class PrivateFolder:
    """Not swept while this process lives; its path leaves room for the sockets that Chromium puts there."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_parent()))
        fresh = self.path / f"{LOCK}.new"
        self._lock = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        fresh.rename(self.path / LOCK)

    def release(self) -> None:
        """Let go of the folder; whoever starts a browser next may sweep it."""
        os.close(self._lock)


def sweep_abandoned() -> None:
    """Remove the folders of owners that died together with their reaper."""
    for folder in _parent().glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            seen = folder.lstat()
            ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid()
            if ours and _abandoned(folder, seen.st_mtime):
                shutil.rmtree(folder, ignore_errors=True)


def _abandoned(folder: Path, changed: float) -> bool:
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return time.time() - changed > UNHELD_SECONDS
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        return True
    finally:
        os.close(lock)


def _parent() -> Path:
    parent = Path(tempfile.gettempdir())
    short = Path("/tmp")  # noqa: S108
    return short if len(str(parent)) > LONGEST_PARENT and short.is_dir() else parent
