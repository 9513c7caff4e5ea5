"""`turkingbench review` and `turkingbench turkle`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.core.analysis.paper.paper_figure import PaperFigure
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.errors import BadData, UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.score.explanation import value_words
from webbench.core.settings.load_settings import load_settings
from webbench.core.statistics.figures import Section
from webbench.core.text.no_value import NO_VALUE
from webbench.tui.cli.options import Annotator, AsCsv, AsJson, AsLatex, Data, Rules, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, say
from webbench.tui.cli.place import browser_options, data_folder, open_store
from webbench.tui.terminal import at_terminal

if TYPE_CHECKING:
    from webbench.benchmarks.turkingbench.benchmark import TurkingBench
    from webbench.benchmarks.turkingbench.review import Reviewed
    from webbench.benchmarks.turkingbench.turkle.same_on_turkle import OnTurkle
    from webbench.core.task import Task

SCHEMA_VERSION = 1
NOT_JUDGED = NOT_SAME = 1
UNREADABLE = 4


class ReviewRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `turkingbench review` asks for."""

    runs: Annotated[tuple[str, ...], Option(argument=True, help="Runs of TurkingBench; @NAME: a pool.")] = ()
    annotator: Annotator = ""
    screen: Annotated[bool, Option(help="Judge those that nobody judged, on the labelling screen.")] = False
    blind: Annotated[bool, Option(help="On the screen: without what the workers and the evaluator say.")] = (
        False
    )
    rules: Rules = "published"
    as_csv: AsCsv = False
    as_latex: AsLatex = False
    store: StorePath = None


@asking(ReviewRequest)
def turkingbench_review_command(request: ReviewRequest, as_json: AsJson = False) -> None:
    """Review single responses: is the answer in a field right, is the evaluator right about it?

    Lists each response with the step that gave it, and the evaluator's false positives and negatives by type
    of field (section 4.5). Judge with --screen, or by `label EPISODE --step N --taxonomy
    turkingbench-responses --code answer.right`. Exit 1 while some are not judged (an
    answer; or the evaluator, where its verdict does not follow from the answer), 4 for unreadable records.
    """
    raise typer.Exit(review(request, as_json=as_json))


def review(request: ReviewRequest, *, as_json: bool) -> int:
    """Print the responses and their table, or open the screen: 0, 1 while some are open, 4 for damage.

    Raises `UsageError` for runs of another benchmark, several forms at once, a screen without a terminal.
    """
    from webbench.benchmarks.turkingbench.review import by_field_type, places_asked, reviewed
    from webbench.core.analysis.recorded.run_records import read_runs
    from webbench.core.labels.ledger import ledger_of
    from webbench.core.labels.visibility import sight
    from webbench.core.report.paper.number_tables import csv_text, latex_table
    from webbench.core.store.called_runs import runs_called
    from webbench.tui.cli.figure_lines import print_section
    from webbench.tui.cli.output import print_line

    if as_json + request.as_csv + request.as_latex + request.screen > 1:
        raise UsageError("--json, --csv, --latex and --screen go one at a time", "choose one")
    if not request.runs:
        raise UsageError("Which run shall be reviewed?", "`webbench-tui runs turkingbench` lists them")
    store = open_store(request.store)
    runs = read_runs(store, runs_called(store, request.runs))
    other = next((run.benchmark for run in runs if run.benchmark not in ("", "turkingbench")), "")
    if other:
        raise UsageError(f"These runs are of {other}", "responses are reviewed of TurkingBench's forms")
    annotator = request.annotator or load_settings().annotator
    book = ledger_of(store).book()
    found = reviewed(store, runs, sight(book, annotator).labels, request.rules)
    asked = places_asked(found.responses, blind=request.blind)
    if request.screen:
        _tell_left_out(found)
        _open_screen(request, asked, store.root)
        return UNREADABLE if found.problems else 0
    table = by_field_type(found.responses)
    if as_json:
        told = {"responses": found.responses, "by_type": table, "left_out": found.left_out}
        print_json({"schema_version": SCHEMA_VERSION, **told, "problems": found.problems})
    elif request.as_csv:
        print_line(csv_text(table).removesuffix("\n"))
    elif request.as_latex:
        figure = PaperFigure(name="responses", title=table.title, caption=table.note, plot=None, table=table)
        print_line(latex_table(figure).removesuffix("\n"))
    else:
        rows = [
            (
                *(f"{one.run}/{one.episode}", one.step, one.field, one.type, str(one.given)),
                *(f"{one.value:.3f}", one.answer or NO_VALUE, one.verdict or NO_VALUE),
            )
            for one in found.responses
        ]
        headers = ("episode", "step", "field", "type", "answer", "worth", "answer is", "evaluator is")
        print_table(headers, rows, numbers=(1, 5), flexible=(0, 2, 4))
        shown = msgspec.structs.replace(table, note="", title="")
        print_section(Section(name="responses", title=table.title, about=table.note, figures=(shown,)))
    _tell_left_out(found)
    if found.problems:
        return UNREADABLE
    return NOT_JUDGED if asked else 0


