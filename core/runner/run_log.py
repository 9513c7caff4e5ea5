"""What became of a run's episodes, line by line: `<store>/<run>/attempts.jsonl`, written by its runner alone.

Three kinds of lines, told apart by "type": `runner` (somebody began or left off working at the run),
`began` (an episode's record was opened) and `ended` (what came of it). A planned episode may be attempted
more than once; attempts are counted from 0, and the last one counts. The records of the episodes themselves
say the same with everything that led to it: a line that a killed runner didn't write is made up from them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.models.spending import Spent
from webbench.core.score.score import Status
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import append_whole, writing
from webbench.core.store.records.line_files import read_lines

FILE = "attempts.jsonl"
SCHEMA_VERSION = 1

WorkState = Literal["began", "finished", "interrupted", "limited", "halted"]
"""Of a runner: `finished` has nothing left to do, `limited` has spent what it was allowed to,
`halted` could not go on: the browser doesn't start, or the disk is full."""


class RunnerNote(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="runner"):
    """A runner began or left off working at the run. `at` is UTC, ISO 8601 with milliseconds."""

    at: str
    what: WorkState
    host: str = ""
    pid: int = 0
    workers: int = 1
    reason: str = ""
    """Why it halted, or stopped short of the end."""
    retry: bool = False
    """It plays what has no score by then once more."""


class Began(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="began"):
    """The record of an attempt was opened. `worker` names the machine that plays it, "" for the runner's."""

    at: str
    order: int
    attempt: int
    episode: str
    worker: str = ""


class Ended(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="ended"):
    """What came of an attempt.

    Attributes:
        episode: its record, "" where none could be opened.
        score: None unless `status` is "scored"; `beside` holds the values of other rule sets.
        reason: why it has no score, or why it ended.
        steps: transitions, not counting the start.
        seconds: from the opening of its stage to the end.
        spent: what models took; None where nothing tells.
        again: the planned episode is still to be played: what came says nothing about the agent (the run was
            interrupted, the browser ended), or once more was asked for.
        retry: it is to be played again because what has no score shall be, once.
        alone: it is to be played again with no other episode beside it.
        mixed: somebody else than the run's agent acted too, so it is in no figure of the agent's.
    """

    at: str
    order: int
    attempt: int
    status: Status
    episode: str = ""
    score: float | None = None
    beside: dict[str, float | None] = {}
    reason: str = ""
    steps: int = 0
    seconds: float = 0.0
    spent: Spent = Spent()
    again: bool = False
    retry: bool = False
    alone: bool = False
    mixed: bool = False


Entry = RunnerNote | Began | Ended


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the file: an entry under a schema version."""

    entry: Entry
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


class RunLog:
    """Appends to the log of one run.

    Args:
        root: the store.
        run: the run's name.
    """

    def __init__(self, root: Path, run: str) -> None:
        self._root = root
        self._path = root / run / FILE

    def append(self, entry: Entry, *, durable: bool = True) -> None:
        """On disk when this returns, unless not `durable`. Raises `StoreUnwritable`."""
        self.extend([entry], durable=durable)

    def extend(self, entries: Iterable[Entry], *, durable: bool = True) -> None:
        """All of them or none. Raises `StoreUnwritable`."""
        data = b"".join(codec.encode(_Line(entry=entry)) + b"\n" for entry in entries)
        with writing(self._root, "the run's log"):
            descriptor = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                append_whole(descriptor, data, durable=durable)
            finally:
                os.close(descriptor)


def read_log(folder: Path) -> tuple[list[Entry], list[str]]:
    """The entries of a run's log in order, and what of it can't be read; empty where there is none."""
    path = folder / FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [f"{path} can't be read: {error.strerror or error}"]
    return read_lines(data, path, _entry, "what became of an episode")


def _entry(line: bytes, where: str) -> Entry:
    return codec.decode_record(line, _Line, SCHEMA_VERSION, where).entry
