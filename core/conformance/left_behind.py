"""What code of strangers leaves behind: processes and listening ports, as Linux tells of them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MARK = "WEBBENCH_CHECKED"
"""Variable of the environment that all processes below a checked plug-in have."""

_PROCESSES = Path("/proc")
_LISTENING = "0A"
_LONGEST_NAME = 80


def can_tell() -> bool:
    """Whether this system tells of processes in the way that is read here."""
    return (_PROCESSES / "self" / "environ").exists()


def marked_processes(mark: str) -> list[tuple[int, str]]:
    """Process ids and command lines of those whose surroundings have the mark."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for pid in _pids():
        with suppress(OSError):
            variables = (_PROCESSES / str(pid) / "environ").read_bytes().split(b"\0")
            if wanted in variables and pid != os.getpid():
                found.append((pid, _name(pid)))
    return found


def children() -> dict[int, str]:
    """Command lines of this process's own children, by process id."""
    found = {}
    for pid in _pids():
        with suppress(OSError, IndexError, ValueError):
            stat = (_PROCESSES / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(stat[1]) == os.getpid() and stat[0] != "Z":
                found[pid] = _name(pid)
    return found


def listening_ports() -> set[int]:
    """TCP ports that this process itself listens on."""
    sockets = set()
    with suppress(OSError):
        for entry in (_PROCESSES / "self" / "fd").iterdir():
            with suppress(OSError):
                target = str(entry.readlink())
                if target.startswith("socket:["):
                    sockets.add(target[8:-1])
    ports = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (_PROCESSES / "self" / "net" / table).read_text("ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENING and fields[9] in sockets:
                    ports.add(int(fields[1].rpartition(":")[2], 16))
    return ports


def _pids() -> list[int]:
    with suppress(OSError):
        return [int(entry.name) for entry in _PROCESSES.iterdir() if entry.name.isdecimal()]
    return []


def _name(pid: int) -> str:
    told = (_PROCESSES / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    return told.strip()[:_LONGEST_NAME] or str(pid)
