"""Atomic output: files and folders that appear whole or not at all, and replace nothing unasked."""

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

from webbench.core.errors import EnvironmentDown, UsageError

WORKSHOP = ".webbench-"
"""Within the name of a folder in which something is made; eight hexadecimal digits follow."""

YOUNG_SECONDS = 1.0


@contextlib.contextmanager
def appearing(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Gives a path beside it, of the same name, at which a file or folder is to be made; then it is renamed.

    Where the block raises, nothing is left behind and what was there before is untouched. What a process that
    was killed left behind is removed when the next thing is made beside it.

    Args:
        force: what is at `path` is replaced; of a folder only where it holds no other files than the new one.

    Raises:
        UsageError: there is something at `path` already, or its folder is none.
        EnvironmentDown: it can't be written.
    """
    path = path.expanduser().absolute()
    _require_free(path, force)
    workshop = path.parent / f".{path.name}{WORKSHOP}{secrets.token_hex(4)}"
    held = -1
    try:
        _sweep(path.parent)
        workshop.mkdir(parents=True)
        held = _held(workshop)
        yield workshop / path.name
        _sync(workshop / path.name)
        _require_free(path, force)
        _replace(workshop, path)
    except OSError as error:
        raise EnvironmentDown(
            f"{path} could not be written: {error.strerror or error}", "choose another place with --out"
        ) from error
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
        if held >= 0:
            os.close(held)


def _held(workshop: Path) -> int:
    """Hold the folder: one that nobody holds was left by a process that was killed."""
    descriptor = os.open(workshop, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    with contextlib.suppress(OSError):  # some network file systems have no locks
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def _sweep(folder: Path) -> None:
    """Remove what killed processes left here. One that is just being made is not held yet, but young."""
    for workshop in folder.glob(f".*{WORKSHOP}????????"):
        with contextlib.suppress(OSError):
            seen = workshop.lstat()
            ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid()
            if ours and time.time() - seen.st_mtime > YOUNG_SECONDS and _is_abandoned(workshop):
                shutil.rmtree(workshop, ignore_errors=True)


def _is_abandoned(workshop: Path) -> bool:
    """Raises `OSError` where that can't be told."""
    descriptor = os.open(workshop, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def write_text(path: Path, text: str, *, force: bool = False) -> None:
    """A UTF-8 file. Raises as `appearing`."""
    with appearing(path, force=force) as made:
        made.write_text(text, "utf-8", newline="\n")


def _require_free(path: Path, force: bool) -> None:
    empty = path.is_dir() and not path.is_symlink() and not any(path.iterdir())
    if os.path.lexists(path) and not force and not empty:
        raise UsageError(f"{path} exists", "choose another place, or replace it with --force")
    if path.parent.exists() and not path.parent.is_dir():
        raise UsageError(f"{path.parent} is no folder", "choose another place")


def _replace(workshop: Path, path: Path) -> None:
    """A folder can't be renamed over one that holds something, so that one steps aside first."""
    aside = workshop / f"{path.name}.replaced"
    made = workshop / path.name
    require_no_others(path, made)
    if os.path.lexists(path) and (made.is_dir() or (path.is_dir() and not path.is_symlink())):
        path.rename(aside)
    try:
        made.rename(path)
    except OSError:
        if os.path.lexists(aside):
            aside.rename(path)
        raise


def require_no_others(path: Path, made: Path) -> None:
    """A folder named by mistake must not take with it what somebody keeps there. Raises `UsageError`."""
    if not path.is_dir() or path.is_symlink():
        return
    for one in path.rglob("*"):
        if not one.is_dir() and not (made / one.relative_to(path)).is_file():
            raise UsageError(
                f"{path} holds {one.name}, which would be lost", "choose another place, or remove it first"
            )


def _sync(made: Path) -> None:
    """What was written is on disk before it gets its name."""
    for one in [made, *made.rglob("*")] if made.is_dir() else [made]:
        descriptor = os.open(one, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
