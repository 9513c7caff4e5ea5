"""The log of one annotator's sessions: an append-only file of lines, each on disk before it counts."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from webbench.core.errors import BadData, UsageError
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import append_whole, sync_folder, writing
from webbench.core.store.records.line_files import read_lines
from webbench.core.trajectory import now

SCHEMA_VERSION = 1
ENDING = ".jsonl"

Happening = Literal["begun", "episode", "clock", "paused", "went on", "left", "ended", "answered", "rated"]
Rating = Annotated[int, Meta(ge=1, le=5)]
Outcome = Literal["submitted", "gave up", "time limit", "step limit", "other"]


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line.

    Attributes:
        what: begun (a task), episode (one was opened for it), clock (how far it is), paused, went on, left
            (the session, the task stays open), ended (the task, with its outcome), answered (some of the
            questions, as far as the person came), rated (all of them, and done with).
        seconds: worked on the task so far, pauses left out.
        run, episode: that the record of the task is in.
        outcome, reason: how the task ended, and why it was given up.
        difficulty: from 1, very easy, to 5, very hard. confidence: from 1, a guess, to 5, certain. None where
            that is not answered.
        remark: in the annotator's words.
    """

    what: Happening
    task: str
    at: str = ""
    seconds: float = 0.0
    run: str = ""
    episode: str = ""
    outcome: Outcome | None = None
    reason: str = ""
    difficulty: Rating | None = None
    confidence: Rating | None = None
    remark: str = ""
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


class SessionLog:
    """The one writer of an annotator's log, which it holds locked until it is closed.

    Raises `UsageError` where somebody else has it open, `StoreUnwritable`.
    """

    def __init__(self, root: Path, path: Path) -> None:
        self.path = path
        self._root = root
        with writing(root, f"the session {path.stem}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not path.exists()
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
            self._file = os.open(path, flags, 0o600)
            if is_new:
                sync_folder(path.parent)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.close()
            raise UsageError(
                f"A session of {path.stem} is open already", "go on in the terminal where it runs"
            ) from error
        except OSError:  # some network file systems have no locks
            pass

    def close(self) -> None:
        """Idempotent."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def append(self, entry: Entry) -> Entry:
        """Keep a line, with the time filled in; it is on disk when this returns.

        Raises `StoreUnwritable`; then nothing of it was kept.
        """
        entry = msgspec.structs.replace(entry, at=entry.at or now())
        with writing(self._root, "what happened in the session"):
            append_whole(self._file, codec.encode(entry) + b"\n")
        return entry


def read_log(path: Path) -> tuple[list[Entry], list[str]]:
    """The lines of a log, none where there is no such file, and what could not be read of it.

    Raises `BadData` for a log that can't be read at all, or that a newer release wrote.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], []
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror}") from error
    return read_lines(data, path, _entry, "what was")


def _entry(line: bytes, where: str) -> Entry:
    return codec.decode_record(line, Entry, SCHEMA_VERSION, where)


def last_of(entries: Sequence[Entry], what: Happening) -> Entry | None:
    """The latest entry of this kind, None without one."""
    return next((entry for entry in reversed(entries) if entry.what == what), None)
