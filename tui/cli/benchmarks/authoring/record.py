"""`record`: a task made of a demonstration, in the form of a benchmark, with a near miss that has to fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.benchmarks.authoring.task_shapes import task_shape
from webbench.tui.cli.options import AsJson, SlotValues, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import find_episode, open_store, report_settings, told_command

if TYPE_CHECKING:
    from webbench.benchmarks.common.demonstrated_task import ListedCheck, TaskShape
    from webbench.benchmarks.common.settled_annotation import Annotation, Settlement
    from webbench.core.store.store import Store
    from webbench.core.trajectory import Trajectory

SCHEMA_VERSION = 1
PARTS = {"first": "demonstration", "second": "second annotator", "third": "third annotator"}
UNSETTLED = "the annotators differ: a third person settles it with --ruling, --settled-by and --because"


class RecordRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `record` asks for."""

    what: Annotated[
        str,
        Option(
            argument=True,
            help="An address to demonstrate at, such as example.org; or the demonstration: an episode.",
        ),
    ]
    shape: Annotated[
        Literal["webarena", "webcanvas"],
        Option(help="Whose form: webarena, checks of how it ends; webcanvas, steps that are key nodes."),
    ] = "webarena"
    intent: Annotated[
        str, Option(help="What the task asks for, {{slots}} and all; by default what its episode was asked.")
    ] = ""
    values: SlotValues = ()
    checks: Annotated[
        tuple[str, ...],
        Option(
            flag="--check",
            help="What is checked, as listed without any: 1, address, answer=TEXT, shows=TEXT; or a step "
            "that is a key node: 3, 3.2 for its second choice, 3.2=TEXT. May be repeated.",
        ),
    ] = ()
    near_miss: Annotated[
        tuple[str, ...], Option(help="An episode that comes close and has to fail; may be repeated.")
    ] = ()
    second: Annotated[
        tuple[str, ...], Option(help="A second annotator's episode, which has to succeed; may be repeated.")
    ] = ()
    instead_of: Annotated[
        str,
        Option(
            help="Key nodes of the written task --name in --out, 3 or 2,3: the checks are another way past "
            "them, and are added to it. Only in webcanvas' form."
        ),
    ] = ""
    note: Annotated[str, Option(help="Why the other way solves the task, too.")] = ""
    by: Annotated[str, Option(help="Who demonstrated it: the first annotator's pseudonym.")] = ""
    second_by: Annotated[
        tuple[str, ...], Option(help="Who made the episode of --second; may be repeated, in their order.")
    ] = ()
    ruling: Annotated[
        Literal["none", "first", "second", "third"],
        Option(help="Where the two differ: whose annotation stands by a third person's decision."),
    ] = "none"
    third: Annotated[str, Option(help="The third person's own episode, for --ruling third.")] = ""
    settled_by: Annotated[str, Option(help="Who decided: somebody else than the two.")] = ""
    because: Annotated[str, Option(help="Why she decided so.")] = ""
    name: Annotated[str, Option(help="The task's name; in WebArena's form a number.")] = "0"
    out: Annotated[Path | None, Option(help="Task file; a task of the same name in it is replaced.")] = None
    store: StorePath = None


@asking(RecordRequest)
def record_command(request: RecordRequest, as_json: AsJson = False) -> None:
    """Make a WebArena or WebCanvas task of a demonstration: pick checks, try them, write the task.

    An address opens the page to demonstrate on, as `step --url` does. Of an episode, without --check, what
    can be checked is listed. With checks the demonstration has to meet all of them, every near miss has to
    fail, and every second annotator's episode has to succeed; only then --out writes the task. It begins
    where the demonstration began, and its oracle does what that did.

    Where the second annotator's episode says something else, a third person settles it: --ruling says whose
    annotation stands, --settled-by and --because by whom and why. What each of them said stays in the task,
    and with --by and --second-by as labels of the taxonomy task-annotation.

    With --instead-of 3 the episode shows another way: its checks are added to the written task as an
    alternative to key node 3. It has to meet the task then, and every near miss to fail.

    Exit 0 ok, 1 when the recordings show that the task isn't sound, 2 for a wrong call, 4 for a file that
    holds something else.
    """
    if _is_page(request):
        demonstrate(request, as_json=as_json)
        return
    raise typer.Exit(record(request, as_json=as_json))


def demonstrate(request: RecordRequest, *, as_json: bool) -> None:
    """Open the page, have it shown how the task is done, and say how its episode becomes the task.

    Raises `typer.Exit` as `step` where it is stepped by lines.
    """
    from webbench.tui.cli.stepping.step import StepRequest, step_any

    names = ("values", "checks", "near_miss", "second", "third", "instead_of", "out")
    unused = [name for name in names if getattr(request, name)]
    if unused:
        named = ", ".join(_flag(name) for name in unused)
        raise UsageError(f"{named}: there is no demonstration yet", "name its episode in place of an address")
    store = open_store(request.store)
    before = {one.episode for one in store.attempts("page")}
    try:
        step_any(StepRequest(url=request.what, intent=request.intent, store=request.store), as_json=as_json)
    finally:
        for one in store.attempts("page"):
            if one.episode not in before:
                words = ["record", one.episode, "--shape", request.shape]
                say(f"make a task of it: {told_command(words, store)}")


