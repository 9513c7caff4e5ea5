"""Looking at processes on Linux: who is whose child, who is still there."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path


def descendants(pid: int) -> set[int]:
    """All living processes below `pid`."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(status.parent.name)] = int(fields[1])
    found: set[int] = set()
    wave = {pid}
    while wave:
        wave = {child for child, parent in parents.items() if parent in wave} - found
        found |= wave
    return found


def alive(pid: int) -> bool:
    """Running, and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def gone(pids: set[int], seconds: float = 15.0) -> bool:
    """Whether all of them end within so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(alive(pid) for pid in pids):
            return True
        await asyncio.sleep(0.1)
    return False
