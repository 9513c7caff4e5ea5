"""The wheel is whole: installed alone in an empty environment, the program runs from it."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy without build leftovers."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(REPOSITORY)], check=True, capture_output=True, timeout=300)
    return next(folder.glob("*.whl"))


def test_wheel_holds_every_tracked_file_of_the_packages(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "core", "benchmarks", "tui", "themes"],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\n")
    wanted = {f"webbench/{name}" for name in tracked if name}
    assert wanted
    assert wanted - set(zipfile.ZipFile(wheel).namelist()) == set()


@pytest.mark.timeout(540)
def test_wheel_runs_from_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    constraints = ["-c", str(REPOSITORY / "constraints.txt")]
    subprocess.run([*install, *constraints, str(wheel)], check=True, timeout=400)

    program = str(tmp_path / "venv" / "bin" / "webbench-tui")
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert version.stdout.startswith("webbench-tui ")

    demo = subprocess.run(
        [program, "demo", "--headless", "--json", "--store", str(tmp_path / "store")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    assert demo.returncode == 0, demo.stderr
    report = json.loads(demo.stdout)
    assert report["planned"] >= 8
    assert report["mean_score"] == 1.0
