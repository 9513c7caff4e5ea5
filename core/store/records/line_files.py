"""Line files, append-only and with a record on each line, as a writer that was killed may have left them."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from webbench.core.errors import BadData
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import append_whole, sync_folder, writing

Record = TypeVar("Record")

LARGEST_BESIDE = 64 << 20
"""Bytes of a file beside a record; a larger one is none of ours."""


def read_lines(
    data: bytes, path: Path, read: Callable[[bytes, str], Record], in_flight: str
) -> tuple[list[Record], list[str]]:
    """The records that can be read, in order, and a sentence for each line that can't be.

    A last line without its end that is no record is torn: nobody was told yet that it was kept.

    Args:
        data: what the file holds; `path` names it in what is told.
        read: makes a record of a line, given the line and its place in words. Raises `BadData`.
        in_flight: what a torn line was to hold, such as "the step".

    Raises `codec.NewerSchema` for a line that a newer release wrote.
    """
    records: list[Record] = []
    problems: list[str] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number},"
        try:
            records.append(read(line, where))
        except codec.NewerSchema:
            raise
        except BadData as error:
            torn = f"is torn: {in_flight} in flight when its writer died was skipped"
            damaged = f"is damaged and was skipped: {error.message}"
            problems.append(f"{where} {torn if number == len(lines) else damaged}")
    return records, problems


def lines_besides(ours: bytes, theirs: bytes, where: str) -> bytes:
    """The whole lines of `theirs` that `ours` hasn't. Raises `BadData` where one is too large.

    Args:
        where: what `theirs` is called in the message.
    """
    if max(len(ours), len(theirs)) > LARGEST_BESIDE:
        raise BadData(f"{where} is larger than {LARGEST_BESIDE >> 20} MiB", "move it away")
    have = set(ours.split(b"\n"))
    whole = theirs.split(b"\n")[:-1]
    return b"".join(line + b"\n" for line in dict.fromkeys(whole) if line not in have)


def append_beside(root: Path, path: Path, lines: bytes, what: str) -> None:
    """As `append_line_file`, to a file in an episode's folder."""
    append_line_file(root, path, lines, what)
    with writing(root, what):
        os.utime(path.parent.parent)  # lists and the index of texts look into runs whose folder changed


def append_line_file(root: Path, path: Path, lines: bytes, what: str) -> None:
    """Append whole lines to a file, made where it is missing; on disk when this returns.

    Args:
        root: the store.
        path: in a folder that is there.
        what: is written, for the message.

    Raises `StoreUnwritable`.
    """
    with writing(root, what), appending(path) as file:
        append_whole(file, lines)


@contextlib.contextmanager
def appending(path: Path, *, durable: bool = True) -> Iterator[int]:
    """A file, made where it is missing, that nobody else appends lines to meanwhile. Raises `OSError`.

    Args:
        durable: a new file is in its folder, on disk, when this is over.
    """
    is_new = not path.exists()
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)
    if is_new and durable:
        sync_folder(path.parent)
