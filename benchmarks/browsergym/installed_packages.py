"""The installed packages that register environments, of each interpreter that the settings name.

An interpreter is asked in a process, package by package: one that breaks it, or never ends, is told of and
left out. The answer is kept until packages are installed or removed there.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import msgspec

from webbench.benchmarks.browsergym.environment_process import EnvironmentProcess, Silent, interpreter
from webbench.benchmarks.browsergym.mends import Trouble
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.settings.locations import cache_folder

FORMAT = 1
IMPORT_SECONDS = 120.0
"""For the import of one package: some bring PyTorch."""

MOST_BREAKING = 10
"""Packages that may end the process, or hang, before the rest is given up."""

MOST_ENVIRONMENTS = 50_000
LONGEST_ID = 200
PREFIX = "browsergym/"
PASSING = frozenset({"SHLVL", "PWD", "OLDPWD", "TERM", "WINDOWID", "_", "COLUMNS", "LINES", "TMPDIR"})
"""Variables that change by themselves; and those of a terminal."""


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
        path = interpreter(python)
    except WebbenchError as error:
        return Interpreter(python=python, problem=str(error))
    place = cache_folder() / "browsergym" / f"{hashlib.sha256(path.encode()).hexdigest()[:32]}.msgpack"
    if (kept := _kept(place, path)) is not None:
        return kept
    with ThreadPoolExecutor(1) as beside:  # the caller may be inside an event loop
        found = beside.submit(asyncio.run, _asked(path)).result()
    if not found.problem:
        _keep(place, _Kept(_stamp(path, found, os.environ), found))
    return found


async def _asked(python: str) -> Interpreter:
    """Ask again without what ended the process, as long as something does."""
    packages: dict[str, Package] = {}
    for _ in range(MOST_BREAKING):
        trying = ""
        process = await EnvironmentProcess.start(python)
        try:
            answer = await process.ask({"do": "list", "skip": list(packages)}, IMPORT_SECONDS)
            while "python" not in answer:
                if "problem" in answer:
                    told = msgspec.convert(answer["problem"], Trouble)
                    return Interpreter(python=python, problem=told.words)
                trying = str(answer.get("importing", trying))
                if "package" in answer:
                    package = _read(answer["package"], python)
                    packages[package.name] = package
                answer = await process.answer(IMPORT_SECONDS)
            end = msgspec.convert(answer, _End)
            versions = {"python": end.python, "browsergym-core": end.core, "playwright": end.playwright}
            return Interpreter(
                python=python,
                packages=tuple(packages.values()),
                versions={name: one for name, one in versions.items() if one},
                folders=end.folders,
            )
        except Silent as error:
            if not trying or trying in packages:
                return Interpreter(python=python, packages=tuple(packages.values()), problem=str(error))
            told = Trouble(type="Import", message=error.message)
            packages[trying] = Package(name=trying, problem=told, python=python)
        except msgspec.ValidationError as error:
            return Interpreter(python=python, problem=f"it answered something else: {error}")
        finally:
            await process.close()
    return Interpreter(python=python, packages=tuple(packages.values()), problem="too many packages break it")


def _read(answer: JsonObject, python: str) -> Package:
    """Of the environments those with a name that can be typed. Raises `ValidationError` for no package."""
    package = msgspec.convert(answer, Package)
    fit = (one for one in package.environments if len(one.id) <= LONGEST_ID and one.id.isprintable())
    kept = tuple(one for one in fit if not any(sign.isspace() for sign in one.id))[:MOST_ENVIRONMENTS]
    return msgspec.structs.replace(package, environments=kept, python=python)


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
    except (OSError, msgspec.DecodeError, RecursionError):
        return None
    return kept.found if kept.stamp == _stamp(python, kept.found, os.environ) else None


def _keep(place: Path, kept: _Kept) -> None:
    """Where the folder can be written."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            file.write(msgspec.msgpack.encode(kept))
        Path(file.name).replace(place)
