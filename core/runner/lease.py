"""Who works at a run: `<store>/<run>/runner/beat.json`, rewritten every few seconds while its runner lives.

A second runner must not begin while the first one lives. On one machine a lock tells, which the system takes
from a dead process. Between machines, and on file systems without locks, the beat does: a runner whose beat
stands still is dead. It lies in a folder of its own so that a run's folder doesn't seem changed by it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shlex
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from webbench.core.browser.starting.reaper import alive
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import write_file, writing
from webbench.core.store.records.reader import is_locked
from webbench.core.trajectory import now

FOLDER = "runner"
FILE = "beat.json"
LOCK = "lock"
SCHEMA_VERSION = 1

BEAT_SECONDS = 4.0
STALE_SECONDS = 20.0
"""A beat that is older than this is that of a runner that died, or that the machine holds up."""

ENDED_STATES = ("Z", "X")
START_FIELD = 19
"""Of /proc/PID/stat behind the name of the process: its start, in ticks since the machine's."""

LOOK_SECONDS = 0.02
ONLOOKER_SECONDS = 10.0
"""So long whoever only looks at the run is waited for: an instant, unless its machine holds it up."""

WATCHED_SECONDS = 14.0
"""So long the beat of another machine is watched before its runner counts as dead: clocks may differ."""


