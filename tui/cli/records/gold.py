"""`gold`: a person's episode kept as the reference of its task."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.recorded.gold_trajectory import SCHEMA_VERSION, GoldTrajectories
from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.options import AsJson, Note, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import chosen_annotator, find_episode, open_store


class GoldRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `gold` asks for."""

    episode: Annotated[
        str, Option(argument=True, help="A person's episode that solves its task; all are listed without.")
    ] = ""
    annotator: Annotated[
        str, Option(flag="--as", help="Who names it: a pseudonym; the setting `annotator` if not given.")
    ] = ""
    note: Note = ""
    withdraw: Annotated[bool, Option(help="It is the reference of its task no longer.")] = False
    store: StorePath = None


@asking(GoldRequest)
def gold_command(request: GoldRequest, as_json: AsJson = False) -> None:
    """Keep a person's episode as the gold trajectory of its task, take it back, or list all.

    It has to be a person's alone, to have ended, and to score 1 where it has a score. `compare EPISODE` holds
    an attempt against it; `show` and the result of an ended episode name it, and nothing does before the end.
    Another episode that is named for the task takes its place. Exit 0, 2 for one that can't be, 4 where the
    list can't be read.
    """
    raise typer.Exit(keep_gold(request, as_json=as_json))


def keep_gold(request: GoldRequest, *, as_json: bool) -> int:
    """Name, withdraw or list: 0, or 4 where lines of the list can't be read.

    Raises `UsageError` for an episode that can't be one, `BadData` where list or record can't be read.
    """
    store = open_store(request.store)
    golds = GoldTrajectories(store)
    if request.episode:
        trajectory = store.load(find_episode(store, request.episode))
        keep = golds.withdraw if request.withdraw else golds.name_gold
        kept = keep(trajectory, chosen_annotator(request.annotator), request.note)
        if as_json:
            print_json({"schema_version": SCHEMA_VERSION, "gold": kept})
        else:
            state = "is the reference no longer" if kept.withdrawn else "is the gold trajectory"
            print_text(f"{kept.name} {state} of {kept.benchmark} {kept.task}")
        return 0
    if request.withdraw or request.note:
        raise UsageError("Which episode?", "name it")
    found = sorted(golds.all().values(), key=lambda one: (one.benchmark, one.task))
    if as_json:
        told = [msgspec.to_builtins(one) | {"gone": not golds.is_here(one)} for one in found]
        print_json({"schema_version": SCHEMA_VERSION, "golds": told})
    else:
        rows = [
            (
                *(f"{one.benchmark} {one.task}", one.episode, one.run, one.by, one.at[:10], one.origin),
                one.note if golds.is_here(one) else "the record is gone",
            )
            for one in found
        ]
        headers = ("task", "episode", "run", "by", "on", "origin", "note")
        print_table(headers, rows, flexible=(0, 2, 6))
    for problem in golds.problems:
        say(problem)
    return 4 if golds.problems else 0
