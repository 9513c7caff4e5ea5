"""`run --detach`: a run as a process of its own, which the end of the terminal doesn't end."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from webbench.core.api.batch_run import as_called
from webbench.core.errors import EnvironmentDown
from webbench.core.own_python import child_environment
from webbench.core.runner.local.detached import Started, keep_output, new_output, read_output, run_begun_by
from webbench.core.runner.plan.run_request import ResumeRequest, RunRequest, run_words
from webbench.core.store.store import Store
from webbench.tui.cli.output import print_json, print_text
from webbench.tui.cli.place import open_store, told_command
from webbench.tui.own_command import Refused, own_command, refusal

LOOK_SECONDS = 0.15
MOST_LINES = 12
"""Of what a runner said that could not begin: more is left in its file."""


def run_detached(request: RunRequest | ResumeRequest, *, as_json: bool) -> int:
    """Start it, and say at which run it works and how that is followed and ended.

    Raises `Refused`, `StoreUnwritable`.
    """
    store = open_store(request.store)
    started = start_detached(request, store)
    if as_json:
        print_json(started)
        return 0
    print_text(f"run {started.run} is played by process {started.pid}")
    for words, told in ((["status", started.run, "--watch"], "shows it"), (["stop", started.run], "ends it")):
        print_text(f"  `{told_command(words, store)}` {told}")
    print_text(f"  it prints into {started.output}")
    return 0


def start_detached(request: RunRequest | ResumeRequest, store: Store) -> Started:
    """A process of its own session that plays the run; comes back when it has begun to.

    Raises `Refused` in its own words where it ends before that, `StoreUnwritable`.
    """
    if isinstance(request, ResumeRequest):
        request = as_called(request, store)
    resumed = request.run if isinstance(request, ResumeRequest) else ""
    known = store.run_names()
    output = new_output(store.root)
    runner = _spawn([*run_words(request), "--store", str(store.root.absolute())], output)
    threading.Thread(target=runner.wait, daemon=True, name=f"process {runner.pid}").start()
    while True:
        ended = runner.poll()
        among = [resumed] if resumed else store.run_names() - known
        if run := run_begun_by(store, runner.pid, among):
            break
        if ended is not None:
            raise _refusal(output, ended)
        time.sleep(LOOK_SECONDS)
    with contextlib.suppress(EnvironmentDown):
        output = keep_output(store.root, run, output)
    return Started(run=run, pid=runner.pid, output=str(output))


def _spawn(words: Sequence[str], output: Path) -> subprocess.Popen[bytes]:
    """It has no terminal, so that the end of none ends it."""
    with output.open("ab") as file:
        return subprocess.Popen(
            own_command(words),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env=child_environment(PYTHONUNBUFFERED="1"),
            start_new_session=True,
        )


def _refusal(output: Path, code: int) -> Refused:
    """What it said last; the file goes where all of it is told."""
    said = read_output(output)
    if len([line for line in said.splitlines() if line.strip()]) <= MOST_LINES:
        output.unlink(missing_ok=True)
    else:
        said += f"\nall that it said is in {output}"
    return refusal(said, code, MOST_LINES + 1)
