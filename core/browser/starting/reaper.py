"""Run as a script: outlives its owner and ends the owner's browser, then sweeps the browser's folder.

    python reaper.py FOLDER

An empty FOLDER stands for none. Standard input carries process ids, one a line, as processes are started; its
end (the owner closed it, or died in whatever way) starts the work. Only the standard library, so that it
starts in milliseconds.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time

GRACE_SECONDS = 3.0


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def end_group(pid: int, grace: float) -> None:
    """Let the process leave by itself for `grace` seconds, then kill what is left of its group.

    A driver that died leaves its browser behind in the group.
    """
    deadline = time.monotonic() + grace
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def sweep(folder: str) -> None:
    """Remove the folder, also while a dying browser still writes into it."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.isdir(folder):  # noqa: PTH112 - without pathlib it starts sooner
            return
        time.sleep(0.05)


def main() -> None:
    pids = [int(line) for line in sys.stdin.buffer.read().split()]
    for pid in pids:
        end_group(pid, GRACE_SECONDS)
    sweep(sys.argv[1])


if __name__ == "__main__":
    main()
