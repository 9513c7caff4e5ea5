"""The wheel is whole: installed alone in an empty environment, the program runs from it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.terminal.pty_program import PtyProgram

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def nothing_but_the_environment() -> Iterator[None]:
    """No other folder of packages is seen from the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONPATH", raising=False)
        yield


def listed(*arguments: str) -> list[str]:
    """Files of the repository, by git."""
    done = subprocess.run(
        ["git", "ls-files", "-z", *arguments], cwd=REPOSITORY, check=True, capture_output=True, text=True
    )
    return [name for name in done.stdout.split("\0") if name]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy without build leftovers."""
    folder, source = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("source")
    for name in listed("--cached", "--others", "--exclude-standard"):
        if os.path.lexists(REPOSITORY / name):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, source / name, follow_symlinks=False)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(source)], check=True, capture_output=True, timeout=300)
    return next(folder.glob("*.whl"))


def test_wheel_holds_every_tracked_file_of_the_packages(wheel: Path) -> None:
    wanted = {f"webbench/{name}" for name in listed("core", "benchmarks", "tui", "themes")}
    wanted |= {name.removeprefix("src/") for name in listed("src/webbench/*.py", "src/webbench/py.typed")}
    assert {"webbench/__init__.py", "webbench/py.typed", "webbench/core/task.py"} <= wanted
    assert wanted - set(zipfile.ZipFile(wheel).namelist()) == set()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel and what its metadata ask for, and nothing else.

    The dependencies were already installed from the index by `make setup`; they are linked, which
    takes a second where installing them again takes minutes.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    quietly = ["--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
    subprocess.run(
        [*pip, "install", *quietly, "--no-deps", "--no-index", str(wheel)], check=True, timeout=120
    )
    [packages] = folder.glob("lib/python3.*/site-packages")
    [own] = Distribution.discover(name="webbench-tui", path=[str(packages)])
    for dependency in needed(own):
        link(dependency, packages)
    subprocess.run([*pip, "check", "--disable-pip-version-check"], check=True, timeout=60)
    return folder


def needed(package: Distribution) -> list[Distribution]:
    """What a package requires without any extra of its own, and what that requires in turn."""
    found: dict[str, Distribution] = {}
    waiting = [(package, "")]
    seen = set(waiting)
    while waiting:
        asking, extra = waiting.pop()
        for line in asking.requires or ():
            wanted = Requirement(line)
            if wanted.marker and not wanted.marker.evaluate({"extra": extra}):
                continue
            name = re.sub(r"[-_.]+", "-", wanted.name).lower()
            found.setdefault(name, distribution(wanted.name))
            more = {(name, chosen) for chosen in ("", *wanted.extras)} - seen
            seen |= more
            waiting += [(found[name], chosen) for _, chosen in more]
    return list(found.values())


def link(package: Distribution, packages: Path) -> None:
    """Make an installed package importable from another environment."""
    for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
        target = packages / name
        if not target.exists():
            target.symlink_to(str(package.locate_file(name)))


@pytest.mark.thorough
def test_environment_holds_no_source_and_no_tool_of_development(installed: Path) -> None:
    program = (
        "import importlib.util, webbench.core.task as module\n"
        "print(module.__file__)\n"
        "print([name for name in ('pytest', 'mypy', 'hypothesis', 'ruff') if importlib.util.find_spec(name)])"
    )
    done = subprocess.run(
        [installed / "bin" / "python", "-c", program], check=True, capture_output=True, text=True, cwd="/"
    )
    file, tools = done.stdout.splitlines()
    assert Path(file).is_relative_to(installed)
    assert not Path(file).resolve().is_relative_to(REPOSITORY)
    assert tools == "[]"


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_program_and_demo_run_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "bin" / "webbench-tui")
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert version.stdout.startswith("webbench-tui ")

    demo = subprocess.run(
        [program, "demo", "--headless", "--json", "--store", str(tmp_path / "store")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        timeout=240,
    )
    assert demo.returncode == 0, demo.stderr
    report = json.loads(demo.stdout)
    assert report["planned"] >= 8
    assert report["mean_score"] == 1.0


@pytest.mark.thorough
def test_screens_open_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    with PtyProgram([str(installed / "bin" / "webbench-tui"), "--store", str(tmp_path)]) as program:
        program.wait_for(b"Benchmarks", 60)
        program.wait_for(b"Preview", 60)
        assert b"Traceback" not in program.output
