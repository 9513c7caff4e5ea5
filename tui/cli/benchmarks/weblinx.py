"""`weblinx export` and `weblinx boxes`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from webbench.benchmarks.weblinx.exchange.exporter import export_episode
from webbench.benchmarks.weblinx.exchange.folder_writer import Exported
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, Data, Force, StorePath
from webbench.tui.cli.output import print_json, print_line, say
from webbench.tui.cli.place import find_episode, open_store

SCHEMA_VERSION = 1


def weblinx_export_command(
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
    code = export_demonstration(
        episode, out, rename=rename or (), small_pictures=small_pictures, store=store, as_json=as_json
    )
    raise typer.Exit(code)


def export_demonstration(
    episode: str, out: Path, *, rename: Sequence[str], small_pictures: bool, store: Path | None, as_json: bool
) -> int:
    """0 where every step became a turn, 1 where some have none.

    Raises `UsageError`, `BadData` and `EnvironmentDown` as `export_episode`.
    """
    opened = open_store(store)
    renames = [_pair(text) for text in rename]
    out = out.expanduser()
    found = export_episode(
        opened, find_episode(opened, episode), out, renames=renames, small_pictures=small_pictures
    )
    if as_json:
        print_json(_document(found, out))
    else:
        chats = sum(turn["type"] == "chat" for turn in found.turns)
        print_line(
            f"{out}: {counted(len(found.turns), 'turn')} ({chats} of them said), "
            f"{counted(len(found.states), 'page')}"
        )
        for line in found.left_out:
            say(f"left out: {line}")
    return 1 if found.left_out else 0


def _document(found: Exported, out: Path) -> dict[str, object]:
    return {
        "schema_version": SCHEMA_VERSION,
        "folder": str(out),
        "turns": len(found.turns),
        "chats": sum(turn["type"] == "chat" for turn in found.turns),
        "pages": len(found.states),
        "left_out": list(found.left_out),
    }


def _pair(text: str) -> tuple[str, str]:
    old, sign, new = text.partition("=")
    if not old or not sign:
        raise UsageError(
            f'"{text}" renames nothing', "write --rename http://127.0.0.1:8000=https://shop.example"
        )
    return old, new


def weblinx_boxes_command(
    episodes: Annotated[list[str], typer.Argument(help="Episodes of one demonstration, or unique prefixes.")],
    turn: Annotated[int, typer.Option(min=0, help="Number of the turn in the demonstration.")],
    out: Annotated[Path, typer.Option("--out", help="PNG to write.")],
    force: Force = False,
    data: Data = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Draw what was done in a turn and what several predicted into one picture of its page.

    Exit 0, or 1 where one of the episodes names no element in this turn.
    """
    from webbench.benchmarks.weblinx.benchmark import create
    from webbench.benchmarks.weblinx.environment import picture_of
    from webbench.benchmarks.weblinx.pages.box_picture import box_picture, boxes_of_turn
    from webbench.core.observation import Viewport

    opened = open_store(store)
    evidence: dict[str, JsonObject] = {}
    names = set()
    for episode in episodes:
        found = opened.load(find_episode(opened, episode))
        last = next((step.evidence for step in reversed(found.steps) if step.evidence), {})
        names.add(str(last.get("demonstration", "")))
        header = found.header
        evidence[f"{header.actor}, {header.run}/{header.episode}"] = last
    if len(names) != 1 or "" in names:
        raise UsageError("these are no episodes of one demonstration", "name predictions of the same one")
    course = create(data).course(names.pop())
    boxes = boxes_of_turn(evidence, turn)
    if turn >= len(course.turns) or not boxes:
        raise UsageError(f"nobody named an element in turn {turn}", "the trajectory's steps tell their turns")
    shown = course.turns[turn].shown
    width = (shown.viewport or Viewport()).width
    picture = picture_of(shown.screenshot, width) if shown.screenshot is not None else None
    if picture is None:
        raise UsageError(f"turn {turn} has no screenshot", "choose one with a page")
    out = out.expanduser()
    if out.exists() and not force:
        raise UsageError(f"{out} is there already", "name another file, or give --force")
    drawn = box_picture(picture, list(boxes.items()))
    try:
        out.write_bytes(drawn)
    except OSError as error:
        raise WebbenchError(f"{out} can't be written: {error.strerror or error}", "name another") from error
    without = [name for name in evidence if name not in boxes]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "file": str(out), "boxes": boxes, "without": without})
    else:
        print_line(str(out))
        for name in without:
            say(f"no element in turn {turn}: {name}")
    raise typer.Exit(1 if without else 0)