class Beat(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sign of life.

    Attributes:
        runner: drawn anew by every runner.
        host, boot, pid: of its machine, of that machine's last start, of its process.
        started: when that process was started, as `process_start` tells it.
        count: how often it has beaten.
        at, began: UTC, ISO 8601 with milliseconds.
        ending: it was interrupted and ends what is going on.
        busy_seconds: how long its event loop has been held up by something that doesn't give way.
    """

    runner: str
    host: str
    boot: str
    pid: int
    began: str
    started: str = ""
    ending: bool = False
    count: int = 0
    at: str = ""
    busy_seconds: float = 0.0
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


class RunTaken(EnvironmentDown):
    """Another runner works at the run."""

    def __init__(self, root: Path, run: str, beat: Beat | None) -> None:
        who = f"process {beat.pid} on {beat.host} since {beat.began[:19]}" if beat else "another process"
        command = ("webbench-tui", "status", run, "--watch", "--store", str(root))
        super().__init__(
            f"{who} works at the run {run}",
            f"`{shlex.join(command)}` shows how far it is; end it first to go on here",
        )


class Lease:
    """The right to work at one run, held while it is open; from `taken`.

    Attributes:
        lost: another runner has taken the run over meanwhile (this machine slept, or was cut off).
    """

    def __init__(self, root: Path, run: str) -> None:
        self._root = root
        self._folder = root / run / FOLDER
        self._run = run
        self._beat = _own_beat()
        self._seen = time.monotonic()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = -1
        self.lost = False

    @property
    def beat(self) -> Beat:
        """Who we are."""
        return self._beat

    def take(self, tell: Callable[[str], None] = lambda _text: None) -> None:
        """Begin to hold it. `tell` gets a sentence where that takes a while.

        Raises `RunTaken`, `StoreUnwritable`.
        """
        with writing(self._root, "the runner's sign of life"):
            self._folder.mkdir(exist_ok=True)
            self._lock = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._require_free(tell)
            self._write()
        except BaseException:
            self._unlock()
            raise
        self._thread = threading.Thread(target=self._keep_beating, daemon=True, name="runner's beat")
        self._thread.start()

    def awake(self) -> None:
        """To be called from the event loop every now and then: it isn't held up."""
        self._seen = time.monotonic()

    def tell_ending(self) -> None:
        """Let others see at once that the run is being ended."""
        self._beat = msgspec.structs.replace(self._beat, ending=True)
        if self._thread is not None and not self.lost:
            with contextlib.suppress(WebbenchError):
                self._write()

    def give_back(self) -> None:
        """Leave the run to others; idempotent."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(BEAT_SECONDS)
            self._thread = None
        if self._lock >= 0 and not self.lost:
            with contextlib.suppress(OSError):
                (self._folder / FILE).unlink()
        self._unlock()

    def _require_free(self, tell: Callable[[str], None]) -> None:
        locked = _lock_past_onlookers(self._lock)
        beat = read_beat(self._root / self._run)
        if locked is False:
            raise RunTaken(self._root, self._run, beat)
        if beat is None:
            return
        if beat.boot == self._beat.boot:
            if locked is None and alive(beat.pid):
                raise RunTaken(self._root, self._run, beat)
            return
        tell(f"looking for {WATCHED_SECONDS:.0f} s whether {beat.host} still works at the run")
        if _beats(self._root / self._run, beat):
            raise RunTaken(self._root, self._run, beat)

    def _keep_beating(self) -> None:
        while not self._stop.wait(BEAT_SECONDS):
            there = read_beat(self._root / self._run)
            if there is not None and there.runner != self._beat.runner:
                self.lost = True
                return
            with contextlib.suppress(WebbenchError):
                self._write()

    def _write(self) -> None:
        busy = time.monotonic() - self._seen
        self._beat = msgspec.structs.replace(
            self._beat, count=self._beat.count + 1, at=now(), busy_seconds=round(busy, 1)
        )
        with writing(self._root, "the runner's sign of life"):
            write_file(self._root, self._folder / FILE, [codec.encode(self._beat)])

    def _unlock(self) -> None:
        if self._lock >= 0:
            _release(self._lock)  # a process that is just being started has a copy of the descriptor
            os.close(self._lock)
            self._lock = -1


def read_beat(folder: Path) -> Beat | None:
    """The last sign of life in a run's folder; None where there is none that can be read."""
    try:
        return codec.decode((folder / FOLDER / FILE).read_bytes(), Beat)
    except (OSError, msgspec.DecodeError):
        return None


def works_here(folder: Path) -> bool:
    """Whether a living process of this machine holds the run, where the file system has locks."""
    try:
        with (folder / FOLDER / LOCK).open("rb") as file:
            return is_locked(file.fileno())
    except OSError:
        return False


def this_boot() -> str:
    """Which machine this is, since when; processes of containers on it share it."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return socket.gethostname()


def process_start(pid: int) -> str:
    """When a process was started, in a form that is only good for being compared; "" where there is none.

    One that has ended, and that nobody has asked about yet, is none.
    """
    try:
        told = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        return "" if told[0] in ENDED_STATES else told[START_FIELD]
    except (OSError, IndexError):
        return "" if Path("/proc/self/stat").exists() else _start_by_ps(pid)


def _start_by_ps(pid: int) -> str:
    """Where the system shows no processes as files."""
    try:
        words = ("ps", "-o", "lstart=", "-p", str(pid))
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def _own_beat() -> Beat:
    return Beat(
        runner=secrets.token_hex(8),
        host=socket.gethostname(),
        boot=this_boot(),
        pid=os.getpid(),
        started=process_start(os.getpid()),
        began=now(),
    )


def _beats(folder: Path, known: Beat) -> bool:
    """Whether somebody else's beat changes while it is watched."""
    deadline = time.monotonic() + WATCHED_SECONDS
    while time.monotonic() < deadline:
        time.sleep(BEAT_SECONDS / 8)
        if read_beat(folder) != known:
            return True
    return False


def _lock_past_onlookers(descriptor: int) -> bool | None:
    """As `lock_now`, but whoever looks at the run is waited for: they share the lock, its runner does not."""
    deadline = time.monotonic() + ONLOOKER_SECONDS
    while (locked := lock_now(descriptor, fcntl.LOCK_EX)) is False and lock_now(descriptor, fcntl.LOCK_SH):
        _release(descriptor)
        if time.monotonic() > deadline:
            break
        time.sleep(LOOK_SECONDS)
    return locked


def _release(descriptor: int) -> None:
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def lock_now(descriptor: int, kind: int) -> bool | None:
    """Whether we have the lock now, without waiting; None where the file system has none.

    Args:
        kind: `fcntl.LOCK_SH` or `LOCK_EX`.
    """
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
