"""`baseline new`: a study's file with comments, out of options."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import typer

from webbench.core.errors import BadData, UsageError
from webbench.core.exchange.atomic_output import write_text
from webbench.core.people.studies.allocation import make_plan, obstacles
from webbench.core.people.studies.desk import begun_plan
from webbench.core.people.studies.known_studies import study_file
from webbench.core.people.studies.study import (
    AS_THE_AGENT,
    MOST_STEPS,
    Sample,
    Study,
    complaints,
    parse_study,
)
from webbench.core.people.studies.written_study import study_text
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.records.names import is_name
from webbench.tui.cli.options import AsJson, Data, Force, OutFile, Rules, StorePath, asking
from webbench.tui.cli.output import print_json, print_text, say
from webbench.tui.cli.people.baseline import heading, usable
from webbench.tui.cli.place import open_store, told_command

SCHEMA_VERSION = 1


class NewStudy(msgspec.Struct, frozen=True, kw_only=True):
    """What `baseline new` asks for."""

    name: Annotated[str, Option(argument=True, help="What the study is called, by commands too.")]
    benchmark: Annotated[str, Option(argument=True, help="The benchmark that its tasks are from.")]
    annotators: Annotated[
        tuple[str, ...], Option(flag="--for", help="Who takes part, by a pseudonym; repeatable.")
    ] = ()
    tasks: Annotated[
        tuple[str, ...],
        Option(flag="--task", help="A task by name or id, or @NAME for a subset; repeatable. Else: drawn."),
    ] = ()
    split: Annotated[str, Option(help="Draw tasks of this split.")] = ""
    size: Annotated[int | None, Option(help="Draw so many tasks; all if not given.", least=1)] = None
    one_per: Annotated[
        Literal["", "template", "site", "difficulty", "split", "kind"],
        Option(help="Draw one task only of each of these."),
    ] = ""
    stratify: Annotated[
        tuple[str, ...],
        Option(flag="--by", help="Draw with the shares of template, site, difficulty, split or kind."),
    ] = ()
    instances: Annotated[int, Option(help="Of a task with many, draw of the first so many.", least=1)] = 1
    seed: Annotated[int, Option(help="Another seed draws other tasks, and deals them otherwise.")] = 0
    overlap: Annotated[
        int, Option(help="So many tasks are done by several people, for their agreement.", least=0)
    ] = 0
    people_per_overlap: Annotated[
        int | None, Option(help="By how many people those are done; by all if not given.", least=2)
    ] = None
    tasks_per_annotator: Annotated[
        int | None, Option(flag="--tasks-each", help="At most so many tasks for each person.", least=1)
    ] = None
    dialect: Annotated[
        str,
        Option(help='How people act: "agent" as agents do, "free browser", or an action language\'s name.'),
    ] = AS_THE_AGENT
    minutes_per_task: Annotated[
        float | None, Option(flag="--minutes", help="Minutes after which a task ends as it is.")
    ] = None
    steps_per_task: Annotated[
        int, Option(flag="--steps", help="Actions of a person after which a task ends.", least=1)
    ] = MOST_STEPS
    blind: Annotated[bool, Option(help="Nobody is told scores, or sees others' work.")] = True
    rules: Rules = ""
    title: Annotated[str, Option(help="What people read above their tasks.")] = ""
    instructions: Annotated[str, Option(help="What people read before the first task.")] = ""
    out: OutFile = None
    force: Force = False
    data: Data = None
    store: StorePath = None


@asking(NewStudy)
def baseline_new_command(request: NewStudy, as_json: AsJson = False) -> None:
    """Write a study's file, with comments: who does which tasks, under which conditions.

    Without --out it lies in the store, where `baseline NAME` and `baseline list` find it. Tasks are named, or
    drawn by split, size and shares. Nothing has begun until somebody works on it; the file may be edited
    until then.

    Exit 1 where something of it can't be worked on here yet.
    """
    raise typer.Exit(make_study(request, as_json=as_json))


def make_study(request: NewStudy, *, as_json: bool) -> int:
    """Write it and tell who would do what: 0, or 1 where tasks can't be worked on yet.

    Raises `UsageError` for what can't be a study, or a file that is there already; `BadData` for a study that
    has begun under other conditions.
    """
    if not is_name(request.name):
        raise UsageError(complaints(_draft(request))[0])
    store = open_store(request.store)
    file = request.out or study_file(store, request.name)
    given = str(request.out) if request.out is not None else request.name
    text = study_text(_draft(request), given)
    try:
        study = parse_study(text.encode(), str(file))
    except BadData as error:
        raise UsageError(error.message.removeprefix(f"{file}: "), error.hint) from error
    begun_plan(store, study)
    benchmark = usable(study, request.data)
    plan = make_plan(study, benchmark)
    write_text(file, text, force=request.force)
    missing = obstacles(plan, benchmark)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "file": str(file), "plan": plan, "obstacles": missing})
        return int(bool(missing))
    print_text(heading(study, plan))
    print_text(f"written: {file}")
    for told in ("--plan", f"--as {study.annotators[0]}", "--results"):
        print_text(f"  {told_command(['baseline', given, *told.split()], store)}")
    for obstacle in missing:
        say(f"can't be worked on here yet: {obstacle}")
    return int(bool(missing))


def _draft(request: NewStudy) -> Study:
    """As it was asked for, right or wrong: keys that aren't given are left to their defaults."""
    names = [name for name in Study.__struct_fields__ if name in NewStudy.__struct_fields__]
    fields: dict[str, Any] = {name: getattr(request, name) for name in names}
    drawn: dict[str, Any] = {
        name: getattr(request, name) for name in ("split", "size", "one_per", "stratify", "instances")
    }
    asked = drawn != {"split": "", "size": None, "one_per": "", "stratify": (), "instances": 1}
    return Study(**fields, sample=Sample(**drawn) if asked or not request.tasks else None)
