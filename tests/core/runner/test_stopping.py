"""A run is ended from outside by telling its runner, and nobody else."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from webbench.core.runner.lease import (
    FILE,
    FOLDER,
    LOCK,
    Beat,
    Lease,
    RunTaken,
    process_start,
    read_beat,
    this_boot,
    works_here,
)
from webbench.core.runner.plan.plan import RunPlan, plan_file
from webbench.core.runner.run_log import RunLog, RunnerNote
from webbench.core.runner.stopping import OutOfReach, stop_run

RUN = "2026-11-21_12-00-00_demo_oracle_ab12"

RUNNER = """
import signal, sys, time
from pathlib import Path
from webbench.core.runner.lease import Lease
told = []
lease = Lease(Path(sys.argv[1]), sys.argv[2])
signal.signal(signal.SIGINT, lambda *_: told.append(1))
lease.take()
print("working", flush=True)
while not told:
    time.sleep(0.01)
lease.tell_ending()
if sys.argv[3] == "slow":
    print("ending", flush=True)
    while len(told) < 2:
        time.sleep(0.01)
    sys.exit(130)
lease.give_back()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a run that somebody began."""
    made = tmp_path / RUN
    made.mkdir()
    for name, data in plan_file(RunPlan(benchmark="demo", agent="oracle")).items():
        (made / name).write_bytes(data)
    RunLog(tmp_path, RUN).append(RunnerNote(at="2026-11-21T12:00:00.000+00:00", what="began"))
    return made


class Runner:
    """A process that works at the run, and ends in order at the first signal unless it is slow."""

    def __init__(self, root: Path, manner: str) -> None:
        words = [sys.executable, "-c", RUNNER, str(root), RUN, manner]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.hear("working")

    def hear(self, word: str) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == word


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


def leave_beat(folder: Path, beat: Beat) -> None:
    (folder / FOLDER).mkdir(exist_ok=True)
    (folder / FOLDER / FILE).write_bytes(msgspec.json.encode(beat))


def test_a_runner_is_told_and_leaves(tmp_path: Path, folder: Path) -> None:
    runner = Runner(tmp_path, "quick")
    stopping = stop_run(tmp_path, RUN, wait=20)
    assert (stopping.told, stopping.left, stopping.pid) == (True, True, runner.process.pid)
    assert runner.process.wait(10) == 0
    assert read_beat(folder) is None
    again = stop_run(tmp_path, RUN, wait=0)
    assert (again.told, again.left, again.pid) == (False, True, 0)


def test_a_runner_that_is_ending_is_left_to_it_unless_it_shall_leave_at_once(
    tmp_path: Path,
    folder: Path,
) -> None:
    runner = Runner(tmp_path, "slow")
    first = stop_run(tmp_path, RUN, wait=0)
    runner.hear("ending")
    second = stop_run(tmp_path, RUN, wait=0.2)
    assert (first.told, second.told, second.left) == (True, False, False)
    assert runner.process.poll() is None
    assert stop_run(tmp_path, RUN, wait=10, at_once=True).left
    assert runner.process.wait(10) == 130


@pytest.mark.parametrize("started", ["", "another"])
def test_a_process_that_got_the_number_of_a_dead_runner_is_told_nothing(
    tmp_path: Path, folder: Path, bystander: subprocess.Popen[bytes], started: str
) -> None:
    beat = Beat(runner="a", host="here", boot=this_boot(), pid=bystander.pid, began="", started=started)
    leave_beat(folder, beat)
    stopping = stop_run(tmp_path, RUN, wait=0, at_once=True)
    assert (stopping.told, stopping.left, stopping.state) == (False, True, "died")
    assert bystander.poll() is None


def test_another_machines_runner_is_out_of_reach(
    tmp_path: Path, folder: Path, bystander: subprocess.Popen[bytes]
) -> None:
    started = process_start(bystander.pid)
    leave_beat(
        folder, Beat(runner="a", host="there", boot="other", pid=bystander.pid, began="", started=started)
    )
    with pytest.raises(OutOfReach, match=f"process {bystander.pid} on there works at the run") as raised:
        stop_run(tmp_path, RUN, wait=0)
    assert raised.value.exit_code == 3
    assert bystander.poll() is None


def test_a_process_that_ended_has_no_start(bystander: subprocess.Popen[bytes]) -> None:
    assert process_start(bystander.pid) == process_start(bystander.pid) != ""
    bystander.send_signal(signal.SIGKILL)
    while process_start(bystander.pid):
        pass
    assert bystander.wait() == -signal.SIGKILL


def test_a_slow_onlooker_does_not_make_a_free_run_taken(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / FOLDER).mkdir()
    onlooker = os.open(folder / FOLDER / LOCK, os.O_RDONLY | os.O_CREAT)
    fcntl.flock(onlooker, fcntl.LOCK_SH)
    waits: list[float] = []

    def looked_on(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 5:
            os.close(onlooker)

    monkeypatch.setattr("webbench.core.runner.lease.time.sleep", looked_on)
    lease = Lease(tmp_path, RUN)
    lease.take()
    try:
        assert works_here(folder)
        with pytest.raises(RunTaken):
            Lease(tmp_path, RUN).take()
    finally:
        lease.give_back()
    assert len(waits) == 5, "its runner is not waited for"
    assert not works_here(folder)


def test_a_run_that_was_given_back_is_free_while_a_process_still_has_its_lock_open(
    tmp_path: Path, folder: Path
) -> None:
    lease = Lease(tmp_path, RUN)
    lease.take()
    copy = os.dup(lease._lock)
    lease.give_back()
    try:
        assert not works_here(folder)
    finally:
        os.close(copy)
