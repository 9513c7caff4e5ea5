"""Checks of the installation: what is there, what is wrong, and how to mend it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from webbench.core.benchmark.benchmark import BenchmarkStatus, Severity
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.doctor.desktop_check import mouse_and_keyboard
from webbench.core.doctor.driver_check import check_drivers
from webbench.core.doctor.finding import Finding, State
from webbench.core.errors import WebbenchError
from webbench.core.own_python import INTERPRETER, unsafe_entries
from webbench.core.settings.locations import log_folder
from webbench.core.store.records.temporary import open_to_others
from webbench.core.text.plural import counted

OLDEST_PYTHON = (3, 11)
DISTRIBUTION = "webbench-tui"
LITTLE_SPACE = 1 << 30
NO_SPACE = 100 << 20
"""Bytes free in the store below which there is a warning, or a problem."""

START_SECONDS = 20.0
_VERSION = re.compile(r"\d+\.\d+\.\d+")
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


def chromium(browser: LaunchOptions = LaunchOptions(), *, start: bool = True) -> list[Finding]:
    """Whether a browser is there, of what kind, and whether it starts."""
    from webbench.core.browser.starting.find_chromium import INSTALL_HINT, chosen_chromium, is_headless_shell

    try:
        path = chosen_chromium(browser.executable, windowed=browser.windowed)
    except WebbenchError as error:
        return [Finding("Chromium", "problem", error.message, error.hint)]
    code, output = _run([str(path), "--version"])
    version = next((line.strip() for line in output.splitlines() if _VERSION.search(line)), "")
    if code != 0 or not version:
        detail = f"{path} tells no version: {output.strip()[:200]}"
        return [Finding("Chromium", "problem", detail, INSTALL_HINT)]
    kind = "headless shell, without windows" if is_headless_shell(path) else "whole browser"
    findings = [Finding("Chromium", "ok", f"{version} at {path}: {kind}")]
    return findings + ([_started(path)] if start else [])


def _started(path: Path) -> Finding:
    """A page read by a browser of our own, in a folder of its own."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="webbench-doctor-", ignore_cleanup_errors=True) as folder:
        command = [str(path), "--headless", "--disable-gpu", f"--user-data-dir={folder}", "--dump-dom"]
        if _is_root():
            command.append("--no-sandbox")
        code, output = _run([*command, "data:text/html,<p>ready</p>"], START_SECONDS)
    if code == 0 and "<p>ready</p>" in output:
        return Finding("Chromium starts", "ok", "a page was read")
    last = output.strip().splitlines()[-1][:200] if output.strip() else f"exit code {code}"
    return Finding(
        "Chromium starts",
        "problem",
        f"it showed no page: {last}",
        "install its libraries with `playwright install-deps chromium`, or choose another browser",
    )


def sandbox() -> list[Finding]:
    if _is_root():
        return [
            Finding(
                "sandbox",
                "warning",
                "off, because this is root and Chromium refuses to start with it",
                "open pages you do not trust as an ordinary user",
            )
        ]
    for name, blocked in (
        ("kernel/unprivileged_userns_clone", "0"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1"),
        ("user/max_user_namespaces", "0"),
    ):
        if _text(Path("/proc/sys") / name) == blocked:
            mend = f"sysctl {name.replace('/', '.')}={1 - min(int(blocked), 1)}, or Chromium's setuid sandbox"
            return [Finding("sandbox", "warning", f"{name} is {blocked}: Chromium may not start", mend)]
    return [Finding("sandbox", "ok", "user namespaces are allowed")]


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
    missing = [script for script, pattern in _SCRIPTS.items() if not _run(["fc-list", pattern])[1].strip()]
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
        mend = get if status.state == "needs data" else "start its sites"
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


def _run(command: list[str], timeout: float = 10.0) -> tuple[int, str]:
    """Exit code and what was written; a program that hangs is ended with all it started."""
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return -1, f"no answer within {timeout:.0f} s"
            return process.returncode, output.decode("utf-8", "replace")
    except OSError as error:
        return -1, error.strerror or str(error)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
