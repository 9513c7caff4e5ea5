"""`assistantbench seed`, `expand` and `check`: tasks collected as the paper's authors did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.options import AsJson, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import chosen_annotator

if TYPE_CHECKING:
    from webbench.benchmarks.assistantbench.collection.collected_candidates import Candidate

SCHEMA_VERSION = 1
NOT_PASSED = 1

CandidateFile = Annotated[
    Path, Option(argument=True, help="File of collected tasks that are not checked yet.")
]
TaskName = Annotated[str, Option(argument=True, help="Name of the task in it.")]
Answers = Annotated[
    tuple[str, ...], Option(flag="--answer", help="The answer; repeated where there are several.")
]
Pages = Annotated[
    tuple[str, ...], Option(flag="--page", help="A page where it can be verified; may be repeated.")
]
Explanation = Annotated[str, Option(help="How the task is solved.")]
Minutes = Annotated[float, Option(help="How many minutes a person takes for it.")]
Author = Annotated[
    str, Option(flag="--as", help="Who you are: a pseudonym; the setting `annotator` if not given.")
]


class SeedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `assistantbench seed` asks for."""

    file: CandidateFile
    name: TaskName
    question: Annotated[str, Option(help="What was to be found out.")] = ""
    answers: Answers = ()
    pages: Pages = ()
    explanation: Explanation = ""
    minutes: Minutes = 0.0
    often: Annotated[str, Option(help="How often such a task comes up: weekly, once.")] = ""
    context: Annotated[str, Option(help="In which it came up.")] = ""
    kind: Annotated[
        Literal["seed", "expert"], Option(help="Whose task: seed, anybody's; expert, of one's own field.")
    ] = "seed"
    annotator: Author = ""


class ExpandRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `assistantbench expand` asks for."""

    file: CandidateFile
    seed: Annotated[str, Option(argument=True, help="Name of the seed in it.")]
    name: TaskName
    template: Annotated[
        str, Option(help="The seed's question with {{slots}} in place of what may change.")
    ] = ""
    was: Annotated[
        tuple[str, ...], Option(help="What stands in a slot in the seed: NAME=TEXT; may be repeated.")
    ] = ()
    values: Annotated[
        tuple[str, ...], Option(flag="--value", help="What stands there now: NAME=TEXT; may be repeated.")
    ] = ()
    answers: Answers = ()
    pages: Pages = ()
    explanation: Explanation = ""
    minutes: Minutes = 0.0
    annotator: Author = ""


class ChecklistRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `assistantbench check` asks for."""

    file: CandidateFile
    name: TaskName
    yes: Annotated[
        tuple[str, ...], Option(help="An item of the checklist that holds, or all; may be repeated.")
    ] = ()
    no: Annotated[tuple[str, ...], Option(help="One that doesn't: ITEM=WHY; may be repeated.")] = ()
    found: Annotated[str, Option(help="The answer that you found yourself.")] = ""
    annotator: Author = ""
    out: Annotated[Path | None, Option(help="Task file: the task is saved there once it passes.")] = None


@asking(SeedRequest)
def assistantbench_seed_command(request: SeedRequest, as_json: AsJson = False) -> None:
    """Write down a task that somebody had: question, answer, its pages, how it is solved, the time it took.

    It is kept in a file of collected tasks, and becomes one of the benchmark once it passes `assistantbench
    check`. Who writes a task again replaces it; nobody else's. Exit 0, 2 for what is missing, 4 for another
    file.
    """
    from webbench.benchmarks.assistantbench.collection.collected_candidates import candidate

    made = candidate(
        name=request.name,
        kind=request.kind,
        question=request.question,
        answers=request.answers,
        pages=request.pages,
        explanation=request.explanation,
        minutes=request.minutes,
        by=chosen_annotator(request.annotator),
        often=request.often,
        context=request.context,
    )
    _keep(request.file, made, as_json=as_json)