def _is_page(request: RecordRequest) -> bool:
    """Whether an address is named, and no episode: `example.org` alone is one where no episode is called so.

    Raises `UsageError` where it is neither.
    """
    from webbench.benchmarks.page.tasks import written_as_address

    if "://" in request.what:
        return True
    try:
        find_episode(open_store(request.store), request.what)
    except UsageError as error:
        if written_as_address(request.what):
            return True
        hint = (
            f"{error.hint}; an address is written https://HOST"
            if error.hint
            else "write https://HOST for a page"
        )
        raise UsageError(error.message, hint) from error
    return False


def _flag(name: str) -> str:
    from webbench.core.runner.plan.declared_options import declared_field

    return declared_field(RecordRequest, name).flag


class _Trial(NamedTuple):
    """A task that was tried on recordings.

    Attributes:
        entry: the task, as it stands in the file where it was written.
        wrong: why it isn't sound.
        told: what is to be known of it all the same.
        rows: part, episode and score of each recording.
        written: it is in the file now.
    """

    entry: JsonObject
    wrong: Sequence[str]
    told: Sequence[str]
    rows: Sequence[tuple[str, str, str]]
    written: bool


def record(request: RecordRequest, *, as_json: bool) -> int:
    """List what can be checked, or try a task and write it; 1 where it isn't sound.

    Raises:
        UsageError: no such episode or check, or an intent that doesn't fit its values.
        BadData: the record or the file can't be used.
    """
    from webbench.benchmarks.common.demonstrated_task import (
        Wording,
        asked,
        change_task,
        doubts,
        faults,
        named_texts,
        write_task,
    )
    from webbench.benchmarks.common.settled_annotation import (
        annotation_entry,
        annotation_labels,
        differing,
    )
    from webbench.core.labels.ledger import ledger_of

    report_settings()
    store = open_store(request.store)
    shape = task_shape(request.shape, store)
    shown = _loaded(request.what, store)
    if not request.checks:
        _print_listed(shape.listed(shown), shown.header.episode, as_json=as_json)
        return 0
    annotators = _annotators(request, store, shown)
    settled = _settlement(request, annotators)
    final = annotators[_final(annotators, settled)].shown
    change: Callable[[JsonObject], JsonObject] | None = None
    if request.instead_of:
        change, entry, already = _other_way(request, shape, final)
    else:
        template = request.intent or asked(shown)
        wording = Wording(name=request.name, template=template, values=named_texts("--value", request.values))
        entry, already = shape.entry(final, wording, request.checks), []
    misses = [_loaded(name, store) for name in request.near_miss]
    tried = [_tried(one, shape, entry) for one in annotators]
    others = [one.shown for one in tried if one.shown is not final and (one.accepted or not settled)]
    wrong = list(faults(shape, entry, final, misses, others))
    differ = differing(tried)
    wrong += ["the annotators agree: there is nothing to settle"] if settled and not differ else []
    told = [*already, *doubts(shape, request.checks, final, (*misses, *others))]
    told += [] if request.second else ["no second annotator has tried it"]
    told += [UNSETTLED] if differ and settled is None else []
    if len(tried) > 1 and not request.instead_of:
        entry["annotation"] = annotation_entry(tried, settled)

    def sound(task: JsonObject) -> JsonObject:
        """With the alternative, tried once more: somebody else may have changed the task meanwhile."""
        changed = change(task) if change is not None else task
        if later := list(faults(shape, changed, final, misses, others)):
            raise UsageError(
                f"The task was changed meanwhile, and isn't sound with it: {later[0]}", "try again"
            )
        return changed

    written = request.out is not None and not wrong
    if request.out is not None:
        ledger_of(store).add(annotation_labels(tried, settled))
        if written and change is not None:
            entry = change_task(request.out, request.name, shape.key, sound)
        elif written:
            write_task(request.out, entry, shape.key)
    parts = [(PARTS[one.part], one.shown) for one in tried]
    parts += [("near miss", one) for one in misses]
    rows = [(part, one.header.episode, shape.score(entry, one).headline()) for part, one in parts]
    trial = _Trial(entry, wrong, told, rows, written)
    if as_json:
        _print_json(trial, request)
    else:
        _print_trial(trial, request, store, shape.key)
    return 1 if wrong else 0


