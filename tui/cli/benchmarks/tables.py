"""`data tables`: what others published about a benchmark, as text, JSON or CSV."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from webbench.core.benchmark.installed import published_tables
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import TABLES
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip, plain_text
from webbench.tui.cli.options import AsCsv, AsJson, Data
from webbench.tui.cli.output import print_json, print_line, print_table
from webbench.tui.cli.place import data_folder

if TYPE_CHECKING:
    from pandas import DataFrame

SCHEMA_VERSION = 1
LARGEST_CELL = 120


class TableRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `data tables`; without a name the tables are listed."""

    name: str = ""
    data: Path | None = None
    as_csv: bool = False


def data_tables_command(
    name: Annotated[
        str, typer.Argument(help="Table, e.g. human_assessment or webarena/human_assessment.")
    ] = "",
    as_csv: AsCsv = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List the tables that others published about a benchmark, or print one."""
    request = TableRequest(name=name, data=data, as_csv=as_csv)
    raise typer.Exit(print_tables(request, as_json=as_json))


def print_tables(request: TableRequest, *, as_json: bool) -> int:
    """List the tables, or print one.

    Raises:
        UsageError: no such table, or two forms at once.
        BadData: its files are missing or damaged.
    """
    if as_json and request.as_csv:
        raise UsageError("--json and --csv can't both be printed", "choose one")
    known = _known(request.data)
    if not request.name:
        _print_list(list(known), as_json=as_json)
        return 0
    benchmark, name = _found(request.name, list(known))
    frame = _loaded(known[benchmark, name], f"{benchmark}/{name}")
    if request.as_csv:
        _print_csv(frame)
    elif as_json:
        head: JsonObject = {"schema_version": SCHEMA_VERSION, "benchmark": benchmark, "table": name}
        print_json(head | {"columns": list(frame.columns), "rows": _records(frame)})
    else:
        _print_text(frame)
    return 0


def _known(data: Path | None) -> dict[tuple[str, str], Callable[[], Any]]:
    """Loaders by benchmark and table."""
    return {
        (benchmark, name): load
        for benchmark in entry_points.load(TABLES)
        for name, load in published_tables(benchmark, data_folder(benchmark, data)).items()
    }


def _found(asked: str, known: list[tuple[str, str]]) -> tuple[str, str]:
    """The table of this name, which may go without its benchmark where no other has one like it."""
    fitting = [one for one in known if asked in (one[1], "/".join(one))]
    if len(fitting) == 1:
        return fitting[0]
    names = ["/".join(one) for one in (fitting or known)]
    near = names if fitting else nearest_names(asked, [*names, *(name for _, name in known)])
    told = "several tables" if fitting else "no table"
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names) or 'none'}"
    raise UsageError(f'There is {told} named "{plain_clip(asked, 60)}"', hint)


def _loaded(load: Callable[[], Any], name: str) -> DataFrame:
    try:
        frame: DataFrame = load()
    except (OSError, ValueError, KeyError) as error:
        raise BadData(f"The table {name} can't be loaded: {plain_clip(str(error), 200)}") from error
    return _with_plain_dates(frame)


def _with_plain_dates(frame: DataFrame) -> DataFrame:
    """Columns of days as texts like 2025-09-01; one in which some cell tells the hour is left as it is."""
    times = [name for name, dtype in frame.dtypes.items() if dtype.kind == "M"]
    days = [name for name in times if (frame[name].dropna() == frame[name].dropna().dt.normalize()).all()]
    return frame.assign(**{str(name): frame[name].dt.strftime("%Y-%m-%d") for name in days})


def _print_list(known: list[tuple[str, str]], *, as_json: bool) -> None:
    if as_json:
        rows = [{"benchmark": benchmark, "table": name} for benchmark, name in known]
        print_json({"schema_version": SCHEMA_VERSION, "tables": rows})
    else:
        print_table(("benchmark", "table"), known)


def _records(frame: DataFrame) -> list[JsonObject]:
    """Rows of plain JSON values; what is missing is null."""
    found: list[JsonObject] = json.loads(
        frame.to_json(orient="records", date_format="iso", double_precision=15)
    )
    return found


def _print_text(frame: DataFrame) -> None:
    headers = [str(column) for column in frame.columns]
    rows = [["" if cell is None else _cell(cell) for cell in row.values()] for row in _records(frame)]
    kinds = [dtype.kind for dtype in frame.dtypes]
    print_table(
        headers,
        rows,
        numbers=[index for index, kind in enumerate(kinds) if kind in "iuf"],
        flexible=[index for index, kind in enumerate(kinds) if kind not in "iufb"],
    )


def _cell(value: object) -> str:
    shown = f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return plain_clip(shown, LARGEST_CELL)


def _print_csv(frame: DataFrame) -> None:
    """As it is for a file or a program, harmless for a terminal."""
    text = frame.to_csv(index=False, lineterminator="\n").removesuffix("\n")
    if sys.stdout.isatty():
        for line in text.split("\n"):
            print_line(plain_text(line, limit=100_000))
    else:
        print_line(text)
