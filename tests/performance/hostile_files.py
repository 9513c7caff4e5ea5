"""How much memory an import of large and hostile files takes: each in a process of its own, dry.

Printed is the peak of resident memory above that of an import of nothing. `main()` names what was missed.
"""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

MOST = 500
"""MiB above an import of nothing; one object of 64 MiB as text, as bytes and decoded is the most there is."""
SLOWEST = 30.0
"""Seconds for one file."""
HEAD = '[{"task_id": 1, "intent": "a", "source": "m", "trajectory": [{"url": "u", "axtree": "%s"}]}'
QUERY = '{"confirmed_task": "a", "annotation_id": "b", "cleaned_html": "%s"}'
_MEGABYTE = 1 << 20


def _sparse(folder: Path) -> None:
    with (folder / "traces.json").open("wb") as file:
        file.write((HEAD % "").encode())
        file.truncate(2 << 30)


def _one_line(folder: Path) -> None:
    with (folder / "queries.jsonl").open("wb") as file:
        file.write((QUERY % "").encode() + b"\n")
        file.truncate(2 << 30)


def _long_line(folder: Path) -> None:
    (folder / "queries.jsonl").write_text(QUERY % ("x" * (20 * _MEGABYTE)))


def _packed_zeros(folder: Path) -> None:
    with gzip.open(folder / "queries.jsonl", "wb") as file:
        file.write((QUERY % "").encode() + b"\n")
        _zeros(file, 1024)


def _bomb(folder: Path) -> None:
    archive = zipfile.ZipFile(folder / "trace.zip", "w", zipfile.ZIP_DEFLATED)
    with archive, archive.open("trace.trace", "w") as file:
        _zeros(file, 1024)


def _long_list(folder: Path) -> None:
    episode = json.dumps(json.loads((HEAD % ("[1] link 'a'\\n" * 50)) + "]")[0])
    with (folder / "traces.json").open("w") as file:
        file.write("[" + episode)
        for _ in range(30_000):
            file.write(",\n" + episode)
        file.write("]")


def _many_values(folder: Path) -> None:
    (folder / "x.replay.json").write_text('{"type": 1, "data": [' + "[]," * (30 * _MEGABYTE) + "[]]}")


def _many_values_in_a_line(folder: Path) -> None:
    (folder / "queries.jsonl").write_text((QUERY % "")[:-1] + ', "a": [' + "[]," * (20 * _MEGABYTE) + "[]]}")


def _many_values_in_a_list(folder: Path) -> None:
    (folder / "traces.json").write_text((HEAD % "") + ', {"a": [' + "[]," * (20 * _MEGABYTE) + "[]]}]")


def _large_object(folder: Path) -> None:
    with (folder / "traces.json").open("w") as file:
        file.write("[" + (HEAD[1:] % ("x" * (90 * _MEGABYTE))) + "]")


def _zeros(file: IO[bytes] | gzip.GzipFile, megabytes: int) -> None:
    piece = bytes(_MEGABYTE)
    for _ in range(megabytes):
        file.write(piece)


CASES: dict[str, Callable[[Path], None]] = {
    "nothing": lambda folder: None,
    "2 GB of a list, sparse": _sparse,
    "2 GB in one line, sparse": _one_line,
    "a line of 20 MB": _long_line,
    "1 GB of zeros in gzip": _packed_zeros,
    "1 GB of zeros in zip": _bomb,
    "a list of 30,000 episodes": _long_list,
    "90 MB of empty lists": _many_values,
    "60 MB of them in a line": _many_values_in_a_line,
    "60 MB of them in a list": _many_values_in_a_list,
    "an object of 90 MB": _large_object,
}


def main() -> list[str]:
    """What took more memory or time than it may."""
    missed: list[str] = []
    least = 0.0
    for name, write in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder))
            peak, seconds, told = _measured(Path(folder))
        least = least or peak
        print(f"{name:28} {peak - least:7.0f} MiB  {seconds:6.1f} s  {told[:110]}")
        if peak - least > MOST:
            missed.append(f"{name}: {peak - least:.0f} MiB, at most {MOST}")
        if seconds > SLOWEST:
            missed.append(f"{name}: {seconds:.0f} s, at most {SLOWEST:.0f}")
    return missed


def _measured(folder: Path) -> tuple[float, float, str]:
    """Peak in MiB, seconds, and what became of the files."""
    started = time.monotonic()
    child = [sys.executable, "-m", "tests.performance.hostile_files", str(folder)]
    done = subprocess.run(child, capture_output=True, text=True, check=True)
    peak, _, told = done.stdout.strip().partition(" ")
    return float(peak), time.monotonic() - started, told


def _import(folder: Path) -> None:
    from webbench.core.exchange.import_format import known_formats
    from webbench.core.exchange.importing import bring_in

    told = [
        f"{one.state} {one.episodes} {(one.why or ' '.join(one.lost)).replace(f'{folder}/', '')}"
        for one in bring_in(folder, known_formats(), None)
    ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{peak} {'; '.join(told)}")


if __name__ == "__main__":
    _import(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
