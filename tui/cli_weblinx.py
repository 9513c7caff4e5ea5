"""`weblinx`: what only this benchmark offers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson, StorePath

weblinx_commands = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="WebLINX: write demonstrations in its format."
)


@weblinx_commands.callback()
def weblinx() -> None:
    """Keep `export` a command of its own, as there is only one."""


@weblinx_commands.command()
def export(
    episode: Annotated[str, typer.Argument(help="Recorded episode of any benchmark, or a unique prefix.")],
    out: Annotated[Path, typer.Option("--out", help="Folder to make; its name becomes the demonstration's.")],
    rename: Annotated[
        list[str] | None,
        typer.Option("--rename", help="FROM=TO in addresses and pages; may be repeated."),
    ] = None,
    small_pictures: Annotated[
        bool, typer.Option("--small-pictures", help="Screenshots at half size, in few colours.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Write a recorded episode as a demonstration folder: replay, boxes, pages, screenshots.

    Notes that begin with "instructor:" become the instructor's turns. Exit 0 when every step became a turn,
    1 when some have none in WebLINX (the output says which).
    """
    from webbench.tui.headless.weblinx import export_demonstration

    code = export_demonstration(
        episode, out, rename=rename or (), small_pictures=small_pictures, store=store, as_json=as_json
    )
    raise typer.Exit(code)
