"""Durable files: written under a temporary name, synced, renamed, folder synced."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from webbench.core.errors import EnvironmentDown
from webbench.core.store.records.bulk_writing import Workbench
from webbench.core.store.records.temporary import claim_file, claimed_folder

Cause = Literal["full", "read-only", "failed"]


class StoreUnwritable(EnvironmentDown):
    """Nothing was written; what had been recorded before is untouched, and the call may be repeated."""

    def __init__(self, message: str, hint: str, cause: Cause) -> None:
        super().__init__(message, hint)
        self.cause = cause


@contextlib.contextmanager
def writing(root: Path, what: str) -> Iterator[None]:
    """Turn operating-system errors inside into `StoreUnwritable`; `what` names what was to be written."""
    try:
        yield
    except OSError as error:
        raise _explained(error, root, what) from error


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Nobody else who asks so changes what is kept of this folder meanwhile. Raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _explained(error: OSError, root: Path, what: str) -> StoreUnwritable:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StoreUnwritable(
            f"{what} could not be recorded: no space left for the store {root}",
            "free some space and repeat it; everything recorded before is safe",
            "full",
        )
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return StoreUnwritable(
            f"{what} could not be recorded: the store {root} is read-only",
            "choose another store with --store or WEBBENCH_STORE, or make this one writable",
            "read-only",
        )
    return StoreUnwritable(
        f"{what} could not be recorded in the store {root}: {error.strerror or error}",
        "check the disk; everything recorded before is safe",
        "failed",
    )


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte, however many calls it takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def append_whole(descriptor: int, data: bytes, *, durable: bool = True) -> None:
    """Append lines: all of them or nothing. What a killed writer left of a line is closed off first.

    Args:
        descriptor: of a file opened for reading and appending.
        durable: they are on disk when this returns.
    """
    size = os.fstat(descriptor).st_size
    torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
    try:
        write_all(descriptor, b"\n" + data if torn else data)
        if durable:
            os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise


def sync_folder(folder: Path) -> None:
    """Make renames and new names inside `folder` durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_file(
    root: Path, path: Path | str, chunks: Iterable[bytes], *, workbench: Workbench | None = None
) -> None:
    """Create or replace `path` so that readers see the old file or the whole new one, never a part.

    Args:
        workbench: where it is prepared without a sync; None = it is on disk when this returns.
    """
    if workbench is not None:
        workbench.write(str(path), chunks)
        return
    path = Path(path)
    temporary, descriptor = claim_file(root)
    try:
        for chunk in chunks:
            write_all(descriptor, chunk)
        os.fsync(descriptor)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    sync_folder(path.parent)


def create_folder(root: Path, folder: Path, files: dict[str, bytes]) -> None:
    """Make a folder that holds `files` from the first moment it exists.

    Two processes never get the same folder: it is renamed into place only where none is; else
    `FileExistsError`.
    """
    with claimed_folder(root) as prepared:
        for name, data in files.items():
            write_file(root, prepared / name, [data])
        with _taking(folder):
            prepared.rename(folder)
    sync_folder(folder.parent)


@contextlib.contextmanager
def _taking(folder: Path) -> Iterator[None]:
    """Tell with `FileExistsError` that the folder is there already."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise FileExistsError(errno.EEXIST, "the name is taken", str(folder)) from error
        raise
