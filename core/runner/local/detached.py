"""A runner that is a process of its own: which run it began, and where what it prints is kept.

It prints into `<store>/.starting/STAMP` until its run has a folder, then the same file is
`<store>/<run>/runner/output_STAMP.txt`: one for every time that the run was begun or gone on with.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.runner.lease import FOLDER, read_beat, this_boot
from webbench.core.runner.run_log import RunnerNote, read_log
from webbench.core.store.records.durable_files import writing
from webbench.core.store.records.names import checked
from webbench.core.store.records.temporary import private_folder
from webbench.core.store.store import Store

STARTING = ".starting"
OUTPUT = "output_{}.txt"
SCHEMA_VERSION = 1

MOST_BYTES = 200_000
"""Of an output that are read: the last ones."""


class Started(msgspec.Struct, frozen=True, kw_only=True):
    """A runner that has begun to work: at which run, its process, and the file that it prints into."""

    run: str
    pid: int
    output: str
    schema_version: int = SCHEMA_VERSION


def new_output(root: Path) -> Path:
    """An empty file for what a runner prints, for its owner alone. Raises `StoreUnwritable`."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%d_%H-%M-%S")
    path = root / STARTING / f"{stamp}_{secrets.token_hex(4)}"
    with writing(root, "the output of a new runner"):
        private_folder(path.parent)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    return path


def keep_output(root: Path, run: str, output: Path) -> Path:
    """Put it into the run's folder, also while it is written to; where it is then."""
    kept = root / run / FOLDER / OUTPUT.format(output.name)
    with writing(root, "the output of the runner"):
        kept.parent.mkdir(exist_ok=True)
        output.rename(kept)
    return kept


def last_output(root: Path, run: str) -> Path | None:
    """Of the runner that was started last in this way; None where none was."""
    return max((root / checked(run, "run") / FOLDER).glob(OUTPUT.format("*")), default=None)


def read_output(path: Path) -> str:
    """Its end, as far as it is of use to a person. Raises `BadData`."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - MOST_BYTES))
            text = file.read().decode(errors="replace")
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error
    return text if size <= MOST_BYTES else text.partition("\n")[2]


def run_begun_by(store: Store, pid: int, among: Collection[str]) -> str:
    """Which of these runs the process with this id has begun to work at; "" while there is none.

    Its sign of life tells, and the run's log where it has left already.
    """
    return next((run for run in sorted(among) if _began(store.root / run, pid)), "")


def _began(folder: Path, pid: int) -> bool:
    beat = read_beat(folder)
    if beat is not None:
        return beat.pid == pid and beat.boot == this_boot()
    notes = [entry for entry in read_log(folder)[0] if isinstance(entry, RunnerNote)]
    began = [note for note in notes if note.what == "began"]
    return bool(began) and (began[-1].pid, began[-1].host) == (pid, socket.gethostname())
