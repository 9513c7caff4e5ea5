"""Checks of the installation: what is there, what is wrong, and how to mend it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from webbench.core.benchmark.benchmark import BenchmarkStatus, Severity
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.doctor.browser_check import check_drivers, chromium, output_of, sandbox
from webbench.core.doctor.desktop_check import mouse_and_keyboard
from webbench.core.doctor.finding import Finding, State
from webbench.core.own_python import INTERPRETER, unsafe_entries
from webbench.core.settings.locations import log_folder
from webbench.core.store.records.temporary import open_to_others
from webbench.core.text.plural import counted

OLDEST_PYTHON = (3, 11)
DISTRIBUTION = "webbench-tui"
LITTLE_SPACE = 1 << 30
NO_SPACE = 100 << 20
"""Bytes free in the store below which there is a warning, or a problem."""

_SCRIPTS = {"Chinese": ":lang=zh-cn", "Japanese": ":lang=ja", "Korean": ":lang=ko", "emoji": ":charset=1f600"}


def examine(
    *,
    store: Path,
    benchmarks: Mapping[str, BenchmarkStatus] | None = None,
    data_problems: Mapping[str, Mapping[Severity, int]] | None = None,
    problems: tuple[str, ...] = (),
    broken: tuple[str, ...] = (),
    browser: LaunchOptions = LaunchOptions(),
    graphics: str = "",
    start_browser: bool = True,
) -> list[Finding]:
    """All checks, in the order in which a person would mend things; never raises.

    Args:
        store: folder of recorded trajectories.
        benchmarks: state of each installed benchmark, by name.
        data_problems: how many problems of each severity the data of a benchmark has.
        problems: what is wrong with the settings.
        broken: what is wrong with plug-ins.
        browser: how it is to be had; without an endpoint and a Chromium of its own, the one that is found.
        graphics: how pictures are drawn in this terminal, in words; "" where it was not asked.
        start_browser: also start it, which takes about a second.
    """
    checks: list[Callable[[], list[Finding]]] = [
        python,
        packages,
        lambda: chromium(browser, start=start_browser),
        lambda: check_drivers(browser),
        sandbox,
        display,
        lambda: desktop(browser, start=start_browser),
        lambda: terminal(graphics),
        fonts,
        lambda: store_folder(store),
        lambda: privacy(store),
        lambda: [Finding("settings", "warning", problem, "mend or remove it") for problem in problems],
        lambda: [Finding("plug-in", "warning", problem, "reinstall or remove it") for problem in broken],
        lambda: benchmark_data(benchmarks or {}, data_problems or {}),
    ]
    with ThreadPoolExecutor(len(checks)) as pool:
        return [finding for findings in pool.map(lambda check: check(), checks) for finding in findings]


def python() -> list[Finding]:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        return [Finding("Python", "problem", f"{found}; {wanted} or newer is needed", f"install {wanted}")]
    if unsafe := unsafe_entries(os.environ.get("PYTHONPATH", "")):
        told = ", ".join(entry or "an empty entry" for entry in unsafe)
        detail = f"{found} at {INTERPRETER}; PYTHONPATH has {told}: Python runs code of the working folder"
        return [Finding("Python", "warning", detail, "write only whole paths into PYTHONPATH")]
    return [Finding("Python", "ok", f"{found} at {INTERPRETER}")]


def packages(distribution: str = DISTRIBUTION) -> list[Finding]:
    """Whether every required package is installed in a version that will do."""
    from importlib import metadata

    from packaging.requirements import Requirement

    try:
        required = [Requirement(line) for line in metadata.requires(distribution) or []]
    except metadata.PackageNotFoundError:
        return [Finding("packages", "problem", f"{distribution} is not installed", "run `make setup`")]
    required = [one for one in required if one.marker is None or one.marker.evaluate({"extra": ""})]
    bad = []
    for one in required:
        try:
            installed = metadata.version(one.name)
        except metadata.PackageNotFoundError:
            bad.append(f"{one.name} is missing")
            continue
        if not satisfies(installed, str(one.specifier)):
            bad.append(f"{one.name} is {installed}, needed is {one.specifier}")
    if bad:
        return [Finding("packages", "problem", "; ".join(bad), "run `make setup`")]
    return [Finding("packages", "ok", f"{counted(len(required), 'requirement')} of {distribution} met")]


def satisfies(version: str, wanted: str) -> bool:
    """Whether a version meets conditions such as ">=8.2,<9"; a release candidate counts as its release."""
    from packaging.specifiers import SpecifierSet
    from packaging.version import InvalidVersion, Version

    try:
        return SpecifierSet(wanted).contains(Version(version).base_version)
    except InvalidVersion:
        return False


def display() -> list[Finding]:
    """Only a visible browser needs one."""
    named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return [Finding("display", "ok", named or "none: browsers run headless")]


def desktop(browser: LaunchOptions = LaunchOptions(), *, start: bool = True) -> list[Finding]:
    """Real mouse and keyboard; a problem only where they are asked for."""
    bad: State = "problem" if browser.input == "desktop" else "warning"
    return mouse_and_keyboard(browser.display, bad, start=start)


def terminal(graphics: str = "") -> list[Finding]:
    """What the variables of the terminal promise, and what it answered about graphics."""
    kind, colour = os.environ.get("TERM", ""), os.environ.get("COLORTERM", "")
    findings = []
    if kind in ("", "dumb"):
        detail = f"TERM is {kind or 'not set'}: no screens, only commands"
        findings.append(Finding("terminal", "warning", detail, "set TERM"))
    elif colour not in ("truecolor", "24bit"):
        mend = "set COLORTERM=truecolor if the terminal can show it"
        findings.append(Finding("terminal", "warning", f"{kind} without 24-bit colour", mend))
    else:
        findings.append(Finding("terminal", "ok", f"{kind}, {colour}"))
    named = (os.environ.get(variable, "") for variable in ("LC_ALL", "LC_CTYPE", "LANG"))
    if "utf" not in next(filter(None, named), "").lower():
        mend = "set LANG=C.UTF-8, or the setting ascii"
        findings.append(Finding("locale", "warning", "not UTF-8: signs may be garbled", mend))
    if graphics:
        findings.append(Finding("terminal graphics", "ok", graphics))
    return findings


def fonts() -> list[Finding]:
    """Without them, pages in those scripts are boxes in the screenshots."""
    if not shutil.which("fc-list"):
        detail = "fc-list is not installed, so nothing is known"
        return [Finding("fonts", "warning", detail, "install fontconfig")]
    missing = [
        script for script, pattern in _SCRIPTS.items() if not output_of(["fc-list", pattern])[1].strip()
    ]
    if missing:
        mend = "install fonts-noto-cjk and fonts-noto-color-emoji, or the like"
        return [Finding("fonts", "warning", f"none for {', '.join(missing)}: boxes in screenshots", mend)]
    return [Finding("fonts", "ok", "Chinese, Japanese, Korean and emoji")]


def store_folder(store: Path) -> list[Finding]:
    """Whether the store, or the place where it will be made, can be written and has room."""
    exists = store.is_dir()
    place = store if exists else next(folder for folder in store.absolute().parents if folder.exists())
    trouble = _unwritable(place)
    if trouble:
        mend = "choose another one with --store or WEBBENCH_STORE"
        return [Finding("store", "problem", f"{store} can't be written: {trouble}", mend)]
    free = shutil.disk_usage(place).free
    detail = f"{store}{'' if exists else ' (made when needed)'}, {free / (1 << 30):.1f} GiB free"
    if free < LITTLE_SPACE:
        return [Finding("store", "problem" if free < NO_SPACE else "warning", detail, "free some space")]
    return [Finding("store", "ok", detail)]


def privacy(store: Path) -> list[Finding]:
    """Whether other users can read what is recorded and logged: pages, prompts, answers."""
    found = [str(folder) for folder in (store, log_folder()) if open_to_others(folder)]
    if not found:
        return []
    mend = f"run `chmod 700 {' '.join(found)}`, unless it is shared on purpose"
    return [Finding("privacy", "warning", f"other users can read {' and '.join(found)}", mend)]


def _unwritable(folder: Path) -> str:
    import tempfile

    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"webbench")
    except OSError as error:
        return error.strerror or str(error)
    return ""


def benchmark_data(
    benchmarks: Mapping[str, BenchmarkStatus], problems: Mapping[str, Mapping[Severity, int]]
) -> list[Finding]:
    findings = []
    for name, status in sorted(benchmarks.items()):
        if status.state == "ready":
            findings.append(_ready_data(name, status, problems.get(name, {})))
            continue
        variable = "WEBBENCH_DATA_" + re.sub(r"[^A-Z0-9]", "_", name.upper())
        get = f"`webbench-tui data list` names its data sets; set data.{name}, {variable} or --data"
        mend = status.mend or (get if status.state == "needs data" else "start its sites")
        detail = f"{status.state}: {status.detail}" if status.detail else status.state
        findings.append(Finding(f"data of {name}", "warning", detail, mend))
    return findings


def _ready_data(name: str, status: BenchmarkStatus, problems: Mapping[Severity, int]) -> Finding:
    told = ", ".join(counted(count, severity) for severity, count in sorted(problems.items()) if count)
    detail = f"{status.detail or 'ready'}; in it {told}" if told else status.detail or "ready"
    if problems.get("error"):
        look = f"`webbench-tui tasks {name} --problems` lists them"
        return Finding(f"data of {name}", "warning", detail, look)
    return Finding(f"data of {name}", "ok", detail)
