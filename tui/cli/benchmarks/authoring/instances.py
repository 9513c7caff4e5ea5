"""`webarena instance`: another instance of a template, written once its reference list solves it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.core.browser.starting.folder import private_room
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.store import Store
from webbench.tui.cli.options import AsJson, SlotValues, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import open_engine, report_settings

if TYPE_CHECKING:
    from webbench.benchmarks.common.template_instance import Instance, Played
    from webbench.core.benchmark.benchmark import Benchmark

SCHEMA_VERSION = 1
KEY = "task_id"


class InstanceRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `webarena instance` asks for."""

    file: Annotated[Path, Option(argument=True, help="Task file in WebArena's form; the instance is added.")]
    of: Annotated[str, Option(help="The task in it whose intent has {{slots}}: its number.")]
    name: Annotated[
        str, Option(help="The instance's number; one of the same template that has it is replaced.")
    ]
    values: SlotValues = ()
    changes: Annotated[
        tuple[str, ...],
        Option(
            flag="--change",
            help="What else differs in evaluator and reference list: OLD=NEW; may be repeated.",
        ),
    ] = ()


@asking(InstanceRequest)
def webarena_instance_command(request: InstanceRequest, as_json: AsJson = False) -> None:
    """Make another instance of a task's template, and check it by its reference list.

    The values of the slots are put into intent, evaluator and reference list, and the count of places is
    told. Then the reference list is played on the live sites and has to score 1; that of the task it was
    made of is played under the new evaluator, too, and must not. Only then the instance is written.

    Exit 0 ok, 1 when it isn't sound, 2 for a wrong call, 3 without a browser or site, 4 for a file that
    holds something else.
    """
    raise typer.Exit(write_instance(request, as_json=as_json))


def write_instance(request: InstanceRequest, *, as_json: bool) -> int:
    """Make it, play it, write it; 1 where it isn't sound.

    Raises:
        UsageError: no such task, no template, unknown slots, nothing that changes, another task's number.
        BadData: the file can't be used.
        EnvironmentDown: no browser, or a site that isn't there.
    """
    from webbench.benchmarks.common.demonstrated_task import named_texts, write_task
    from webbench.benchmarks.common.template_instance import instance

    report_settings()
    if not (request.name.isascii() and request.name.isdigit() and len(request.name) < 16):
        raise UsageError(f'A WebArena task has a number, not "{request.name}"', "name it with --name 8")
    if request.name == request.of:
        raise UsageError("The instance would replace its own template", "give it another --name")
    entry = _entry(request.file, request.of)
    _refuse_another(request, entry)
    values, changes = named_texts("--value", request.values), named_texts("--change", request.changes)
    made = instance(entry, request.name, values, changes)
    tried = asyncio.run(_played(made, entry))
    if not tried.faults:
        write_task(request.file, made.entry, KEY)
    _print(request, made, tried, as_json=as_json)
    return 1 if tried.faults else 0


def _entry(file: Path, name: str) -> JsonObject:
    from webbench.benchmarks.common.task_file import listed_tasks

    if not file.is_file():
        raise UsageError(f"There is no file {file}", "`webbench-tui record EPISODE --out FILE` writes one")
    listed = [one for one in listed_tasks(file) if isinstance(one, dict)]
    found = next((one for one in listed if str(one.get(KEY)) == name), None)
    if found is None:
        known = ", ".join(str(one.get(KEY)) for one in listed[:5])
        raise UsageError(f'{file} holds no task "{name}"', f"it has {known}" if known else "")
    if not found.get("reference_actions"):
        raise BadData(f"Task {name} has no reference list", "record its demonstration first")
    return found


def _refuse_another(request: InstanceRequest, entry: JsonObject) -> None:
    """Raises `UsageError` where the number is that of a task of another template."""
    from webbench.benchmarks.common.task_file import listed_tasks

    for one in listed_tasks(request.file):
        taken = isinstance(one, dict) and str(one.get(KEY)) == request.name
        if taken and one.get("intent_template") != entry.get("intent_template"):
            raise UsageError(
                f'Task {request.name} is another one: "{one.get("intent")}"',
                "give the instance its own --name",
            )


async def _played(made: Instance, entry: JsonObject) -> Played:
    """Plays leave nothing in the user's store: they are recorded in a temporary one."""
    from webbench.benchmarks.common.template_instance import played
    from webbench.benchmarks.webarena.benchmark import create

    with private_room() as folder:

        def benchmark_of(one: JsonObject) -> Benchmark:
            file = folder / "instance.json"
            file.write_text(json.dumps([one]), "utf-8")
            return create(file)

        async with open_engine(Store(folder / "store")) as engine:
            await engine.browser()
            return await played(engine, made, entry, benchmark_of)


def _print(request: InstanceRequest, made: Instance, tried: Played, *, as_json: bool) -> None:
    written = "" if tried.faults else str(request.file)
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "task": made.entry,
                "places": msgspec.to_builtins(made.places),
                "scores": {"own": tried.own.value, "other": tried.other.value},
                "faults": tried.faults,
                "doubts": made.doubts,
                "written": written,
            }
        )
        return
    rows = [(text, *(str(count) for count in parts.values())) for text, parts in made.places.items()]
    print_table(("text", "evaluator", "reference list", "start"), rows, numbers=(1, 2, 3), flexible=(0,))
    print_text(f"\n{made.entry['intent']}")
    print_text(f"its reference list: {tried.own.headline()}")
    print_text(f"that of task {request.of}: {tried.other.headline()}")
    for line in (*tried.faults, *made.doubts):
        say(line)
    if written:
        print_text(f"written to {written}")
