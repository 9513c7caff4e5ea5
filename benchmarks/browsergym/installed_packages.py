"""The installed packages that register environments, of each interpreter that the settings name.

An interpreter is asked in a process, package by package: one that breaks it, or never ends, is told of and
left out. The answer is kept until packages are installed or removed there; where one failed, for a minute:
its mend may be a site, a download or another thing that can't be seen from here.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import msgspec

from webbench.benchmarks.browsergym.environment_process import PYTHONS, EnvironmentProcess, Silent
from webbench.benchmarks.browsergym.mends import Trouble
from webbench.core.agents.command.foreign_program import interpreter
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.settings.locations import cache_folder
from webbench.core.time_limit import time_limit

FORMAT = 3
IMPORT_SECONDS = 120.0
"""For the import of one package: some bring PyTorch."""

LIST_SECONDS = 600.0
MOST_BREAKING = 10
"""Packages that may end the process, or hang, before the rest is given up."""

FAILURE_SECONDS = 60.0
"""So long a package that failed is not tried again."""

MOST_ENVIRONMENTS = 50_000
LONGEST_ID = 200
PREFIX = "browsergym/"
PASSING = frozenset({"SHLVL", "PWD", "OLDPWD", "TERM", "WINDOWID", "_", "COLUMNS", "LINES", "TMPDIR"})
"""Variables that change by themselves; and those of a terminal."""

_asking = threading.Lock()
"""Held while interpreters are asked: who comes meanwhile takes the answer that was kept."""


class Registered(msgspec.Struct, frozen=True):
    """An environment: its id ("browsergym/miniwob.click-test"), and the module that registers it."""

    id: str
    module: str

    @property
    def name(self) -> str:
        return self.id.removeprefix(PREFIX)


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """A package of one interpreter.

    Attributes:
        environments: those that it registered, in its order.
        problem: what its import raised, None where it went well.
        python: the interpreter.
    """

    name: str
    version: str = ""
    environments: tuple[Registered, ...] = ()
    problem: Trouble | None = None
    python: str = ""


class Interpreter(msgspec.Struct, frozen=True, kw_only=True):
    """What an interpreter has.

    Attributes:
        versions: of Python, browsergym-core and Playwright there.
        problem: why it could not be asked to the end.
    """

    python: str
    packages: tuple[Package, ...] = ()
    versions: dict[str, str] = {}
    folders: tuple[str, ...] = ()
    problem: str = ""


class _Kept(msgspec.Struct, frozen=True):
    stamp: str
    found: Interpreter


class _End(msgspec.Struct, frozen=True):
    """The last line of a list."""

    python: str
    core: str = ""
    playwright: str = ""
    folders: tuple[str, ...] = ()


def packages_of(python: str) -> Interpreter:
    """What an interpreter has, "" for ours. Never raises: its `problem` says why it could not be asked."""
    if not python and find_spec("browsergym") is None:
        return Interpreter(python="")
    try:
        path = interpreter(python, PYTHONS)
    except WebbenchError as error:
        return Interpreter(python=python, problem=str(error))
    place = cache_folder() / "browsergym" / f"{hashlib.sha256(path.encode()).hexdigest()[:32]}.msgpack"
    with _asking:
        if (kept := _kept(place, path)) is not None:
            return kept
        found = _answer(path)
        if not found.problem:
            _keep(place, _Kept(_stamp(path, found, os.environ), found))
    return found


def _answer(python: str) -> Interpreter:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_asked(python))
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, _asked(python)).result()


async def _asked(python: str) -> Interpreter:
    """Ask again without what ended the process, as long as something does."""
    broken: dict[str, Package] = {}
    for _ in range(MOST_BREAKING):
        process = await EnvironmentProcess.start(python)
        told = _List(python)
        try:
            async with time_limit(LIST_SECONDS):
                answer = await process.ask({"do": "list", "skip": list(broken)}, IMPORT_SECONDS)
                while not told.take(answer):
                    answer = await process.answer(IMPORT_SECONDS)
            return told.found(tuple(broken.values()))
        except Silent as error:
            if not told.trying or told.trying in told.packages:
                return told.found(tuple(broken.values()), problem=str(error))
            reason = Trouble(type="Import", message=error.message)
            broken[told.trying] = Package(name=told.trying, problem=reason, python=python)
        except TimeoutError:
            return Interpreter(python=python, problem=f"it was not through within {LIST_SECONDS:g} s")
        except msgspec.ValidationError as error:
            return Interpreter(python=python, problem=f"it answered something else: {error}")
        finally:
            await process.close()
    return Interpreter(python=python, packages=tuple(broken.values()), problem="too many packages break it")


class _List:
    """What an interpreter has told so far.

    Attributes:
        trying: the package that it imports.
    """

    def __init__(self, python: str) -> None:
        self.packages: dict[str, Package] = {}
        self.trying = ""
        self._python = python
        self._environments: dict[str, list[Registered]] = {}
        self._count = 0
        self._end = _End(python="")
        self._problem = ""

    def take(self, answer: JsonObject) -> bool:
        """Whether it was the last answer. Raises `ValidationError` for what is none."""
        self.trying = str(answer.get("importing", self.trying))
        if "problem" in answer:
            self._problem = msgspec.convert(answer["problem"], Trouble).words
        elif "package" in answer:
            package = msgspec.convert(answer["package"], Package)
            package = msgspec.structs.replace(package, environments=(), python=self._python)
            self.packages[package.name] = package
        elif "environment" in answer and self._count < MOST_ENVIRONMENTS:
            one = msgspec.convert(answer["environment"], Registered)
            if _fits(one):
                self._environments.setdefault(str(answer.get("of")), []).append(one)
                self._count += 1
        elif "python" in answer:
            self._end = msgspec.convert(answer, _End)
        return "python" in answer or "problem" in answer

    def found(self, broken: tuple[Package, ...], problem: str = "") -> Interpreter:
        """All of it, with the packages that it could not be told of."""
        with_theirs = (
            msgspec.structs.replace(one, environments=tuple(self._environments.get(name, ())))
            for name, one in self.packages.items()
        )
        end = self._end
        versions = {"python": end.python, "browsergym-core": end.core, "playwright": end.playwright}
        return Interpreter(
            python=self._python,
            packages=(*with_theirs, *broken),
            versions={name: one for name, one in versions.items() if one},
            folders=end.folders,
            problem=problem or self._problem,
        )


def _fits(one: Registered) -> bool:
    """Whether its name can be typed."""
    return len(one.id) <= LONGEST_ID and one.id.isprintable() and not any(map(str.isspace, one.id))


def _stamp(python: str, found: Interpreter, variables: Mapping[str, str]) -> str:
    """What the answer came from: folders that installing changes; where a package failed, the variables."""
    seen: list[object] = [FORMAT]
    for place in (python, *found.folders):
        with suppress(OSError):
            about = Path(place).stat()
            seen += [place, about.st_mtime_ns, about.st_ino]
    if any(package.problem for package in found.packages):
        seen += sorted((name, value) for name, value in variables.items() if name not in PASSING)
    return hashlib.sha256(repr(seen).encode()).hexdigest()


def _kept(place: Path, python: str) -> Interpreter | None:
    try:
        kept = msgspec.msgpack.decode(place.read_bytes(), type=_Kept)
        age = time.time() - place.stat().st_mtime
    except (OSError, msgspec.DecodeError, RecursionError):
        return None
    if any(package.problem for package in kept.found.packages) and not 0 <= age < FAILURE_SECONDS:
        return None
    return kept.found if kept.stamp == _stamp(python, kept.found, os.environ) else None


def _keep(place: Path, kept: _Kept) -> None:
    """Where the folder can be written."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            file.write(msgspec.msgpack.encode(kept))
        Path(file.name).replace(place)
