"""A package is asked in processes of its own: one that hangs, dies or leaves something behind is told."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.foreign_package import installed_package
from tests.tui.cli.program import environment
from webbench.core.agents.command.isolation import cannot_confine
from webbench.core.conformance import package_check
from webbench.core.conformance.left_behind import MARK, marked_processes
from webbench.core.conformance.package_check import Asking, Checked, check_package
from webbench.core.errors import UsageError

UNCONFINED = cannot_confine(network=False)
"""Why, "" where it can be used. A container may forbid it, which no set-up of ours mends."""

SOURCE = """
import os, subprocess, sys, time
from webbench.core.agents.do_nothing import DoNothing

def fine(request):
    return DoNothing()

def slow(request):
    import pandas
    return DoNothing()

def dies(request):
    os._exit(9)

def quits(request):
    os._exit(0)

def hangs(request):
    time.sleep(600)

def reaches_out(request):
    import pathlib, socket
    outside, in_memory, port = os.environ["REACHES_FOR"].split("|")
    pathlib.Path(in_memory).write_text("in memory of its own")
    for reach in (
        lambda: pathlib.Path(outside).write_text("I was here"),
        lambda: subprocess.run(["mount", "-o", "remount,rw,bind", "/"], check=True, capture_output=True),
        lambda: socket.create_connection(("127.0.0.1", int(port)), 5),
    ):
        try:
            reach()
        except (OSError, subprocess.CalledProcessError):
            continue
        os._exit(7)
    return DoNothing()

def leaves(request):
    subprocess.Popen(["sleep", "300"], start_new_session=True)
    return DoNothing()
"""
POINTS = """
[webbench.agents]
fine = third_party_agent:fine
dies = third_party_agent:dies
hangs = third_party_agent:hangs
quits = third_party_agent:quits
leaves = third_party_agent:leaves
reaches_out = third_party_agent:reaches_out
random = third_party_agent:fine
[webbench.dialects]
gone = nowhere_to_be_found:create
"""


def states(checked: Checked, rule: str) -> dict[str, str]:
    return {one.plugin: one.state for one in checked.findings if one.rule == rule}


def asked(name: str, seconds: float = 60.0) -> Checked:
    return check_package("third_party", Asking(name=name, seconds=seconds))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    with installed_package(tmp_path, monkeypatch, SOURCE, POINTS):
        yield


@pytest.mark.thorough
@pytest.mark.usefixtures("installed")
def test_processes_that_die_hang_or_stay_are_told_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbench.core.conformance.package_check.LEAVING_SECONDS", 0.5)
    fine = asked("fine")
    assert (fine.exit_code, fine.package, fine.version) == (0, "third-party", "1.2")
    assert fine.counts["kept"] == len(fine.findings) > 8
    (died,) = [one for one in asked("dies").findings if one.state == "broken"]
    assert (died.rule, died.found) == (
        "plugin-ends",
        "its process ended with exit code 9; its last words: none",
    )
    quitting = asked("quits")
    assert (quitting.exit_code, states(quitting, "plugin-ends")) == (1, {"quits": "broken"})
    hanging = asked("hangs", 4.0)
    assert (hanging.exit_code, states(hanging, "plugin-ends")) == (1, {"hangs": "broken"})
    left = asked("leaves")
    (told,) = [one for one in left.findings if one.state == "broken"]
    assert told.rule == "plugin-leaves-nothing"
    assert "sleep 300" in told.found
    gone = asked("gone")
    assert states(gone, "plugin-loads") == {"gone": "broken"}
    shadowed = asked("random")
    assert [(one.rule, one.found) for one in shadowed.findings] == [
        ("plugin-name", "webbench-tui has the same name, and is used")
    ]


# Some containers refuse namespaces to all; what is told there is tested with the surroundings of agents.
@pytest.mark.skipif(bool(UNCONFINED), reason=f"bubblewrap can't be used here: {UNCONFINED}")
@pytest.mark.usefixtures("installed")
def test_a_plug_in_writes_in_its_own_folder_alone_and_reaches_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        reached, in_memory = (
            tmp_path / "outside",
            Path("/dev/shm") / f"webbench-{tmp_path.name}-{os.getpid()}",
        )
        monkeypatch.setenv("REACHES_FOR", f"{reached}|{in_memory}|{server.getsockname()[1]}")
        checked = asked("reaches_out")
        assert states(checked, "plugin-ends") == {"reaches_out": "kept"}
    assert not reached.exists()
    assert not in_memory.exists()
    assert [line.partition(":")[0] for line in checked.bounds.bounded] == ["time", "disk", "network"]
    assert "sockets in the file system" in str(checked.bounds.unbounded)


def test_what_is_not_bounded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_check, "cannot_confine", lambda **_: "there is no bwrap on the path")
    bounds = Asking(seconds=5).bounds()
    assert [line.partition(":")[0] for line in bounds.bounded] == ["time", "disk"]
    assert bounds.unbounded[0] == "other files, and the network: there is no bwrap on the path"


def test_a_process_that_fills_the_disk_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package_check, "LARGEST_FOLDER", 1 << 20)
    monkeypatch.setattr(package_check, "LOOK_SECONDS", 0.01)
    process = subprocess.Popen(["sh", "-c", f"head -c 3000000 /dev/zero > {tmp_path}/x; sleep 60"])
    try:
        assert package_check._waited(process, tmp_path, 60.0) == (
            None,
            "it put more than 1 MiB on the disk",
        )
    finally:
        process.kill()
        process.wait()


def test_a_marked_process_is_found_until_it_is_gone() -> None:
    process = subprocess.Popen(["sleep", "60"], env={**os.environ, MARK: "abc123"})
    try:
        assert marked_processes("abc123") == [(process.pid, "sleep 60")]
    finally:
        process.kill()
        process.wait()
    assert marked_processes("abc123") == []


@pytest.mark.usefixtures("installed")
def test_an_unknown_package_and_an_unknown_plug_in_name_the_nearest() -> None:
    with pytest.raises(UsageError, match="third-party"):
        check_package("thrid-party")
    with pytest.raises(UsageError, match='nothing of "fien"'):
        asked("fien")


def program(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "webbench.tui", "plugins", "check", *words],
        capture_output=True,
        text=True,
        env=environment(tmp_path / "home", PYTHONPATH=str(tmp_path)),
        timeout=120,
    )


@pytest.mark.thorough
def test_the_command_tells_rules_and_exit_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = SOURCE.replace(
        "def fine(request):", "def fine(request):\n    return object()\n\ndef other(request):"
    )
    with installed_package(tmp_path, monkeypatch, source, POINTS):
        done = program(tmp_path, "third-party", "--name", "fine", "--json")
        assert done.returncode == 1, done.stderr
        told = json.loads(done.stdout)
        assert (told["schema_version"], told["package"], told["plugins"]) == (
            1,
            "third-party",
            ["agents fine"],
        )
        (broken,) = [one for one in told["findings"] if one["state"] == "broken"]
        assert broken["rule"] == "agent-made"
        assert broken["expected"]
        assert broken["why"]
        assert broken["contract"].startswith("core/")
        unknown = program(tmp_path, "nobodys")
        assert (unknown.returncode, "nobodys" in unknown.stderr) == (2, True)
