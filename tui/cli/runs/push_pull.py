"""`push` and `pull`: runs to and from a store that machines share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.runner.plan.declared_options import Option
from webbench.core.runner.plan.run_request import SHARE
from webbench.core.runner.sharing import Copied, pull, push
from webbench.core.store.called_runs import each_run
from webbench.core.store.shared import SharedStore
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_text, say
from webbench.tui.cli.place import open_store

SCHEMA_VERSION = 1


SharedAddress = Annotated[str, Option(argument=True, help=SHARE.help)]
Runs = Annotated[tuple[str, ...], Option(argument=True, help="Only these runs; all, if none is named.")]


def push_command(
    address: SharedAddress, runs: Runs = (), store: StorePath = None, as_json: AsJson = False
) -> None:
    """Copy runs to a shared store: what is not there yet. Nothing there is deleted.

    Names, tags, notes and the archive go along; what was deleted here is marked there. Labels, pools and
    subsets don't go along.

    Exit 1 when an episode could not be copied, 3 when the address can't be reached.
    """
    raise typer.Exit(push_runs(address, runs, store=store, as_json=as_json))


def pull_command(
    address: SharedAddress, runs: Runs = (), store: StorePath = None, as_json: AsJson = False
) -> None:
    """Copy runs from a shared store: what is not here yet, or had not ended when it was copied.

    Names, tags, notes and the archive come along. What was deleted, here or elsewhere, comes back only where
    its run is named.

    Exit 1 when an episode could not be copied, 3 when the address can't be reached.
    """
    raise typer.Exit(pull_runs(address, runs, store=store, as_json=as_json))


def push_runs(address: str, runs: tuple[str, ...], *, store: Path | None, as_json: bool) -> int:
    """Copy there; 1 where an episode could not be copied. Raises as `push` does."""
    opened = open_store(store)
    return _print_copied(push(opened, SharedStore(address), tuple(each_run(opened, runs))), as_json=as_json)


def pull_runs(address: str, runs: tuple[str, ...], *, store: Path | None, as_json: bool) -> int:
    """Copy here; 1 where an episode could not be copied. Raises as `pull` does."""
    return _print_copied(pull(open_store(store), SharedStore(address), runs), as_json=as_json)


def _print_copied(copied: Copied, *, as_json: bool) -> int:
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION} | msgspec.to_builtins(copied))
    else:
        print_text(f"{counted(copied.episodes, 'episode')} copied, of {counted(copied.runs, 'run')}")
    if copied.deleted:
        say(f"left deleted, and back only where it is named here: {', '.join(copied.deleted)}")
    if copied.deleted_elsewhere:
        say(f"deleted elsewhere, still here: {', '.join(copied.deleted_elsewhere)}")
    for reason in copied.left_out:
        say(f"left out: {reason}")
    return 1 if copied.left_out else 0
