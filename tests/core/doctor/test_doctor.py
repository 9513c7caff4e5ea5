"""The doctor tells what is wrong with a real installation, and how to mend it."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from webbench.core.benchmark.benchmark import BenchmarkStatus
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.doctor import browser_check, doctor
from webbench.core.errors import EnvironmentDown
from webbench.core.settings.locations import log_folder
from webbench.core.store.records.temporary import private_folder


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def one(findings: list[doctor.Finding], name: str) -> doctor.Finding:
    return next(finding for finding in findings if finding.name == name)


def test_every_check_answers_and_every_trouble_says_how_to_mend_it(tmp_path: Path) -> None:
    statuses = {
        "shop": BenchmarkStatus(state="ready", detail="8 tasks"),
        "quiz": BenchmarkStatus(state="ready", detail="9 tasks"),
        "forum": BenchmarkStatus(state="needs data", detail="no folder"),
        "wiki": BenchmarkStatus(state="needs sites"),
    }
    findings = doctor.examine(
        store=tmp_path / "store",
        benchmarks=statuses,
        data_problems={"shop": {"note": 7}, "quiz": {"note": 7, "error": 2}},
        problems=("user.toml: odd",),
        broken=('The plug-in "old" failed',),
        graphics="kitty: it was asked",
        start_browser=False,
    )
    names = {finding.name for finding in findings}
    assert names >= {"Python", "packages", "Chromium", "sandbox", "display", "fonts", "store", "settings"}
    assert "mouse and keyboard" in names
    assert "plug-in" in names
    assert names >= {"terminal", "terminal graphics", "data of shop", "data of forum", "data of wiki"}
    assert all(finding.detail for finding in findings)
    assert all(finding.mend for finding in findings if finding.state != "ok")
    shop, quiz = one(findings, "data of shop"), one(findings, "data of quiz")
    assert (shop.state, shop.detail) == ("ok", "8 tasks; in it 7 notes")
    assert (quiz.state, quiz.detail) == ("warning", "9 tasks; in it 2 errors, 7 notes")
    assert "tasks quiz --problems" in quiz.mend
    assert "WEBBENCH_DATA_FORUM" in one(findings, "data of forum").mend
    assert one(findings, "Python").state == "ok"


@pytest.mark.browser
def test_the_browser_really_starts() -> None:
    from webbench.core.browser.launch import find_chromium

    try:
        path = find_chromium()
    except EnvironmentDown as error:
        pytest.skip(error.message)
    found, started = browser_check.chromium(LaunchOptions(executable=path))
    assert (found.state, started.state) == ("ok", "ok")
    assert str(path) in found.detail
    assert any(character.isdigit() for character in found.detail)


def test_a_browser_that_does_not_start_is_a_problem(tmp_path: Path) -> None:
    fake = program(
        tmp_path / "chromium",
        'if [ "$1" = --version ]; then echo noise; echo Chromium 99.1.2.3; else\n'
        "echo error while loading shared libraries: libnss3.so; exit 127; fi",
    )
    found, started = browser_check.chromium(LaunchOptions(executable=fake))
    assert found.detail.startswith("Chromium 99.1.2.3 at ")
    assert started.state == "problem"
    assert "libnss3.so" in started.detail
    assert started.mend


def test_a_program_that_is_no_browser_is_a_problem(tmp_path: Path) -> None:
    (finding,) = browser_check.chromium(LaunchOptions(executable=program(tmp_path / "chromium", "exit 1")))
    assert finding.state == "problem"
    (finding,) = browser_check.chromium(LaunchOptions(executable=tmp_path / "absent"))
    assert "No such file" in finding.detail


def test_a_browser_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_check, "START_SECONDS", 0.5)
    fake = program(
        tmp_path / "chromium",
        'if [ "$1" = --version ]; then echo Chromium 9.9.9; else\n'
        f"sleep 600 & echo $! > {tmp_path}/pid; wait; fi",
    )
    _, started = browser_check.chromium(LaunchOptions(executable=fake))
    assert "no answer" in started.detail
    with pytest.raises(ProcessLookupError):
        _wait_gone(int((tmp_path / "pid").read_text()))


def _wait_gone(pid: int) -> None:
    import time

    for _ in range(100):
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
            raise ProcessLookupError
        time.sleep(0.05)


def test_a_read_only_and_a_full_store_are_problems(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting a file system needs root")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("no tmpfs can be mounted here")
    try:
        (finding,) = doctor.store_folder(disk / "new" / "store")
        assert (finding.state, finding.mend) == ("problem", "free some space")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        (finding,) = doctor.store_folder(disk)
        assert finding.state == "problem"
        assert "Read-only" in finding.detail
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_folders_that_other_users_can_read_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store = tmp_path / "store"
    assert doctor.privacy(store) == []
    private_folder(store)
    private_folder(log_folder())
    assert doctor.privacy(store) == []
    store.chmod(0o750)
    log_folder().chmod(0o755)
    (finding,) = doctor.privacy(store)
    assert finding.detail == f"other users can read {store} and {log_folder()}"
    assert finding.mend.startswith(f"run `chmod 700 {store} {log_folder()}`")


def test_a_store_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    (finding,) = doctor.store_folder(tmp_path / "a" / "b")
    assert "made when needed" in finding.detail
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("version", "wanted", "met"),
    [
        ("8.2.8", ">=8.2,<9", True),
        ("9.0", ">=8.2,<9", False),
        ("8.10", ">=8.9", True),
        ("8", ">=8.0.0", True),
        ("3.1.0rc1", ">=3.1", True),
        ("1.0", "==1.0.1", False),
        ("1.0", "", True),
        ("2.0", ">1.9,<=2", True),
        ("2.5", "~=2.4", True),
        ("3.0", "~=2.4", False),
        ("1.0", "!=1.0", False),
        ("nightly", ">=1", False),
    ],
)
def test_versions_are_compared_as_numbers(version: str, wanted: str, met: bool) -> None:
    assert doctor.satisfies(version, wanted) is met


def test_a_distribution_that_is_not_installed_is_a_problem() -> None:
    (finding,) = doctor.packages("no-such-distribution-here")
    assert finding.state == "problem"


def test_graphics_are_told_as_they_were_detected() -> None:
    found = {finding.name: finding for finding in doctor.terminal("kitty: it speaks the protocol")}
    assert found["terminal graphics"].detail == "kitty: it speaks the protocol"
    assert "terminal graphics" not in {finding.name for finding in doctor.terminal()}


def test_a_dumb_terminal_and_an_old_locale_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TERM": "dumb", "LC_ALL": "C", "COLORTERM": ""}.items():
        monkeypatch.setenv(name, value)
    findings = doctor.terminal()
    assert [finding.state for finding in findings] == ["warning", "warning"]
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert [finding.state for finding in doctor.terminal()] == ["ok"]


def test_mouse_and_keyboard_are_a_problem_only_where_they_are_asked_for() -> None:
    told = [
        doctor.desktop(LaunchOptions(input=asked, display=":4712"))[0] for asked in ("browser", "desktop")
    ]
    assert [one.state for one in told] == ["warning", "problem"]
    assert "the display :4712 can't be used" in told[0].detail
    assert "browser.display" in told[0].mend
