"""The private folder of a running browser: made, held by a lock, and swept once its holder is dead."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PREFIX = "webbench-browser-"
ROOM_PREFIX = "webbench-room-"
LOCK = "held"
LONGEST_PARENT = 32
UNHELD_SECONDS = 60.0
"""A folder without a lock is being made, unless it is older than this."""


class PrivateFolder:
    """Not swept while this process lives; its path leaves room for the sockets that Chromium puts there."""

    def __init__(self, prefix: str = PREFIX) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=prefix, dir=_parent()))
        fresh = self.path / f"{LOCK}.new"
        self._lock = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        fresh.rename(self.path / LOCK)

    def release(self) -> None:
        """Let go of the folder; whoever starts a browser next may sweep it."""
        os.close(self._lock)


@contextlib.contextmanager
def private_room() -> Iterator[Path]:
    """A folder for temporary files, removed at the end; what killed owners left is swept first."""
    sweep_abandoned()
    held = PrivateFolder(ROOM_PREFIX)
    try:
        room = held.path / "room"
        room.mkdir()
        yield room
    finally:
        shutil.rmtree(held.path, ignore_errors=True)
        held.release()


def sweep_abandoned() -> None:
    """Remove the folders of owners that died, of browsers together with their reaper."""
    for folder in (*_parent().glob(f"{PREFIX}*"), *_parent().glob(f"{ROOM_PREFIX}*")):
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
    short = Path("/tmp")  # noqa: S108 - the folder in it is one of its own
    return short if len(str(parent)) > LONGEST_PARENT and short.is_dir() else parent
