"""`data`: data sets that are known and installed, checked, downloaded; tables that others published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson, Data

data_commands = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Data sets: list, check and get them; tables."
)


@data_commands.command(name="list")
def data_list(as_json: AsJson = False) -> None:
    """List every data set that is known, bundled ones too: source, licence, size, where it is installed."""
    from webbench.tui.headless.data_sets import list_data

    raise typer.Exit(list_data(as_json=as_json))


@data_commands.command(name="check")
def data_check(
    path: Annotated[Path, typer.Argument(help="File or folder of a benchmark's data.")],
    as_json: AsJson = False,
) -> None:
    """Recognise a benchmark's data by what the files hold, and tell everything that is wrong, with its line.

    Exit 0 when there is nothing but notes, 1 when there are warnings or errors, 4 when no benchmark knows it.
    """
    from webbench.tui.headless.data_sets import check

    raise typer.Exit(check(path, as_json=as_json))


@data_commands.command(name="get")
def data_get(
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
    from webbench.tui.headless.data_sets import get

    raise typer.Exit(get(name, folder=data, again=again, as_json=as_json))


@data_commands.command(name="tables")
def data_tables(
    name: Annotated[
        str, typer.Argument(help="Table, e.g. human_assessment or webarena/human_assessment.")
    ] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List the tables that others published about a benchmark, or print one."""
    from webbench.tui.headless.tables import TableRequest, print_tables

    request = TableRequest(name=name, data=data, as_csv=as_csv)
    raise typer.Exit(print_tables(request, as_json=as_json))