@asking(ExpandRequest)
def assistantbench_expand_command(request: ExpandRequest, as_json: AsJson = False) -> None:
    """Make a new task of a seed: its question as a template with slots, filled anew, and answered anew.

    With --was the template has to give the seed's question. Exit 0, 2 for what is missing, 4 for another
    file.
    """
    from webbench.benchmarks.assistantbench.collection.collected_candidates import (
        candidate,
        named,
        read_candidates,
    )
    from webbench.benchmarks.assistantbench.collection.templates import filled, origin_of
    from webbench.benchmarks.common.demonstrated_task import named_texts

    seed = named(read_candidates(request.file), request.seed, request.file)
    values = named_texts("--value", request.values)
    origin = origin_of(seed, request.template, named_texts("--was", request.was), values)
    made = candidate(
        name=request.name,
        kind="expanded",
        question=filled(request.template, values),
        answers=request.answers,
        pages=request.pages,
        explanation=request.explanation,
        minutes=request.minutes,
        by=chosen_annotator(request.annotator),
        origin=origin,
    )
    if made.name == seed.name:
        raise UsageError("The new task has its seed's name", "give it another")
    _keep(request.file, made, as_json=as_json)


@asking(ChecklistRequest)
def assistantbench_check_command(request: ChecklistRequest, as_json: AsJson = False) -> None:
    """Answer the checklist of a collected task, and save it as a task of the benchmark once it passes.

    Without --yes, --no and --found the checklist is printed with what was said. It passes when two people
    other than its author say that every item holds, and found the same answer themselves. Then --out adds it
    to a task file, which `--data` or WEBBENCH_DATA_ASSISTANTBENCH takes. Saying an item again replaces it.

    Exit 0 when it passes, 1 when it doesn't, 2 for a wrong call, 4 for a file that holds something else.
    """
    raise typer.Exit(check_task(request, as_json=as_json))


def check_task(request: ChecklistRequest, *, as_json: bool) -> int:
    """Keep what is said, print the checklist, save what passes: 0, or 1 where it doesn't pass.

    Raises `UsageError` for who or what can't be, `BadData` for files that hold something else.
    """
    from webbench.benchmarks.assistantbench.collection.checklist import (
        ITEMS,
        checked,
        checkers,
        faults,
        states,
    )
    from webbench.benchmarks.assistantbench.collection.collected_candidates import (
        change_candidate,
        named,
        read_candidates,
        saved_row,
    )
    from webbench.benchmarks.common.demonstrated_task import named_texts, write_task

    if request.yes or request.no or request.found:
        no = named_texts("--no", request.no)
        every = [item for item in ITEMS if item not in no]
        yes = [item for said in request.yes for item in (every if said == "all" else [said])]
        by = chosen_annotator(request.annotator)
        one = change_candidate(
            request.file, request.name, lambda now: checked(now, by, yes, no, request.found)
        )
    else:
        one = named(read_candidates(request.file), request.name, request.file)
    wrong = list(faults(one))
    saved = request.out is not None and not wrong
    if request.out is not None and saved:
        write_task(request.out, saved_row(one, checkers(one)), "id")
    if as_json:
        told = {"checklist": states(one), "faults": wrong, "saved": str(request.out) if saved else ""}
        print_json({"schema_version": SCHEMA_VERSION, "task": one, **told})
        return NOT_PASSED if wrong else 0
    print_text(one.question)
    rows = [
        (
            state.item,
            state.asks,
            ", ".join(state.yes),
            "; ".join(f"{by}: {why}" for by, why in state.no.items()),
        )
        for state in states(one)
    ]
    print_table(("item", "asks whether", "holds", "doesn't"), rows, flexible=(1, 3))
    for line in wrong:
        say(line)
    if saved:
        print_text(
            f"saved in {request.out}: webbench-tui step assistantbench {one.name} --data {request.out}"
        )
    elif not wrong:
        print_text("it passes; --out FILE saves it")
    return NOT_PASSED if wrong else 0


def _keep(file: Path, made: Candidate, *, as_json: bool) -> None:
    from webbench.benchmarks.assistantbench.collection.collected_candidates import keep_candidate

    keep_candidate(file, made)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "task": made, "file": str(file)})
        return
    print_text(f"{made.name}: {made.question}")
    print_text(f"kept in {file}; two others check it: webbench-tui assistantbench check {file} {made.name}")
