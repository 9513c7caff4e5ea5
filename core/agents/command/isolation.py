"""What a program that is an agent gets from us: a few variables, and if it is isolated, a part of the disk.

Its isolation is bubblewrap's: what holds reference answers isn't there for it, nor are other processes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from webbench.core.benchmark.benchmark import Benchmark, data_of
from webbench.core.errors import UsageError
from webbench.core.own_python import safe_entries
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS, BUNDLES
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import (
    benchmark_data,
    cache_folder,
    config_folder,
    data_folder,
    state_folder,
)
from webbench.core.text.addresses import secrets_in

ALLOWED = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "LANGUAGE",
        "TERM",
        "TZ",
        "TMPDIR",
        "LD_LIBRARY_PATH",
    }
    | {"VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_EXE", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    | {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "PYTHONUNBUFFERED", "PYTHONIOENCODING"}
)
"""Variables that every agent is given; and those that begin with LC_."""
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
"""Given in either spelling where no login stands in them."""
PROGRAM = "bwrap"
POWERLESS = ("--cap-drop", "ALL")
"""Root would keep what it needs to mount everything anew, writable."""
TRIAL_SECONDS = 10.0
TEMPORARY = "/dev/shm"  # noqa: S108 - one of its own, in memory
"""The isolated program's folder for temporary files."""

NOT_ISOLATED = "the agent's program ran as the same user as webbench-tui: it could have read the answers"
ISOLATED = (
    "the agent's program was isolated by bubblewrap: the store, the benchmarks' data and other processes "
    "were hidden from it, the network was not"
)


def environment(named: Iterable[str] = (), given: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of an agent's program: those that are allowed, and those that somebody named for it.

    Of PYTHONPATH the absolute entries.
    """
    whole = os.environ if given is None else given
    wanted = set(named)
    kept = {
        name: value
        for name, value in whole.items()
        if name in ALLOWED or name.startswith("LC_") or name in wanted or _is_open_proxy(name, value)
    }
    if "PYTHONPATH" not in wanted and (folders := safe_entries(whole.get("PYTHONPATH", ""))):
        kept["PYTHONPATH"] = os.pathsep.join(folders)
    return kept


def _is_open_proxy(name: str, value: str) -> bool:
    return name.upper() in PROXIES and not secrets_in(value) and "@" not in value


def isolated(program: Sequence[str], hidden: Iterable[Path]) -> list[str]:
    """The command line of a program that doesn't see what lies in the `hidden` folders.

    It sees everything else, can write only below its working folder, and has the network.

    Raises `UsageError` where there is no bubblewrap, where it can't be used, and where the working folder
    itself would be hidden.
    """
    require_isolation()
    here = Path.cwd()
    folders = {one.resolve() for one in hidden if one.is_dir()}
    if holders := folders.intersection((here, *here.parents)):
        raise UsageError(
            f"The working folder {here} would be hidden from the agent: {min(holders)} may hold answers",
            "call webbench-tui in another folder, such as the agent's own",
        )
    words = [PROGRAM, "--die-with-parent", *POWERLESS, "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    words += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--setenv", "TMPDIR", TEMPORARY]
    words += ["--bind", str(here), str(here)]
    for folder in sorted(folders):
        if folders.isdisjoint(folder.parents):
            words += ["--tmpfs", str(folder)]
    return [*words, "--chdir", str(here), "--", *program]


def confined(program: Sequence[str], folder: Path, *, network: bool) -> list[str]:
    """The command line of a program that can write in `folder` alone, and without `network` reaches nobody.

    It reads what its user reads, and its processes stay those of the machine, so that what it leaves behind
    can be found. It has a /dev of its own, in memory, without the machine's devices, and a /proc that the
    sandbox of a browser can write in. A socket that another program holds in the file system, such as
    docker's, it reaches all the same. Only where `cannot_confine` says nothing.
    """
    words = [PROGRAM, "--die-with-parent", *POWERLESS, "--ro-bind", "/", "/", "--dev", "/dev"]
    words += ["--proc", "/proc", *([] if network else ["--unshare-net"])]
    return [*words, "--bind", str(folder), str(folder), "--", *program]


def require_isolation() -> None:
    """Raises `UsageError` where nothing can be isolated on this machine."""
    if trouble := cannot_isolate():
        raise UsageError(
            f"The agent can't be isolated: {trouble}", "install bubblewrap, or leave out --isolate"
        )


@cache
def cannot_isolate() -> str:
    """Why no program can be isolated on this machine, "" where one can."""
    words = [PROGRAM, *POWERLESS, "--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--dev", "/dev"]
    return _trouble([*words, "true"])


@cache
def cannot_confine(*, network: bool) -> str:
    """Why no program can be `confined` so on this machine, "" where one can.

    Where programs can be isolated the kernel may still refuse a network of their own.
    """
    return _trouble(confined(["true"], Path(tempfile.gettempdir()).resolve(), network=network))


def _trouble(trial: Sequence[str]) -> str:
    """Why this call of bubblewrap does not work, "" where it does."""
    if shutil.which(PROGRAM) is None:
        return f"there is no {PROGRAM} on the path"
    try:
        done = subprocess.run(trial, capture_output=True, timeout=TRIAL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{PROGRAM} does not start: {error}"
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return (
        "" if done.returncode == 0 else f"{PROGRAM} is not allowed here: {(said or ['no reason told'])[-1]}"
    )


def with_answers(benchmark: Benchmark | None, store: Path | None) -> list[Path]:
    """The folders of this machine in which reference answers, keys or ways to other episodes may lie."""
    named = benchmark.name if benchmark is not None else ""
    data = (data_of(benchmark), load_settings().data_folder(named), benchmark_data(named))
    own = (data_folder(), cache_folder(), state_folder(), config_folder(), load_settings().store_folder())
    return [*own, *_packages(), *(Path(one) for one in (*data, store) if one is not None)]


def _packages() -> list[Path]:
    """Of every benchmark and every bundle of tasks: their data may lie beside the code."""
    modules = {one.module for group in (BENCHMARKS, BUNDLES) for one in entry_points.claims(group)}
    found = [find_spec(module) for module in modules]
    return [Path(one.origin).parent for one in found if one is not None and one.origin]
