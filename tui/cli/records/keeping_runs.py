"""`runs rename`, `tag`, `note`, `archive`, `rm`, `restore` and `bin`: what becomes of recorded runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.bin import Bin
from webbench.core.store.called_runs import each_run, pool_runs, run_called
from webbench.core.store.pools import SIGN, pools, require_pool, save_pool
from webbench.core.store.run_notes import RunNotes, change_notes, tag_name
from webbench.core.store.store import Store
from webbench.core.text.plural import counted, megabytes
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_table, say
from webbench.tui.cli.place import open_store, told_command
from webbench.tui.terminal import at_terminal

SCHEMA_VERSION = 1
YES = ("y", "yes")

RunName = Annotated[str, Option(argument=True, help="A run: its name, or the beginning of it.")]
RunNames = Annotated[
    tuple[str, ...],
    Option(argument=True, help="Runs: names, or the beginning of each; @NAME: those of a pool."),
]


def runs_rename_command(
    run: RunName,
    name: Annotated[str, Option(argument=True, help="What to call it; '' takes the name away.")],
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Call a run something else in lists and commands; its folder and record stay as they are."""
    opened = open_store(store)
    _say_of(opened, [run_called(opened, run)], lambda notes: _with(notes, name=name), as_json=as_json)


def runs_tag_command(
    tag: Annotated[str, Option(argument=True, help="One word.")],
    runs: RunNames,
    remove: Annotated[bool, Option(help="Take the tag away.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Put a tag on runs, or take it away; `runs --tag TAG` and the filter `tag:TAG` find them."""
    opened, tag = open_store(store), tag_name(tag)

    def change(notes: RunNotes) -> RunNotes:
        others = tuple(one for one in notes.tags if one.casefold() != tag.casefold())
        return _with(notes, tags=others if remove else (*others, tag))

    _say_of(opened, each_run(opened, runs), change, as_json=as_json)


def runs_note_command(
    run: RunName,
    text: Annotated[str, Option(argument=True, help="What is to be known of it; '' takes the note away.")],
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Write a note on a run; earlier ones are kept in its folder."""
    opened = open_store(store)
    _say_of(opened, [run_called(opened, run)], lambda notes: _with(notes, note=text), as_json=as_json)


def runs_archive_command(
    runs: RunNames,
    back: Annotated[bool, Option(help="List them again.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Leave runs out of the list, or list them again; everything else still finds them."""
    opened = open_store(store)
    _say_of(opened, each_run(opened, runs), lambda one: _with(one, archived=not back), as_json=as_json)


def runs_pool_command(
    name: Annotated[str, Option(argument=True, help="Of the pool; none lists the pools there are.")] = "",
    runs: Annotated[tuple[str, ...], Option(argument=True, help="Runs of one agent.")] = (),
    remove: Annotated[bool, Option(help="Take the pool away; its runs stay.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Count runs of one agent as one actor, called @NAME in `stats`, `figures` and reports; or list pools.

    What its runs recorded of the same task are repeats of it, as with `run --repeats`.
    """
    opened = open_store(store)
    name = name.removeprefix(SIGN)
    if remove:
        require_pool(opened.root, name)
        save_pool(opened.root, name, ())
    elif name:
        pool_runs(opened, name, each_run(opened, runs))
    found = pools(opened.root)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "pools": found})
        return
    for pool, own in found.items():
        say(f"{SIGN}{pool}: {' '.join(own)}")
    if not found:
        say("The store has no pool")


def runs_rm_command(runs: RunNames, store: StorePath = None, as_json: AsJson = False) -> None:
    """Put runs into the store's bin, from which `runs restore` takes them back; nothing is lost.

    What they take up is free again once the bin is emptied, by `runs bin --empty`.
    """
    from webbench.core.runner.discarding import discard_runs

    opened = open_store(store)
    names = each_run(opened, runs)
    discard_runs(opened, names)
    space = _space(opened)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "binned": names, "bytes": space})
    else:
        back = told_command(["runs", "restore", *names], opened)
        say(f"{counted(len(names), 'run')} in the bin; back with: {back}")
        say(_space_words(space, told_command(["runs", "bin", "--empty"], opened)))


def runs_restore_command(
    runs: Annotated[tuple[str, ...], Option(argument=True, help="Runs of the bin.")],
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Take runs back out of the bin, as they were."""
    opened = open_store(store)
    names = [_in_the_bin(opened, text) for text in runs]
    for name in names:
        Bin(opened).restore(name)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "restored": names})
    else:
        say(f"{counted(len(names), 'run')} back")


def runs_bin_command(
    empty: Annotated[bool, Option(help="Delete what is in it for good; asks first.")] = False,
    yes: Annotated[bool, Option(help="With --empty: don't ask.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """List the runs in the bin and the space they take, or delete them for good.

    Pages and pictures that no other run needs go with them. Labels stay.
    """
    opened = open_store(store)
    found = Bin(opened).runs()
    if empty and found and not yes:
        _ask(f"Delete {counted(len(found), 'run')} for good?")
    space: int | None = Bin(opened).empty([one.run for one in found]) if empty else _space(opened)
    if as_json:
        key = "deleted" if empty else "runs"
        print_json({"schema_version": SCHEMA_VERSION, key: found, "bytes": space})
    elif empty:
        say(f"{counted(len(found), 'run')} deleted for good; {megabytes(space or 0)} are free again")
    elif not found:
        say("The bin is empty")
        if space:
            say(_space_words(space, told_command(["runs", "bin", "--empty"], opened)))
    else:
        rows = [
            (one.run, one.name, one.agent, one.episodes, one.binned[:16].replace("T", " "), one.problem)
            for one in found
        ]
        headers = ("run", "name", "agent", "episodes", "deleted (UTC)", "problem")
        print_table(headers, rows, numbers=(3,), flexible=(1, 2, 5), optional=(2,))
        say(_space_words(space, told_command(["runs", "bin", "--empty"], opened)))


def _space(store: Store) -> int | None:
    """Bytes that emptying the bin would give back; None where a damaged record leaves that open."""
    try:
        return Bin(store).space()
    except BadData as error:
        say(error.message)
        return None


def _space_words(space: int | None, command: str) -> str:
    return f"{'?' if space is None else megabytes(space)} are free once the bin is emptied: {command}"


def _with(notes: RunNotes, **changes: object) -> RunNotes:
    return msgspec.structs.replace(notes, **changes)


def _say_of(
    store: Store, runs: Sequence[str], change: Callable[[RunNotes], RunNotes], *, as_json: bool
) -> None:
    said = {run: change_notes(store.root, run, change, store.redaction) for run in runs}
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "runs": said})
        return
    for run, notes in said.items():
        words = [notes.name and f'"{notes.name}"', *notes.tags, notes.note, notes.archived and "archived"]
        say(f"{run}: {', '.join(str(word) for word in words if word) or 'nothing is said of it'}")


def _in_the_bin(store: Store, text: str) -> str:
    asked, wanted = text.strip().rstrip("/"), text.strip().casefold()
    there = Bin(store).runs()
    found = [one.run for one in there if one.run == asked]
    found = found or [one.run for one in there if one.name and one.name.casefold() == wanted]
    found = found or [one.run for one in there if asked and one.run.startswith(asked)]
    if len(found) != 1:
        told = f"{len(found)} runs in the bin are called" if found else "there is no run in the bin called"
        raise UsageError(f"{told} {text}", "`webbench-tui runs bin` lists what is there")
    return found[0]


def _ask(question: str) -> None:
    """Raises `UsageError` for any answer but yes, and where nobody can be asked."""
    if not at_terminal():
        raise UsageError(f"{question} Nobody is at a terminal to say so", "add --yes")
    if input(f"{question} [y/N] ").strip().lower() not in YES:
        raise UsageError("nothing was deleted", "answer y to empty the bin")
