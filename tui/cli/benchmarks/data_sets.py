"""`data list`, `data check` and `data get`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.benchmark.bundle import bundles_of
from webbench.core.datasets.checking import DataReport, Finding, check_data
from webbench.core.datasets.data_family import DataFamily, DataSet, data_families
from webbench.core.datasets.installed_data import installed
from webbench.core.datasets.installing import get_data
from webbench.core.engine import catalogue
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.core.settings import locations
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson
from webbench.tui.cli.output import print_json, print_line, print_table, say, wrapped
from webbench.tui.cli.place import data_folder

SCHEMA_VERSION = 1
TOLD_EVERY = 1.0
"""Seconds between two words about a download."""


def data_list_command(as_json: AsJson = False) -> None:
    """List every data set that is known, bundled ones too: source, licence, size, where it is installed."""
    raise typer.Exit(list_data(as_json=as_json))


def data_check_command(
    path: Annotated[Path, typer.Argument(help="File or folder of a benchmark's data.")],
    as_json: AsJson = False,
) -> None:
    """Recognise a benchmark's data by what the files hold, and tell everything that is wrong, with its line.

    Exit 0 when there is nothing but notes, 1 when there are warnings or errors, 4 when no benchmark knows it.
    """
    raise typer.Exit(check(path, as_json=as_json))


def data_get_command(
    name: Annotated[str, typer.Argument(help="Data set, as `data list` names it.")],
    data: Annotated[
        Path | None, typer.Option("--data", help="Folder to put it into; by default the platform's own.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Also where it is installed already.")] = False,
    as_json: AsJson = False,
) -> None:
    """Download a data set from its official source; without a network: say what to do instead.

    Bytes are verified where they were published with a checksum, and are put in place only when complete.
    Exit 3 when the source can't be reached, 4 when it gave something else.
    """
    raise typer.Exit(get(name, folder=data, again=again, as_json=as_json))


def list_data(*, as_json: bool) -> int:
    """Every known data set with its state, then the bundled ones; always 0."""
    families = {family.benchmark: family for family in data_families()}
    names = sorted({*families, *entry_points.load(BENCHMARKS)})
    benchmarks = [_benchmark(name, families.get(name)) for name in names]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "benchmarks": benchmarks})
        return 0
    rows = [
        (benchmark["benchmark"], one["name"], one["state"], _size(one["size"]), _licence(one), _where(one))
        for benchmark in benchmarks
        for one in benchmark["data_sets"]
    ]
    headers = ("benchmark", "data set", "state", "size", "licence", "where, or its source")
    print_table(headers, rows, numbers=(3,), flexible=(4, 5), optional=(4,))
    print_line()
    states = [(one["benchmark"], one["state"], one["detail"]) for one in benchmarks]
    print_table(("benchmark", "state", "detail"), states, flexible=(2,))
    if any(row[2] == "not installed" for row in rows):
        say("`webbench-tui data get NAME` downloads one from its source; `--json` tells more of each")
    return 0


def _benchmark(name: str, family: DataFamily | None) -> JsonObject:
    """A benchmark with its data sets, as `--json` prints it."""
    folder = _folder(name)
    status = catalogue.list_tasks(name).status
    sets = [_published(data_set, folder) for data_set in (family.known() if family else ())]
    sets += [
        {
            "name": bundle.name,
            "title": bundle.title,
            "state": "bundled",
            "licence": bundle.licence,
            "size": _bytes_in(bundle.data),
            "path": str(bundle.data),
        }
        for bundle in bundles_of(name)
    ]
    return {
        "benchmark": name,
        "state": status.state,
        "detail": status.detail,
        "folder": str(folder) if folder else None,
        "data_sets": sets,
    }


def _published(data_set: DataSet, folder: Path | None) -> JsonObject:
    found = installed(data_set, folder)
    return {
        "name": data_set.name,
        "title": data_set.title,
        "state": found.state,
        "licence": data_set.licence,
        "size": data_set.download,
        "path": str(found.path) if found.path else None,
        "source": data_set.source,
        "revision": data_set.revision,
        "note": data_set.note,
    }


def _folder(benchmark: str) -> Path | None:
    """Where the benchmark looks for its data: settings, variable, or what was downloaded."""
    return locations.benchmark_data(benchmark, data_folder(benchmark, None))


def _licence(data_set: JsonObject) -> str:
    return data_set["licence"] or "not stated"


def _where(data_set: JsonObject) -> str:
    return str(data_set["path"] or data_set["source"])


def _bytes_in(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _size(size: int) -> str:
    """ "860 kB", "" where it is not known."""
    if not size:
        return ""
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


def check(path: Path, *, as_json: bool) -> int:
    """What a path holds and what is wrong with it: 0 where there are notes at most, else 1.

    Raises `BadData` where there is nothing that a benchmark knows.
    """
    report = check_data(path.expanduser(), data_families())
    if as_json:
        counts = {severity: report.counts[severity] for severity in ("error", "warning", "note")}
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "path": report.path,
                "clean": report.clean,
                "counts": counts,
                "problems": report.problems,
                "found": report.found,
                "ignored": report.ignored,
            }
        )
    else:
        _print_report(report)
    return 0 if report.clean else 1


def _print_report(report: DataReport) -> None:
    rows = [(problem.severity, problem.where, problem.message) for problem in report.all_problems]
    if rows:
        print_table(("severity", "where", "problem"), rows, flexible=(1, 2), whole=True)
        print_line()
    for one in report.found:
        print_line(wrapped(_finding_line(one)))
    if report.ignored:
        print_line(
            wrapped(
                f"left alone, because no benchmark knows them: {counted(len(report.ignored), 'other file')}"
            )
        )


def _finding_line(one: Finding) -> str:
    published = f", as published in {one.data_set}" if one.data_set else ""
    files = f" in {counted(len(one.files), 'file')}" if len(one.files) > 1 else ""
    told = ", ".join(
        counted(count, severity)
        for severity in ("error", "warning", "note")
        if (count := sum(problem.severity == severity for problem in one.problems))
    )
    usable = f"{one.tasks:,} can be used, {told or 'clean'}" if one.tasks or told else "clean"
    return f"{one.benchmark}, {one.form}{published}: {one.where}{files}: {usable}"


def get(name: str, *, folder: Path | None, again: bool, as_json: bool) -> int:
    """Download a data set.

    Raises:
        UsageError: there is none of this name, or it ships with the program.
        EnvironmentDown, BadData: it could not be got; what to do instead is told.
    """
    family, data_set = _found(name)
    target = folder.expanduser() if folder else locations.data_sets_folder() / family.benchmark
    here = installed(data_set, target)
    if here.state == "installed" and not again:
        say(f"{name} is installed in {target}; --again downloads it anew")
        put: list[Path] = []
    else:
        say(
            f"{data_set.title}; licence: {data_set.licence}" + (f"; {data_set.note}" if data_set.note else "")
        )
        put = get_data(data_set, target, _Progress())
    found = _usable(target, family)
    if as_json:
        files = [str(path) for path in put]
        head: JsonObject = {"schema_version": SCHEMA_VERSION, "name": name, "benchmark": family.benchmark}
        print_json(head | {"folder": str(target), "put": files, "found": found})
    else:
        for one in found:
            print_line(wrapped(_finding_line(one)))
    used = _folder(family.benchmark)
    if used != target:
        say(f"{family.benchmark} reads its data from {used}, as the settings say; --data {target} for these")
    return 0


def _found(name: str) -> tuple[DataFamily, DataSet]:
    families = data_families()
    known = {data_set.name: (family, data_set) for family in families for data_set in family.known()}
    if name in known:
        return known[name]
    bundled = {bundle.name for family in families for bundle in bundles_of(family.benchmark)}
    if name in bundled:
        raise UsageError(f"{name} ships with the program", "there is nothing to download")
    near = nearest_names(name, known)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise UsageError(
        f'There is no data set named "{plain_clip(name, 60)}"', f"{hint}known: {', '.join(known)}"
    )


def _usable(target: Path, family: DataFamily) -> Sequence[Finding]:
    """What the benchmark finds in the folder now."""
    try:
        return check_data(target, [family]).found
    except BadData:
        return ()


class _Progress:
    """How far a download is, on stderr, where somebody is there to read it."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def __call__(self, done: int, expected: int) -> None:
        now = time.monotonic()
        if now - self._told >= TOLD_EVERY and sys.stderr.isatty():
            self._told = now
            say(f"{_size(done)} of {_size(expected)}" if expected else _size(done))
