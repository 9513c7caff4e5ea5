"""Asking all that a package plugs in whether it keeps its contract, each plug-in in a process of its own.

A plug-in is code of strangers: its process is bounded in time and in what it puts on the disk, and ended with
its whole group; whatever it starts and leaves behind is found by a mark in its surroundings, told, and ended.
Where bubblewrap works it writes in a folder of its own alone, and has no network unless it is given one.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec

from webbench.core.agents.command.isolation import cannot_confine, confined
from webbench.core.conformance.left_behind import MARK, marked_processes
from webbench.core.conformance.rule import Finding, Ledger, Rule
from webbench.core.errors import UsageError
from webbench.core.own_python import NOWHERE, child_environment, module_command
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import GROUPS
from webbench.core.text.nearest import suggestion
from webbench.core.text.plain_text import plain_clip

PREFIX = "webbench."
CHILD = "webbench.core.conformance.checked_process"
LARGEST_REPORT = 4 << 20
LARGEST_FOLDER = 1 << 30
"""Bytes that a plug-in's process may have on the disk at a time, in its folder for temporary files."""
LOOK_SECONDS = 0.5
LAST_WORDS = 300
LEAVING_SECONDS = 8.0
"""So long a browser may take to end behind the process that started it."""

USED = Rule(
    name="plugin-name",
    expected="no other package, and nothing built in, has the same name",
    why="of two with one name only one is used, and nobody sees which",
    contract="core/plugins/entry_points.py::claims",
)
ENDS = Rule(
    name="plugin-ends",
    expected="its process goes through all rules, and ends by itself",
    why="what hangs or dies takes the program with it",
    contract="docs/plug-ins.md",
)
LEAVES_NOTHING = Rule(
    name="plugin-leaves-nothing",
    expected="no process that it started goes on when it has ended",
    why="in a batch of a thousand episodes, that is a thousand processes",
    contract="core/benchmark/benchmark.py::Benchmark.stage",
)


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What the process of a plug-in can't go beyond, and what nobody keeps it from; a line each."""

    bounded: tuple[str, ...] = ()
    unbounded: tuple[str, ...] = ()


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """How a package is asked.

    Attributes:
        seed: of everything that is drawn.
        tasks: how many tasks of a benchmark are played.
        seconds: longest time for one plug-in.
        group: only the plug-ins of this group, without our prefix; "" for all.
        name: only the one of this name; "" for all.
        options: words that an agent is made with.
        network: a plug-in may reach other machines; without bubblewrap it may anyway.
    """

    seed: int = 0
    tasks: int = 2
    seconds: float = 600.0
    group: str = ""
    name: str = ""
    options: tuple[str, ...] = ()
    network: bool = False

    def bounds(self) -> Bounds:
        """What is bounded on this machine, and what is not."""
        time = f"time: {self.seconds:.0f} s for a plug-in, then it is ended with all that it started"
        most = f"{LARGEST_FOLDER >> 20} MiB"
        reading = "reading: it reads what you can read, keys in files and variables too"
        if trouble := cannot_confine(network=self.network):
            return Bounds(
                bounded=(time, f"disk: {most} in its folder for temporary files"),
                unbounded=(f"other files, and the network: {trouble}", "memory and processor", reading),
            )
        disk = f"disk: {most}, in a folder of its own; all other files are read-only for it"
        never = (
            "memory and processor, and files that it puts in its /dev, which are in memory",
            "other programs: it can end yours, and act by sockets in the file system, such as docker's",
            reading,
        )
        if self.network:
            return Bounds(bounded=(time, disk), unbounded=("the network, by --network", *never))
        return Bounds(
            bounded=(time, disk, "network: none but itself; --network leaves it open"), unbounded=never
        )


class Ordered(msgspec.Struct, frozen=True, kw_only=True):
    """What the process of one plug-in is told."""

    group: str
    name: str
    asking: Asking
    report: str
    """File that its findings are written to, one line of JSON each."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a package's check came to."""

    package: str
    version: str
    plugins: tuple[str, ...]
    findings: tuple[Finding, ...]
    bounds: Bounds = Bounds()

    @property
    def counts(self) -> dict[str, int]:
        """How many rules are in each state."""
        found = Counter(one.state for one in self.findings)
        return {state: found[state] for state in ("kept", "broken", "left out", "down")}

    @property
    def exit_code(self) -> int:
        """1 where a rule is broken, else 3 where something was down, else 0."""
        return 1 if self.counts["broken"] else 3 if self.counts["down"] else 0


def check_package(
    package: str, asking: Asking = Asking(), tell: Callable[[Finding], None] = lambda _: None
) -> Checked:
    """Ask every plug-in of the package.

    Args:
        tell: hears of each finding as soon as its plug-in is through.

    Raises `UsageError` for a package that plugs nothing in, or nothing of that group and name.
    """
    points = _points_of(package)
    asked = [
        point
        for point in points
        if asking.group in ("", short(point.group)) and asking.name in ("", point.name)
    ]
    if not asked:
        known = [f"{short(point.group)} {point.name}" for point in points]
        wanted = f"{asking.group} {asking.name}".strip()
        raise UsageError(
            f'{package} plugs in nothing of "{plain_clip(wanted, 60)}"', suggestion(wanted, known)
        )
    findings: list[Finding] = []
    for point in asked:
        for finding in _asked(point, asking):
            findings.append(finding)
            tell(finding)
    source = points[0].dist
    return Checked(
        package=source.name if source else package,
        version=source.version if source else "",
        plugins=tuple(f"{short(point.group)} {point.name}" for point in asked),
        findings=tuple(findings),
        bounds=asking.bounds(),
    )


