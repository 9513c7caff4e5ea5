"""The data folder: task directories and the split files that name them, with all their dirt.

Expected are `tasks/<name>/template.html`, `tasks/<name>/batch.csv` and `splits/*.txt`, or `data/splits/*.txt`
as in a clone of the repository.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Problem

SPLIT_FILES = {
    "test_easy": "evaluation_tasks_easy.txt",
    "test_hard": "evaluation_tasks_hard.txt",
    "subjective": "subjective_evaluation_tasks.txt",
}
TRAIN = "train"
SPLITS = (*SPLIT_FILES, TRAIN)
TEMPLATE = "template.html"
BATCH = "batch.csv"


class DataFolder(msgspec.Struct, frozen=True):
    """What a data folder holds.

    Attributes:
        splits: task names per split; "train" is every directory that no split file names.
        problems: what was wrong with directories and split files.
    """

    root: Path
    splits: dict[str, tuple[str, ...]]
    problems: tuple[Problem, ...] = ()

    def split_of(self, name: str) -> str:
        """The first split that holds a task; raises `KeyError` for an unknown one."""
        for split, names in self.splits.items():
            if name in names:
                return split
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        """All task names, each once, in split order."""
        return tuple(dict.fromkeys(name for names in self.splits.values() for name in names))

    def directory(self, name: str) -> Path:
        return self.root / "tasks" / name


def is_data_folder(root: Path) -> bool:
    return (root / "tasks").is_dir()


def open_folder(root: Path) -> DataFolder:
    """List tasks and splits; never raises for dirty data, only for an unreadable folder (`OSError`)."""
    directories, problems = _directories(root / "tasks")
    splits: dict[str, tuple[str, ...]] = {}
    for split, file_name in SPLIT_FILES.items():
        names: dict[str, None] = {}
        for found in _members(_splits_folder(root) / file_name, directories):
            if isinstance(found, Problem):
                problems.append(found)
            else:
                names[found] = None
        splits[split] = tuple(names)
    problems += _in_two_splits(splits)
    taken = {name for names in splits.values() for name in names}
    splits[TRAIN] = tuple(name for name in directories if name not in taken)
    return DataFolder(root, splits, tuple(problems))


def _splits_folder(root: Path) -> Path:
    cloned = root / "data" / "splits"
    return cloned if cloned.is_dir() and not (root / "splits").is_dir() else root / "splits"


def _directories(tasks: Path) -> tuple[dict[str, bool], list[Problem]]:
    """Usable task directories in order of name, and problems with the others."""
    usable: dict[str, bool] = {}
    problems: list[Problem] = []
    for path in sorted(tasks.iterdir()):
        if not path.is_dir() or path.name.startswith("."):
            continue
        missing = [name for name in (TEMPLATE, BATCH) if not (path / name).is_file()]
        if missing:
            problems.append(
                Problem(str(path), f"no {' and no '.join(missing)}: the task is left out", "error")
            )
        else:
            usable[path.name] = True
    return usable, problems


def _members(path: Path, directories: dict[str, bool]) -> Iterator[str | Problem]:
    """Names of existing tasks that a split file lists, and what is wrong with the rest."""
    try:
        text = path.read_text("utf-8-sig", errors="replace")
    except OSError as error:
        yield Problem(str(path), f"can't be read ({error.strerror}): the split is empty", "error")
        return
    if text and not text.endswith(("\n", "\r")):
        yield Problem(str(path), "no newline at the end; joined to another file it glues two names", "note")
    seen: set[str] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        where, name = f"{path}:{number}", line.strip()
        if not name:
            continue
        for found in _resolve(name, directories, where):
            if isinstance(found, str) and found in seen:
                yield Problem(where, f'"{found}" is listed twice; the second is ignored')
                continue
            if isinstance(found, str):
                seen.add(found)
            yield found


def _resolve(name: str, directories: dict[str, bool], where: str) -> Iterator[str | Problem]:
    if name in directories:
        yield name
        return
    glued = next((first for first in directories if name.removeprefix(first) in directories), "")
    if glued:
        second = name.removeprefix(glued)
        yield Problem(where, f'two names without a line break: taken as "{glued}" and "{second}"')
        yield glued
        yield second
        return
    shorter = [directory for directory in directories if name.startswith(f"{directory} ")]
    if shorter:
        known = max(shorter, key=len)
        yield Problem(where, f'no usable directory "{name}"; "{known}" is taken for it')
        yield known
        return
    yield Problem(where, f'no usable directory "{name}": the task is left out', "error")


def _in_two_splits(splits: dict[str, tuple[str, ...]]) -> list[Problem]:
    problems: list[Problem] = []
    first: dict[str, str] = {}
    for split, names in splits.items():
        for name in names:
            if name in first:
                problems.append(Problem(SPLIT_FILES[split], f'"{name}" is also in {first[name]}'))
            first.setdefault(name, split)
    return problems