def _tell_left_out(found: Reviewed) -> None:
    for reason, count in found.left_out.items():
        say(f"left out: {reason}: {count}")
    for problem in found.problems:
        say(problem)


def _open_screen(
    request: ReviewRequest, asked: Mapping[tuple[str, str], Mapping[int, str]], store: Path
) -> None:
    """The labelling screen at the first response; raises `UsageError` where all are judged."""
    from webbench.benchmarks.turkingbench.review import TAXONOMY
    from webbench.core.people.labelling.worksheet import LabellingOrder
    from webbench.tui.cli.opening_screens import run_screens
    from webbench.tui.opening import Opening

    if not asked:
        raise UsageError("Every response of these runs is judged", "without --screen they are listed")
    if not at_terminal():
        raise UsageError("The labelling screen needs a terminal", "without one, label with `label --code`")
    order = LabellingOrder(
        places=tuple(asked),
        annotator=request.annotator,
        taxonomy=TAXONOMY,
        blind=request.blind,
        step=min(next(iter(asked.values()))),
        asked=asked,
    )
    run_screens(Opening(store=store, labelling=order), load_settings())


class TurkleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `turkingbench turkle` asks for."""

    tasks: Annotated[
        tuple[str, ...], Option(argument=True, help="Names of tasks; all bundled ones by default.")
    ] = ()
    instances: Annotated[int, Option(help="Of each task, the first so many.", least=1)] = 1
    python: Annotated[
        str, Option(help="The interpreter that has the package turkle; by default the one that runs this.")
    ] = ""
    data: Data = None


@asking(TurkleRequest)
def turkingbench_turkle_command(request: TurkleRequest, as_json: AsJson = False) -> None:
    """Give a task's reference answers on a real Turkle server, too, and compare answers and scores.

    A private Turkle is started on this machine with the task's template and row, and removed at the end. A
    browser signs in, accepts the task, fills the form in its frame and submits it; the answers are read from
    Turkle's database and scored by the same evaluator (section 3.4). Exit 0 where answers and scores are the
    same, 1 where some differ (each is told), 3 where Turkle can't be started, 4 for tasks that can't be read.
    """
    raise typer.Exit(asyncio.run(_on_turkle(request, as_json=as_json)))


async def _on_turkle(request: TurkleRequest, *, as_json: bool) -> int:
    """Raises `UsageError` for unknown tasks, `EnvironmentDown` without Turkle or a browser."""
    from webbench.benchmarks.turkingbench.benchmark import create
    from webbench.benchmarks.turkingbench.turkle.same_on_turkle import on_turkle
    from webbench.benchmarks.turkingbench.turkle.turkle_server import TurkleServer
    from webbench.core.browser.launch import launch

    benchmark = create(data_folder("turkingbench", request.data))
    tasks = _wanted(benchmark, request)
    found: list[OnTurkle] = []
    problems: list[str] = []
    async with TurkleServer.running(request.python) as server, launch(browser_options()) as browser:
        version = server.version
        for task in tasks:
            try:
                found.append(await on_turkle(browser, server, task, benchmark.beside(task).folder.root))
            except BadData as error:
                problems.append(str(error))
    _print_on_turkle(found, version, problems, as_json=as_json)
    if problems:
        return UNREADABLE
    return 0 if all(one.same for one in found) else NOT_SAME


def _wanted(benchmark: TurkingBench, request: TurkleRequest) -> Sequence[Task]:
    if request.tasks:
        return benchmark.tasks(names=request.tasks, instances=request.instances)
    bundled = {bundle.name for bundle in bundles_of(benchmark.name)}
    return [task for task in benchmark.tasks(instances=request.instances) if task.split in bundled]


def _print_on_turkle(
    found: Sequence[OnTurkle], version: str, problems: Sequence[str], *, as_json: bool
) -> None:
    if as_json:
        told = [{**msgspec.structs.asdict(one), "same": one.same} for one in found]
        print_json({"schema_version": SCHEMA_VERSION, "turkle": version, "tasks": told, "problems": problems})
    else:
        rows = [
            (
                one.task,
                value_words(one.ours.value, one.ours.status),
                NO_VALUE if one.theirs is None else value_words(one.theirs.value, one.theirs.status),
                f"{sum(field.same for field in one.fields)} of {len(one.fields)}",
                _outcome(one),
            )
            for one in found
        ]
        headers = ("task", "score here", f"on Turkle {version}", "same answers", "")
        print_table(headers, rows, numbers=(1, 2), flexible=(0,))
    for one in found:
        if one.trouble:
            say(f"{one.task}: {one.trouble}")
        for field in one.fields:
            if not field.same:
                here, there = map(_held, (field.ours, field.theirs), field.displayed)
                say(f"{one.task}: {field.name} ({field.type}): here {here}, there {there}")
    for problem in problems:
        say(problem)


def _outcome(one: OnTurkle) -> str:
    if not one.same:
        return "differs"
    return "same" if one.stored else "same, sent on neither"


def _held(values: Sequence[str] | None, displayed: bool) -> str:
    if values is None:
        return "no such field"
    return (", ".join(map(repr, values)) or "nothing") + ("" if displayed else " (not displayed)")
