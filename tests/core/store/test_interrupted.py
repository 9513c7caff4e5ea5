"""A writer that is killed loses nothing that it had told about."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from webbench.core.engine.engine import Engine
from webbench.core.store.store import Store

WRITER = """
import io, sys
from pathlib import Path
from PIL import Image
from webbench.core.observation import AccessibilityNode, Observation, Screenshot
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

store = Store(Path(sys.argv[1]))
run = store.start_run("shop", "human", 1)
task = Task(benchmark="shop", name="cart")
recorder = store.recorder(run, EpisodeHeader(run="", episode="", task=task, actor="human", dialect="json"))
for index in range(int(sys.argv[2])):
    encoded = io.BytesIO()
    Image.new("RGB", (640, 360), (index, 0, 0)).save(encoded, "PNG")
    nodes = tuple(AccessibilityNode(id=n, role="link", name=f"{n} {index}") for n in range(500))
    recorder.write(
        Step(index=index, at="", text=f"click [{index}]"),
        observation=Observation(nodes=nodes, title=str(index)),
        screenshot=Screenshot(encoded.getvalue(), "png", 640, 360),
        html=f"<h1>{index}</h1>" * 1000,
    )
    print(recorder.folder.name, index, flush=True)
if len(sys.argv) > 3:
    recorder.finish(None, "done")
"""


def writer(root: Path, steps: int, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(root), str(steps), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def read_until(process: subprocess.Popen[str], index: int) -> str:
    """Wait until the writer says that a step is on disk; the episode's name."""
    assert process.stdout is not None
    for line in process.stdout:
        episode, told = line.split()
        if int(told) == index:
            return episode
    raise AssertionError(f"the writer ended with {process.wait()} before step {index}")


@pytest.mark.parametrize("last_told", [0, 11, 19])
def test_kill_9_in_a_run_of_20_steps_keeps_every_step_told(tmp_path: Path, last_told: int) -> None:
    process = writer(tmp_path / "store", 20)
    episode = read_until(process, last_told)
    os.kill(process.pid, signal.SIGKILL)
    rest = process.communicate()[0].splitlines()
    told = last_told + len(rest)

    store = Store(tmp_path / "store")
    trajectory = store.load(episode)
    assert len(trajectory.steps) >= told + 1
    for index, step in enumerate(trajectory.steps):
        assert step.index == index
        assert store.observation(trajectory, step).title == str(index)
        picture = store.screenshot(trajectory, step)
        assert picture is not None
        assert picture.width == 640
        assert store.html(trajectory, step) == f"<h1>{index}</h1>" * 1000
    assert store.check(episode) == []
    (summary,) = store.episodes()
    assert (summary.state, summary.value) == ("interrupted", None)
    assert summary.steps == len(trajectory.steps) - 1


def test_an_episode_is_running_as_long_as_its_writer_lives(tmp_path: Path) -> None:
    process = writer(tmp_path / "store", 500)
    episode = read_until(process, 2)
    store = Store(tmp_path / "store")
    try:
        assert [summary.state for summary in store.episodes()] == ["running"]
        assert len(store.load(episode).steps) >= 3
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert [summary.state for summary in store.episodes()] == ["interrupted"]


def test_two_processes_record_into_one_store_at_once(tmp_path: Path) -> None:
    root = tmp_path / "store"
    processes = [writer(root, 15, "finish") for _ in range(2)]
    reading = Store(root)
    while any(process.poll() is None for process in processes):
        reading.runs()
        reading.episodes()
    assert [process.wait() for process in processes] == [0, 0]
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()

    runs = reading.runs()
    assert len({run.run for run in runs}) == 2
    episodes = reading.episodes()
    assert [summary.state for summary in episodes] == ["ended", "ended"]
    for summary in episodes:
        assert len(reading.load(summary.episode).steps) == 15
        assert reading.check(summary.episode) == []


HOLDER = """
import sys
from pathlib import Path
from webbench.core.store.store import Store
from webbench.core.store.records.temporary import claim_file

root = Path(sys.argv[1])
with Store(root).temporary_folder("downloads") as folder:
    (folder / "half.pdf").write_bytes(b"half")
    path, _ = claim_file(root)
    print(folder.name, path.name, flush=True)
    sys.stdin.read()
"""


def test_what_killed_processes_left_is_swept_and_nothing_of_living_ones(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    held: list[set[str]] = []
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as living,
    ):
        for process in (killed, living):
            assert process.stdout is not None
            held.append(set(process.stdout.readline().split()))
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        for name in held[1]:
            os.utime(tmp_path / "tmp" / name, (0, 0))
        Store(tmp_path).sweep()
        assert {path.name for path in (tmp_path / "tmp").iterdir()} == held[1]
        assert (tmp_path / "tmp" / min(held[1]) / "half.pdf").read_bytes() == b"half"
        living.communicate()


async def test_an_engine_sweeps_when_it_opens(tmp_path: Path) -> None:
    left = tmp_path / "tmp" / "downloads-1-ab12"
    left.mkdir(parents=True)
    (left / "half.pdf").write_bytes(b"half")
    async with Engine(Store(tmp_path)):
        assert not left.exists()
