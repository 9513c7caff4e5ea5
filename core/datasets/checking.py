"""Checking data: what a path holds, benchmark by benchmark, and everything that is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Problem, Severity
from webbench.core.datasets.data_family import DataFamily
from webbench.core.datasets.first_look import ENDINGS, Look
from webbench.core.datasets.installed_data import published_as
from webbench.core.errors import BadData
from webbench.core.text.plural import counted

DEEPEST = 3
"""Levels of folders that are gone through below the given one."""
MOST_PATHS = 5000

SERIOUS: tuple[Severity, ...] = ("error", "warning")


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Files of one form that lie side by side.

    Attributes:
        data_set: the published data set whose bytes these are, "" where they are nobody's.
        where: the folder, or the one file.
        tasks: how many can be used.
    """

    benchmark: str
    form: str
    where: str
    files: tuple[str, ...]
    tasks: int
    data_set: str = ""
    problems: tuple[Problem, ...] = ()


class DataReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found below a path.

    Attributes:
        ignored: files that belong to no benchmark's data.
        problems: what kept parts of the path from being looked at.
    """

    path: str
    found: tuple[Finding, ...]
    ignored: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        return (*self.problems, *(problem for one in self.found for problem in one.problems))

    @property
    def counts(self) -> Counter[Severity]:
        return Counter(problem.severity for problem in self.all_problems)

    @property
    def clean(self) -> bool:
        """Whether there is nothing but notes."""
        return not any(self.counts[severity] for severity in SERIOUS)


def check_data(path: Path, families: Sequence[DataFamily]) -> DataReport:
    """Recognise what a file or folder holds, and check all of it.

    Raises `BadData` where there is nothing, and where no benchmark knows it as its own.
    """
    if not path.exists():
        raise BadData(f"{path}: there is no such file or folder")
    groups: dict[tuple[str, str, Path], list[Path]] = {}
    ignored: list[str] = []
    by_name = {family.benchmark: family for family in families}
    walk = _Walk(families)
    for found, family, form in walk.below(path):
        if family is None:
            ignored.append(str(found))
        else:
            groups.setdefault((family.benchmark, form, found.parent), []).append(found)
    if not groups:
        known = ", ".join(sorted(by_name))
        unseen = "".join(f"; {problem.where}: {problem.message}" for problem in walk.problems()[:1])
        raise BadData(
            f"{path} holds no data set of a benchmark that is known here{unseen}",
            f"known are {known}; `webbench-tui data list` says what their data are called",
        )
    findings = [
        _checked(by_name[name], form, folder, paths) for (name, form, folder), paths in groups.items()
    ]
    return DataReport(path=str(path), found=tuple(findings), ignored=tuple(ignored), problems=walk.problems())


def _checked(family: DataFamily, form: str, folder: Path, paths: list[Path]) -> Finding:
    try:
        checked = family.check(form, paths)
        tasks, problems = checked.tasks, checked.problems
    except BadData as error:
        tasks, problems = 0, (Problem(str(paths[0]), str(error), "error"),)
    except OSError as error:
        tasks, problems = 0, (_unreadable(Path(error.filename or paths[0]), error, "error"),)
    return Finding(
        benchmark=family.benchmark,
        form=form,
        where=str(paths[0] if len(paths) == 1 else folder),
        files=tuple(path.name for path in paths),
        tasks=tasks,
        data_set=published_as(family, paths),
        problems=problems,
    )


class _Walk:
    """Goes through folders, within bounds, and remembers what it didn't look at."""

    def __init__(self, families: Sequence[DataFamily]) -> None:
        self._families = families
        self._unreadable: list[Problem] = []
        self._too_deep: list[Path] = []
        self._left: list[tuple[Path, int]] = []

    def below(self, path: Path) -> Iterator[tuple[Path, DataFamily | None, str]]:
        """Every path that is some family's, and JSON files that are nobody's (with None)."""
        self._left = [(path, 0)]
        seen = 0
        while self._left and seen < MOST_PATHS:
            here, depth = self._left.pop()
            seen += 1
            try:
                found = self._look(here, depth)
            except OSError as error:
                self._unreadable.append(_unreadable(here, error, "warning"))
                continue
            if found:
                yield here, *found

    def _look(self, here: Path, depth: int) -> tuple[DataFamily | None, str] | None:
        look = Look(here)
        claim = next(((family, form) for family in self._families if (form := family.recognise(look))), None)
        if claim:
            return claim
        if look.is_folder and depth <= DEEPEST:
            inside = sorted(here.iterdir(), reverse=True)
            self._left += [(below, depth + 1) for below in inside if not below.name.startswith(".")]
        elif look.is_folder:
            self._too_deep.append(here)
        elif depth == 0 or here.suffix.lower() in ENDINGS:
            return None, ""
        return None

    def problems(self) -> tuple[Problem, ...]:
        """What was not looked at, and why."""
        found = [*self._unreadable]
        if self._too_deep:
            more = f" ({counted(len(self._too_deep), 'folder')} in all)" if len(self._too_deep) > 1 else ""
            told = f"lies too deep and was not looked into{more}; check it by itself"
            found.append(Problem(str(self._too_deep[0]), told))
        if self._left:
            told = f"after {MOST_PATHS:,} files and folders the rest, from here on, was not looked at"
            found.append(Problem(str(self._left[-1][0]), f"{told}; check smaller folders"))
        return tuple(found)


def _unreadable(path: Path, error: OSError, severity: Severity) -> Problem:
    return Problem(str(path), f"can't be read: {error.strerror or error}", severity)
