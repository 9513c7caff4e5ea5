"""The environments that installed packages have registered, package by package, each tried by itself."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import site
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

NAMESPACE = "browsergym"
CORE = "browsergym-core"
NOT_ENVIRONMENTS = ("browsergym", CORE, "browsergym-experiments")
NO_ENVIRONMENT_MODULES = ("browsergym", "core", "experiments", "utils", "bgym")
REGISTRARS = ("browsergym.core", "gymnasium")
"""Modules through which others register."""

LONGEST_REASON = 1500


def trouble(error: BaseException) -> dict[str, str]:
    """What was raised: its type, its words, the module that is missing, and the place in the code."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    missing = error.name if isinstance(error, ModuleNotFoundError) else ""
    return {
        "type": type(error).__name__,
        "message": str(error)[:LONGEST_REASON],
        "missing": missing or "",
        "place": place,
    }


def distributions() -> dict[str, tuple[str, list[str]]]:
    """Version and modules by name of every package that may register environments."""
    found: dict[str, tuple[str, list[str]]] = {}
    for one in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", str(one.metadata["Name"] or "")).lower()
        needs = [re.split(r"[^\w.-]", need, maxsplit=1)[0].lower() for need in one.requires or ()]
        if name not in NOT_ENVIRONMENTS and name not in found and (NAMESPACE in name or CORE in needs):
            found[name] = (one.version, sorted(_modules(one)))
    return found


def list_packages(tell: Callable[[dict[str, Any]], None], skip: list[str]) -> None:
    """Tell what is imported before it is, and then what came of it; at last what the interpreter is."""
    packages = distributions()
    owned = {module for _, modules in packages.values() for module in modules}
    for module in (found for found in _in_namespace() if found not in owned):
        packages[module.replace(".", "-")] = ("", [module])
    registrars = _registrars()
    for name, (version, modules) in sorted(packages.items()):
        if name in skip:
            continue
        tell({"importing": name, "version": version})
        tell({"package": _tried(name, version, modules)})
    owners = {module: name for name, (_, modules) in packages.items() for module in modules}
    for one, registrar in registrars.items():
        parts = registrar.split(".")
        module = next((m for m in (".".join(parts[:2]), parts[0]) if m in owners), "")
        if module:
            tell({"environment": {"id": one, "module": module}, "of": owners[module]})
    tell(
        {
            "python": sys.version.split()[0],
            "core": _version(CORE),
            "playwright": _version("playwright"),
            "folders": [folder for folder in dict.fromkeys(_site_folders()) if folder],
        }
    )


def import_environments(module: str) -> None:
    """The module that registers an environment; raises what it raises."""
    importlib.import_module(module)


def _tried(name: str, version: str, modules: list[str]) -> dict[str, Any]:
    package: dict[str, Any] = {"name": name, "version": version, "problem": None}
    try:
        # Where it is missing, as it is here, that is told.
        from browsergym import core  # noqa: F401  # pyright: ignore[reportMissingImports]
    except BaseException as error:
        return {**package, "problem": trouble(error)}
    for module in modules:
        try:
            importlib.import_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            traceback.print_exc()
            package["problem"] = package["problem"] or trouble(error)
    return package


def _registrars() -> dict[str, str]:
    """The module that registers each environment, filled as they do: a package may import another one."""
    found: dict[str, str] = {}
    try:
        import gymnasium
    except ImportError:
        return found
    register = gymnasium.register

    def registered(id: str, *given: Any, **named: Any) -> None:
        register(id, *given, **named)
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(REGISTRARS):
            frame = frame.f_back
        found[id] = str(frame.f_globals.get("__name__", ""))

    gymnasium.register = registered
    return found


def _modules(distribution: metadata.Distribution) -> Iterator[str]:
    """Modules that it brings: below the namespace, or of its own."""
    seen: set[str] = set()
    for file in distribution.files or ():
        if file.suffix != ".py":
            continue
        top, *below = file.parts
        if top.endswith((".dist-info", ".data")):
            continue
        inside = top == NAMESPACE and bool(below)
        parts = below if inside else [top, *below]
        first = parts[0].removesuffix(".py")
        name = f"{NAMESPACE}.{first}" if inside else first
        regular = len(parts) == 1 or parts[-1] == "__init__.py"
        if regular and first.isidentifier() and first not in NO_ENVIRONMENT_MODULES and name not in seen:
            seen.add(name)
            yield name


def _in_namespace() -> list[str]:
    """Modules below the namespace, also those that no installed package tells of."""
    spec = importlib.util.find_spec(NAMESPACE)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    found = (one.name for one in pkgutil.iter_modules(places))
    return [f"{NAMESPACE}.{name}" for name in found if name not in NO_ENVIRONMENT_MODULES]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _site_folders() -> list[str]:
    paths = sysconfig.get_paths()
    return [paths.get("purelib", ""), paths.get("platlib", ""), *site.getsitepackages()]
