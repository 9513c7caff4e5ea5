"""Record types are read on import, where no other thread can read them, too."""

from __future__ import annotations

import subprocess
import sys

MANY_AT_ONCE = """\
import os, sys, threading
import msgspec
from webbench.core.trajectory import EpisodeHeader, Step

LINE = b'{"task": {"benchmark": "b", "id": "i"}, "run": "r", "episode": "e", "action": {"type": "click"}}'
KINDS = [Step, EpisodeHeader] * 4

def read(kind, together):
    together.wait()
    try:
        msgspec.json.decode(LINE, type=kind)
    except msgspec.ValidationError:
        pass

def race():
    sys.setswitchinterval(1e-6)
    together = threading.Barrier(len(KINDS))
    readers = [threading.Thread(target=read, args=(kind, together)) for kind in KINDS]
    for one in readers:
        one.start()
    for one in readers:
        one.join()
    os._exit(0)

for _ in range(12):
    child = os.fork()
    if not child:
        race()
    if os.waitpid(child, 0)[1]:
        sys.exit("a process crashed")
"""


def test_threads_that_read_records_for_the_first_time_at_once_crash_nothing() -> None:
    """Each fork is a process in which nothing was read since the import."""
    done = subprocess.run([sys.executable, "-c", MANY_AT_ONCE], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
