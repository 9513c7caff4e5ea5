"""TOML files that packages ship and users add: read whole and bounded, trouble told, none of it raised."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from types import ModuleType

from webbench.core.errors import WebbenchError
from webbench.core.plugins import entry_points

ENDING = ".toml"

NamedFile = tuple[str, bytes]
"""Where a file stands, for people, and its content."""


def files_in(package: str | ModuleType) -> list[NamedFile]:
    """The TOML files in a package, by name."""
    name = package if isinstance(package, str) else package.__name__
    entries = sorted(files(package).iterdir(), key=lambda entry: entry.name)
    return [(f"{name}/{entry.name}", entry.read_bytes()) for entry in entries if entry.name.endswith(ENDING)]


def plugin_files(group: str, what: str, problems: list[str]) -> list[NamedFile]:
    """The files in the packages that entry points of a group name; `what` they are, for messages."""
    found: list[NamedFile] = []
    for name, loader in entry_points.load(group).items():
        try:
            found += files_in(loader())
        except (WebbenchError, OSError, TypeError) as error:
            problems.append(f'the {what} of the plug-in "{name}" can\'t be read: {error}')
    return found


def folder_files(folder: Path, largest: int, problems: list[str]) -> list[NamedFile]:
    """The files in a folder by name, none where there is no such folder; of each one byte above `largest`."""
    found = []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else []:
        try:
            with path.open("rb") as file:
                found.append((str(path), file.read(largest + 1)))
        except OSError as error:
            problems.append(f"{path} can't be read: {error.strerror or error}")
    return found
