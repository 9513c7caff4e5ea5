"""`webbench-tui webcanvas …`: keeping tasks on live sites up to date, and recording new ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson, EpisodeName, OnlyTasks, StorePath

webcanvas_commands = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Tasks with key nodes on live sites: check whether they still hold, record new ones.",
)

TasksFile = Annotated[
    Path | None,
    typer.Option("--tasks", help="Task file in Mind2Web-Live's format; the bundled tasks if not given."),
]


@webcanvas_commands.command(name="check")
def check_workflows(
    task: OnlyTasks = None,
    episode: Annotated[
        list[str] | None,
        typer.Option("--episode", help="Check this recorded episode; may be repeated."),
    ] = None,
    tasks: TasksFile = None,
    site_version: Annotated[
        int, typer.Option("--site-version", help="Version of the bundled sites to check against: 1 or 2.")
    ] = 1,
    report: Annotated[
        Path | None,
        typer.Option("--report", help="Write an HTML file with pictures of the pages then and now."),
    ] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Go recorded ways again on the live sites, and tell which steps and key nodes no longer hold.

    What is checked: the episodes that are named; else for each task the best complete episode of a person
    in the store, or the reference list that a bundled task comes with. Each change of a site is told once,
    with every task and step that meets it.

    Exit 0 when everything holds, 1 when something changed or a workflow could not be gone, 2 for a wrong
    call, 3 without a browser, 4 for a task file that can't be read.
    """
    from webbench.tui.headless.webcanvas_check import CheckRequest, run_check

    request = CheckRequest(
        tasks=tuple(task or ()),
        episodes=tuple(episode or ()),
        file=tasks,
        site_version=site_version,
        report=report,
        store=store,
    )
    raise typer.Exit(run_check(request, as_json=as_json))


@webcanvas_commands.command(name="record")
def record_task(
    episode: EpisodeName,
    node: Annotated[
        list[str] | None,
        typer.Option(
            "--node",
            help="Step that is a key node: 3, or 3.2 for its second choice, or 3.2=TEXT with another "
            "reference; may be repeated.",
        ),
    ] = None,
    index: Annotated[str, typer.Option("--index", help="Name of the new task.")] = "",
    text: Annotated[str, typer.Option("--text", help="What the new task asks for.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="Task file; a task of the same name in it is replaced.")
    ] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Make a task of a recorded episode: mark key nodes, try them on the recording, write them down.

    Without --node the steps are listed with what each could be, the most advisable choice first. With
    --node each is tried on the recording; with --out the task is added to the file as well, unless its own
    recording doesn't solve it.

    `webbench-tui step webcanvas https://SITE/` demonstrates a task that is not there yet.

    Exit 0 ok, 1 when a key node doesn't hold on the recording, 2 for a wrong call or a task that its
    recording doesn't solve, 4 for a file that holds something else.
    """
    from webbench.tui.headless.webcanvas_record import RecordRequest, run_record

    request = RecordRequest(
        episode=episode, nodes=tuple(node or ()), index=index, text=text, out=out, store=store
    )
    raise typer.Exit(run_record(request, as_json=as_json))