def _other_way(
    request: RecordRequest, shape: TaskShape, shown: Trajectory
) -> tuple[Callable[[JsonObject], JsonObject], JsonObject, list[str]]:
    """What adds the alternative to the written task, the task with it, and what is to be known of it.

    Raises `UsageError` for another form, no such task, or key nodes that it hasn't.
    """
    from webbench.benchmarks.common.demonstrated_task import written_task
    from webbench.benchmarks.webcanvas.upkeep.draft import WebCanvasShape

    if not isinstance(shape, WebCanvasShape):
        raise UsageError("--instead-of is of key nodes, which this form hasn't", "add --shape webcanvas")
    if request.out is None:
        raise UsageError(
            "Which task gets the alternative?", "name its file with --out, and the task by --name"
        )
    written = written_task(request.out, request.name, shape.key)
    numbers = [int(one) if one.strip().isdecimal() else 0 for one in request.instead_of.split(",")]
    needless = shape.score(written, shown).value == 1
    told = ["the task counts this way already: no alternative is needed for it"] if needless else []

    def added(task: JsonObject) -> JsonObject:
        return shape.alternative(task, shown, request.checks, numbers, request.note)

    return added, added(written), told


def _annotators(request: RecordRequest, store: Store, shown: Trajectory) -> list[Annotation]:
    """The demonstration, the second annotators' episodes, the third person's; not tried on the task yet.

    Raises `UsageError` for names without episodes, and for one person twice.
    """
    from webbench.benchmarks.common.settled_annotation import Annotation
    from webbench.core.labels.label import pseudonym

    if len(request.second_by) > len(request.second):
        raise UsageError("--second-by names more people than --second has episodes", "name their episodes")
    names = [*request.second_by, *("" for _ in request.second)]
    found = [Annotation(part="first", by=request.by, shown=shown)]
    found += [
        Annotation(part="second", by=name, shown=_loaded(episode, store))
        for name, episode in zip(names, request.second, strict=False)
    ]
    if request.third:
        found.append(Annotation(part="third", by=request.settled_by, shown=_loaded(request.third, store)))
    named = [pseudonym(one.by) for one in found if one.by]
    twice = next((name for name in named if named.count(name) > 1), "")
    if twice:
        raise UsageError(f"{twice} annotated it twice", "two annotators are two people")
    return found


def _settlement(request: RecordRequest, annotators: Sequence[Annotation]) -> Settlement | None:
    """The third person's decision, None without one. Raises `UsageError` where it isn't whole."""
    from webbench.benchmarks.common.settled_annotation import settlement

    if request.ruling != "none" and not any(one.part == request.ruling for one in annotators):
        flag = "--third" if request.ruling == "third" else "--second"
        raise UsageError(f"There is no {request.ruling} annotation that could stand", f"name one with {flag}")
    if request.third and request.ruling != "third":
        raise UsageError("--third is the annotation of who settles it", "write --ruling third")
    two = [one.by for one in annotators if one.part != "third"]
    return settlement(request.ruling, request.settled_by, request.because, two)


def _final(annotators: Sequence[Annotation], settled: Settlement | None) -> int:
    """Which annotation the task is made of."""
    wanted = settled.ruling if settled else "first"
    return next(number for number, one in enumerate(annotators) if one.part == wanted)


def _tried(one: Annotation, shape: TaskShape, entry: JsonObject) -> Annotation:
    from webbench.benchmarks.common.demonstrated_task import meets

    return msgspec.structs.replace(one, accepted=meets(shape.score(entry, one.shown)))


def _loaded(name: str, store: Store) -> Trajectory:
    return store.load(find_episode(store, name))


def _print_json(trial: _Trial, request: RecordRequest) -> None:
    found: JsonObject = {
        "task": trial.entry,
        "faults": list(trial.wrong),
        "doubts": list(trial.told),
        "written": str(request.out) if trial.written else "",
        "tried": [{"part": part, "episode": name, "score": score} for part, name, score in trial.rows],
    }
    print_json({"schema_version": SCHEMA_VERSION, "shape": request.shape, **found})


def _print_trial(trial: _Trial, request: RecordRequest, store: Store, key: str) -> None:
    print_table(("part", "episode", "score"), trial.rows, flexible=(1, 2))
    for line in (*trial.wrong, *trial.told):
        say(line)
    if trial.written:
        play = ["run", request.shape, "--task", str(trial.entry[key]), "--data", str(request.out)]
        print_text(f"\nwritten to {request.out}; its oracle plays it: {told_command(play, store)}")
    elif not trial.wrong:
        print_text("\nsound as far as these recordings tell; --out FILE writes it")


def _print_listed(listed: Sequence[ListedCheck], episode: str, *, as_json: bool) -> None:
    if as_json:
        found = [msgspec.to_builtins(one) for one in listed]
        print_json({"schema_version": SCHEMA_VERSION, "episode": episode, "checks": found})
        return
    rows = [(one.pick, one.looks_at, one.wanted, one.why) for one in listed]
    print_table(("check", "looks at", "the demonstration has", "because"), rows, flexible=(2, 3))
    print_text("\n--check takes these; one that no near miss fails says nothing")
