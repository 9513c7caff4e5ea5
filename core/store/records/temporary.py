"""Unfinished files of a store: locked by whoever writes them, swept once that process is dead."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

TEMPORARY = "tmp"
"""Folder of the store in which files are prepared before they are renamed into place."""

ABANDONED_AFTER = 24 * 3600.0
"""Seconds after which a file is swept where the file system has no locks; folders are left alone there."""


def claim_file(root: Path) -> tuple[Path, int]:
    """A new file of our own, open for writing; it is ours until the descriptor is closed."""
    folder = _folder(root)
    path = folder / _name("")
    with _gate(folder, fcntl.LOCK_SH):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        _lock(descriptor, fcntl.LOCK_EX)
    return path, descriptor


@contextlib.contextmanager
def claimed_folder(root: Path, name: str = "") -> Iterator[Path]:
    """A new folder of our own, removed at the end unless it was renamed into place by then."""
    folder = _folder(root)
    path = folder / _name(name)
    with _gate(folder, fcntl.LOCK_SH):
        path.mkdir(mode=0o700)
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        _lock(descriptor, fcntl.LOCK_EX)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(descriptor)


def sweep_temporary(root: Path) -> None:
    """Remove what processes that were killed left unfinished, and nothing of a living one."""
    folder = root / TEMPORARY
    with contextlib.suppress(OSError), _gate(folder, fcntl.LOCK_EX) as locks:
        for path in folder.iterdir():
            with contextlib.suppress(OSError):
                if _abandoned(path) if locks else _old(path):
                    _remove(path)


def claimed_by_others(root: Path, own: Path) -> bool:
    """Whether anybody holds another folder than our own: many episodes are being copied in."""
    folder = root / TEMPORARY
    with contextlib.suppress(OSError), _gate(folder, fcntl.LOCK_EX):
        for path in folder.iterdir():
            with contextlib.suppress(OSError):
                if path != own and path.is_dir() and not _abandoned(path):
                    return True
    return False


@contextlib.contextmanager
def _gate(folder: Path, kind: int) -> Iterator[bool]:
    """Nothing is swept between being made and being locked; whether the file system has locks."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield _lock(descriptor, kind)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, kind: int) -> bool:
    """Whether there is a lock now: some network file systems have none."""
    try:
        fcntl.flock(descriptor, kind)
    except OSError:
        return False
    return True


def _abandoned(path: Path) -> bool:
    """Whether nobody holds it. Raises `OSError` where that can't be told."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)


def _old(path: Path) -> bool:
    seen = path.lstat()
    return not stat.S_ISDIR(seen.st_mode) and seen.st_mtime < time.time() - ABANDONED_AFTER


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _folder(root: Path) -> Path:
    folder = root / TEMPORARY
    if not folder.is_dir():
        private_folder(root)
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def private_folder(path: Path) -> None:
    """Make a folder that only its owner may enter; one that is there stays as it is. Raises `OSError`."""
    with contextlib.suppress(FileNotFoundError):
        path.mkdir(mode=0o700, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)


def open_to_others(path: Path) -> bool:
    """Whether other users may read what is in a folder of ours; False where there is none."""
    try:
        seen = path.stat()
    except OSError:
        return False
    return seen.st_uid == os.getuid() and bool(seen.st_mode & 0o077)


def _name(name: str) -> str:
    return f"{name or 'part'}-{os.getpid()}-{secrets.token_hex(8)}"
