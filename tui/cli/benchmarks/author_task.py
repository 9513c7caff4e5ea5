"""`webarena record`: a task of WebArena's form made of a demonstration, with a near miss that has to fail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.options import AsJson, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import find_episode, open_store, report_settings

if TYPE_CHECKING:
    from webbench.benchmarks.webarena.authored_task import Ending
    from webbench.core.store.store import Store

SCHEMA_VERSION = 1


class AuthorRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `webarena record` asks for."""

    what: Annotated[
        str, Option(argument=True, help="The demonstration: an episode; or an address to demonstrate at.")
    ]
    intent: Annotated[
        str, Option(help="What the task asks for, {{slots}} and all; by default what its episode was asked.")
    ] = ""
    values: Annotated[
        tuple[str, ...], Option(flag="--value", help="What stands in a slot: NAME=TEXT; may be repeated.")
    ] = ()
    answer: Annotated[
        tuple[str, ...], Option(help="A text that the answer has to have; may be repeated.")
    ] = ()
    address: Annotated[bool, Option(help="Check the address of the last page.")] = False
    shows: Annotated[
        tuple[str, ...], Option(help="A text that the last page has to show; may be repeated.")
    ] = ()
    near_miss: Annotated[
        tuple[str, ...], Option(help="An episode that comes close and has to fail; may be repeated.")
    ] = ()
    second: Annotated[
        tuple[str, ...], Option(help="A second annotator's episode, which has to succeed; may be repeated.")
    ] = ()
    number: Annotated[int, Option(flag="--id", least=0, help="The task's number.")] = 0
    out: Annotated[Path | None, Option(help="Task file; a task of the same number in it is replaced.")] = None
    store: StorePath = None


@asking(AuthorRequest)
def webarena_record_command(request: AuthorRequest, as_json: AsJson = False) -> None:
    """Make a WebArena task of a demonstration: pick checks, try them on recordings, write the task.

    An address opens the page to demonstrate on, as `step --url` does. Of an episode, without checks, what can
    be checked is listed. With checks the demonstration has to meet all of them, every near miss has to fail,
    and every second annotator's episode has to succeed; only then --out writes the task.

    Exit 0 ok, 1 when the recordings show that the task isn't sound, 2 for a wrong call, 4 for a file that
    holds something else.
    """
    if "://" in request.what:
        from webbench.tui.cli.stepping.step import StepRequest, step_any

        say("show how it is done; then: webbench-tui webarena record EPISODE, or webcanvas record EPISODE")
        step_any(StepRequest(url=request.what, intent=request.intent, store=request.store), as_json=as_json)
    raise typer.Exit(author(request, as_json=as_json))


def author(request: AuthorRequest, *, as_json: bool) -> int:
    """List what can be checked, or try a task and write it; 1 where it isn't sound.

    Raises:
        UsageError: no such episode, an intent that doesn't fit its values, or nothing to check.
        BadData: the record or the file can't be used.
    """
    from webbench.benchmarks.webarena.authored_task import (
        Checks,
        ending_of,
        faults,
        score_of,
        task_entry,
        write_task,
    )

    report_settings()
    store = open_store(request.store)
    trajectory = store.load(find_episode(store, request.what))
    ending = ending_of(trajectory, store)
    checks = Checks(answer=request.answer, address=request.address, shows=request.shows)
    if checks == Checks():
        _print_choices(ending, as_json=as_json)
        return 0
    template = request.intent or trajectory.header.task.intent
    entry = task_entry(request.number, template, _values(request.values), ending, checks)
    misses, seconds = (_endings(names, store) for names in (request.near_miss, request.second))
    wrong = list(faults(entry, ending, misses, seconds))
    written = request.out is not None and not wrong
    if request.out is not None and written:
        write_task(request.out, entry)
    tried = [("demonstration", ending), *(("near miss", one) for one in misses)]
    tried += [("second annotator", one) for one in seconds]
    rows = [(part, one.episode, score_of(entry, one).headline()) for part, one in tried]
    if as_json:
        found = {"task": entry, "faults": wrong, "written": str(request.out) if written else ""}
        scores = [{"part": part, "episode": name, "score": told} for part, name, told in rows]
        print_json({"schema_version": SCHEMA_VERSION, **found, "tried": scores})
    else:
        print_table(("part", "episode", "score"), rows, flexible=(1, 2))
        for fault in wrong:
            say(fault)
        if written:
            print_text(
                f"\nwritten to {request.out}" + ("" if seconds else "; no second annotator has tried it")
            )
    return 1 if wrong else 0


def _values(given: tuple[str, ...]) -> dict[str, str]:
    parted = [one.partition("=") for one in given]
    odd = next((name for name, equals, _ in parted if not (name and equals)), None)
    if odd is not None:
        raise UsageError(f"--value {odd} gives no value", "write NAME=TEXT")
    return {name: text for name, _, text in parted}


def _endings(names: tuple[str, ...], store: Store) -> list[Ending]:
    from webbench.benchmarks.webarena.authored_task import ending_of

    return [ending_of(store.load(find_episode(store, name)), store) for name in names]


def _print_choices(ending: Ending, *, as_json: bool) -> None:
    if as_json:
        found = {"answer": ending.answer, "address": ending.url, "shows": ending.texts}
        print_json({"schema_version": SCHEMA_VERSION, "episode": ending.episode, **found})
        return
    rows = [("--address", ending.url)]
    rows += [("--answer", ending.answer)] if ending.answer else []
    rows += [("--shows", text) for text in ending.texts]
    print_table(("check", "what the demonstration ended with"), rows, flexible=(1,))
