"""What is written appears whole, and never in the place of something else unasked."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.exchange.atomic_output import appearing, write_text


def test_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "out.html"
    write_text(path, "first")

    with pytest.raises(UsageError, match="--force"):
        write_text(path, "second")
    assert path.read_text() == "first"

    write_text(path, "second", force=True)
    assert path.read_text() == "second"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    (path / "old").write_text("old")

    def half_way() -> None:
        with appearing(path, force=True) as made:
            made.mkdir()
            (made / "new").write_text("new")
            raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        half_way()

    assert [one.name for one in tmp_path.rglob("*")] == ["folder", "old"]


def make(path: Path, *names: str) -> None:
    with appearing(path, force=True) as made:
        made.mkdir()
        for name in names:
            (made / name).write_text("new")


def test_a_folder_replaces_another_whole(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    make(path, "a")
    (path / "a").write_text("old")

    make(path, "a", "b")

    assert sorted(one.name for one in tmp_path.rglob("*")) == ["a", "b", "folder"]
    assert (path / "a").read_text() == "new"


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "home"
    (path / "deep").mkdir(parents=True)
    (path / "deep" / "thesis.txt").write_text("mine")

    with pytest.raises(UsageError, match=r"thesis\.txt, which would be lost"):
        make(path, "a")
    with pytest.raises(UsageError, match=r"thesis\.txt"):
        write_text(path, "x", force=True)

    assert sorted(one.name for one in tmp_path.rglob("*")) == ["deep", "home", "thesis.txt"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs")
    link = tmp_path / "out"
    link.symlink_to(tmp_path / "theirs")

    write_text(link, "ours", force=True)

    assert (tmp_path / "theirs").read_text() == "theirs"
    assert (link.is_symlink(), link.read_text()) == (False, "ours")


def test_a_place_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(UsageError, match="no folder"):
        write_text(tmp_path / "file" / "out", "x")
    with pytest.raises(EnvironmentDown, match="could not be written"):
        write_text(Path("/proc/nowhere/out"), "x")


KILLED = """
import os, signal, sys
from pathlib import Path
from webbench.core.exchange.atomic_output import appearing
with appearing(Path(sys.argv[1])) as made:
    made.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_export_left_is_swept_by_the_next_one_beside_it(tmp_path: Path) -> None:
    """Not what a living one is working at, nor what only looks alike."""
    done = subprocess.run([sys.executable, "-P", "-c", KILLED, str(tmp_path / "lost.html")], check=False)
    assert done.returncode == -signal.SIGKILL
    [left] = tmp_path.iterdir()
    other = tmp_path / ".notes.webbench-old"
    other.mkdir()
    with appearing(tmp_path / "living.html") as made:
        made.write_text("whole")
        for workshop in (left, made.parent, other):
            os.utime(workshop, (0, 0))
        write_text(tmp_path / "next.html", "next")
        assert not left.exists()
        assert made.read_text() == "whole"
    assert sorted(one.name for one in tmp_path.iterdir()) == [other.name, "living.html", "next.html"]
