"""Doing what a page says: its blocks with a file's name are written or patched in, its commands are run.

A block that follows a line with nothing but a file's name, bold and as code, is about that file. A `diff`
block changes it: what stands between two lines `@@` is looked for by its lines, whatever their numbers are.
Any other block is the whole file. Of a `sh` block each line is run, and ends with 0 or the exit code that a
comment behind it names; a `text` block after it holds lines that the last one prints.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.tui.cli.program import environment

REPOSITORY = Path(__file__).parents[2]
BLOCK = re.compile(r"(?:^\*\*`([^`\n]+)`\*\*\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"  # exit code (\d+)")
PROGRAMS = {"webbench-tui": ["-m", "webbench.tui"], "pytest": ["-m", "pytest"], "python": []}
"""Commands that a page may name, as modules of this Python."""


class Block(NamedTuple):
    """A fenced block of a page; `file` is "" where none is named before it."""

    file: str
    language: str
    text: str


def blocks(page: str) -> list[Block]:
    """All blocks of a page of docs/."""
    text = (REPOSITORY / "docs" / page).read_text("utf-8")
    return [Block(*found) for found in BLOCK.findall(text)]


def patched(text: str, change: str) -> str:
    """A file after the change that a `diff` block tells.

    Raises ValueError where a place isn't there just once.
    """
    for hunk in change.split("@@\n"):
        lines = hunk.splitlines()
        old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
        new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
        if text.count(old) != 1:
            raise ValueError(f"this stands {text.count(old)} times in the file:\n{old}")
        text = text.replace(old, new)
    return text


def write(page: str, folder: Path) -> None:
    """Write and change the files that a page names."""
    for block in blocks(page):
        if block.file:
            file = folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            changed = patched(file.read_text("utf-8"), block.text) if block.language == "diff" else block.text
            file.write_text(changed, "utf-8")


def copied(page: str, folder: Path) -> None:
    """The repository in which a page changes files: their folders as copies, the others as links."""
    changed = {block.file for block in blocks(page) if block.file}
    shutil.copytree(REPOSITORY / "src", folder / "src", symlinks=True)
    _mirrored(REPOSITORY, folder, changed)


def announced(folder: Path) -> None:
    """Packages that were written there are as an installer leaves them: found, with their entry points."""
    for file in folder.glob("*/pyproject.toml"):
        project = tomllib.loads(file.read_text("utf-8"))["project"]
        metadata = file.parent / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        metadata.mkdir()
        told = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (metadata / "METADATA").write_text(told)
        lines = [
            line
            for group, points in project["entry-points"].items()
            for line in (f"[{group}]", *(f"{name} = {target}" for name, target in points.items()))
        ]
        (metadata / "entry_points.txt").write_text("\n".join(lines))


def commands(page: str) -> Iterator[tuple[str, str]]:
    """Each command line of a page, and the lines that the page shows after it."""
    told = [block for block in blocks(page) if not block.file]
    for block, after in zip(told, [*told[1:], Block("", "", "")], strict=True):
        if block.language == "sh":
            *lines, last = block.text.splitlines()
            yield from ((line, "") for line in lines)
            yield last, after.text if after.language == "text" else ""


def follow(page: str, folder: Path, *, without: str = "-") -> list[str]:
    """Runs a page's commands in a folder, without those that begin so, and gives those that were run.

    Python finds the packages of the page in the folders that have a `pyproject.toml`, or in `src`.
    Raises AssertionError where one fails, or doesn't print what the page shows.
    """
    ran = []
    places = [folder / "src", *(file.parent for file in folder.glob("*/pyproject.toml"))]
    variables = {"PYTHONPATH": os.pathsep.join(map(str, places)), "COLUMNS": "200"}
    for line, shown in commands(page):
        if line.startswith(("pip ", "cd ", "git ", without)):
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", _called(line)],
            capture_output=True,
            text=True,
            cwd=folder,
            env=environment(folder / "home", **variables),
            timeout=150,
        )
        said = done.stdout + done.stderr
        told = EXIT_CODE.search(line)
        assert done.returncode == (int(told[1]) if told else 0), f"{line}\n{said}"
        missing = [
            wanted for wanted in shown.splitlines() if " ".join(wanted.split()) not in " ".join(said.split())
        ]
        assert missing == [], f"{line}\n{said}"
        ran.append(line)
    return ran


def _called(line: str) -> str:
    """A command line whose programs are those of this Python."""
    names = "|".join(PROGRAMS)
    return re.sub(
        rf"(^|\| )({names})(?= )",
        lambda found: found[1] + " ".join([sys.executable, *PROGRAMS[found[2]]]),
        line,
    )


def _mirrored(source: Path, target: Path, changed: set[str]) -> None:
    heads = {name.partition("/")[0] for name in changed if "/" in name}
    for entry in source.iterdir():
        if entry.name in {"src", ".venv", ".git", "build", "__pycache__"}:
            continue
        place = target / entry.name
        if entry.is_dir() and entry.name in heads:
            place.mkdir()
            inner = {name.partition("/")[2] for name in changed if name.startswith(f"{entry.name}/")}
            _mirrored(entry, place, inner)
        elif entry.is_dir():
            place.symlink_to(entry)
        else:
            shutil.copyfile(entry, place)