def short(group: str) -> str:
    """The name of a group without our prefix."""
    return group.removeprefix(PREFIX)


def _points_of(package: str) -> list[EntryPoint]:
    """What the package plugs in, group by group. Raises `UsageError` where that is nothing."""
    by_package: dict[str, list[EntryPoint]] = {}
    for group in GROUPS:
        for point in entry_points.claims(group):
            name = point.dist.name if point.dist else point.module
            by_package.setdefault(_plain(name), []).append(point)
    if _plain(package) not in by_package:
        raise UsageError(
            f'No package "{plain_clip(package, 60)}" plugs anything in',
            f"{suggestion(_plain(package), sorted(by_package))}; is it installed where webbench-tui is?",
        )
    return by_package[_plain(package)]


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _asked(point: EntryPoint, asking: Asking) -> list[Finding]:
    """All findings on one plug-in."""
    found: list[Finding] = []
    ledger = Ledger(short(point.group), point.name, found.append)
    used = entry_points.installed(point.group)[point.name]
    if used != point:
        owner = used.dist.name if used.dist else used.value
        ledger.note(USED, "broken", f"{owner} has the same name, and is used")
        return found
    ledger.note(USED, "kept", point.name)
    mark = secrets.token_hex(8)
    with tempfile.TemporaryDirectory(prefix="webbench-check-", ignore_cleanup_errors=True) as folder:
        report = Path(folder) / "findings.jsonl"
        ordered = Ordered(group=ledger.group, name=point.name, asking=asking, report=str(report))
        how = _run(ordered, mark, Path(folder), asking.seconds)
        found += _read(report)
    left = _left(mark)
    for pid, _ in left:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    if how:
        found[:] = [one for one in found if one.rule != ENDS.name]
        ledger.note(ENDS, "broken", how)
    elif all(one.rule != ENDS.name for one in found):
        ledger.note(ENDS, "broken", "its process ended before it had gone through all rules")
    elif left:
        ledger.note(LEAVES_NOTHING, "broken", f"these go on: {', '.join(name for _, name in left)}")
    else:
        ledger.note(LEAVES_NOTHING, "kept", "nothing goes on")
    return found


def _left(mark: str) -> list[tuple[int, str]]:
    """The processes that go on, once a browser has had its time to end."""
    until = time.monotonic() + LEAVING_SECONDS
    while (left := marked_processes(mark)) and time.monotonic() < until:
        time.sleep(0.1)
    return left


def _run(ordered: Ordered, mark: str, folder: Path, seconds: float) -> str:
    """Run the plug-in's process to its end; why it came to no good end, or ""."""
    command = module_command(CHILD, msgspec.json.encode(ordered).decode())
    temporary = folder / "tmp"
    temporary.mkdir()
    own = {MARK: mark, "TMPDIR": str(temporary)}
    if not cannot_confine(network=ordered.asking.network):
        command = confined(command, folder, network=ordered.asking.network)
        own |= {f"XDG_{kind}_HOME": str(temporary / kind.lower()) for kind in ("CACHE", "STATE")}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=NOWHERE,
            env=child_environment(**own),
            start_new_session=True,
        )
        try:
            code, why = _waited(process, folder, seconds)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    words = plain_clip(_last_words(folder / "said"), LAST_WORDS)
    if code is None:
        return f"{why}; its last words: {words or 'none'}"
    if code:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"its process ended with {how}; its last words: {words or 'none'}"
    return ""


def _waited(process: subprocess.Popen[bytes], folder: Path, seconds: float) -> tuple[int | None, str]:
    """Its exit code; or None, and what was too much of it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(min(LOOK_SECONDS, max(0.01, until - time.monotonic()))), ""
        if _size(folder) > LARGEST_FOLDER:
            return None, f"it put more than {LARGEST_FOLDER >> 20} MiB on the disk"
    return None, f"it was not through after {seconds:.0f} s"


def _size(folder: Path) -> int:
    """Bytes on the disk of all that is in it; what goes meanwhile is none."""
    found = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                found += (Path(inside) / name).lstat().st_blocks * 512
    return found


def _last_words(file: Path) -> str:
    with file.open("rb") as said:
        said.seek(max(0, file.stat().st_size - 4 * LAST_WORDS))
        lines = said.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""


def _read(report: Path) -> Sequence[Finding]:
    """The findings that were written; a line that was torn is left out, as its end is told anyway."""
    found = []
    if report.is_file():
        with report.open("rb") as file:
            for line in file.read(LARGEST_REPORT).splitlines():
                with suppress(msgspec.DecodeError):
                    found.append(msgspec.json.decode(line, type=Finding))
    return found
