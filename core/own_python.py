"""Python processes that we start, and our own search path: neither has the working folder on it.

That folder may be somebody's download. Python puts it first on the path of `python -m` and `python -c`, and
wherever PYTHONPATH has an empty or relative entry. This is the only place that names `sys.executable`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

INTERPRETER = sys.executable
"""The Python that runs us."""

NOWHERE = "/"
"""The working folder of children that read and write no file of the user's."""

_BOOT = """\
import sys
sys.path[:] = [entry for entry in sys.path if entry]
sys.path.append(sys.argv.pop(1))
from importlib import import_module
module = import_module(sys.argv.pop(1))
sys.path.pop()
module.main()
"""
"""The working folder is off the path, where `-c` puts it. Ours is on it until our own modules are there."""

_LEFT_OUT = ("PYTHONPATH", "PYTHONSTARTUP", "PYTHONINSPECT")


def module_command(module: str, *words: str) -> list[str]:
    """A module run as a program; `-P` keeps the working folder off its path."""
    return [INTERPRETER, "-P", "-m", module, *words]


def script_command(script: str, *words: str) -> list[str]:
    """A file of ours run with the standard library alone, whatever the environment says."""
    return [INTERPRETER, "-I", "-S", script, *words]


def foreign_command(python: str, module: str, *words: str) -> tuple[str, ...]:
    """`main` of a module of ours, run by an interpreter that finds packages of its own before ours."""
    return (python, "-u", "-c", _BOOT, _own_folder(), module, *words)


def child_environment(base: Mapping[str, str] | None = None, /, **variables: str) -> dict[str, str]:
    """The environment of a Python child: `base`, or ours, with more variables.

    Only the absolute entries of PYTHONPATH are left; PYTHONSTARTUP and PYTHONINSPECT are left out.
    """
    given = os.environ if base is None else base
    kept = {name: value for name, value in given.items() if name not in _LEFT_OUT}
    folders = safe_entries(given.get("PYTHONPATH", ""))
    return {**kept, **({"PYTHONPATH": os.pathsep.join(folders)} if folders else {}), **variables}


def safe_entries(search_path: str) -> list[str]:
    """Of a PYTHONPATH, the absolute folders, and the relative ones that we ourselves were loaded from."""
    ours = _own_folder()
    entries = search_path.split(os.pathsep) if search_path else []
    kept = [one for one in entries if Path(one).is_absolute() or str(Path(one).absolute()) == ours]
    return [str(Path(one).absolute()) for one in kept]


def unsafe_entries(search_path: str) -> list[str]:
    """The entries of a PYTHONPATH that `safe_entries` leaves out, as they are written."""
    kept = safe_entries(search_path)
    entries = search_path.split(os.pathsep) if search_path else []
    return [one for one in entries if str(Path(one).absolute()) not in kept]


def leave_working_folder_out() -> None:
    """Take the working folder, and relative entries of PYTHONPATH, off our own search path.

    An absolute entry of PYTHONPATH stays, also where it names the working folder: somebody wrote it.
    """
    given = os.environ.get("PYTHONPATH", "")
    refused = {str(Path(entry).absolute()) for entry in unsafe_entries(given)}
    kept = set(safe_entries(given))
    here = os.getcwd()  # noqa: PTH109 - a text, as on the path
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", here):
        refused.add(here)
    refused -= kept | {_own_folder()}
    sys.path[:] = [entry for entry in sys.path if entry and entry not in refused]


def _own_folder() -> str:
    """The folder on the search path that holds our package."""
    return str(Path(__file__).absolute().parents[2])
