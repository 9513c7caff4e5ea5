"""`baseline STUDY`: plans, sessions, progress and results of studies."""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.api.available import ready_benchmark
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.benchmark.installed import installed_benchmark
from webbench.core.dialects.dialect import find_dialect
from webbench.core.errors import UsageError
from webbench.core.people.baselines.human_baseline import SCHEMA_VERSION as RESULTS_VERSION
from webbench.core.people.baselines.human_baseline import Results, results
from webbench.core.people.baselines.literature_tables import sections
from webbench.core.people.baselines.trials import Trial, Trials, trials_of_runs, trials_of_study
from webbench.core.people.studies.allocation import Plan, obstacles
from webbench.core.people.studies.annotator_progress import Progress
from webbench.core.people.studies.desk import folder_of, progress_of, settled_plan
from webbench.core.people.studies.known_studies import find_study
from webbench.core.people.studies.study import AS_THE_AGENT, FREE_BROWSER, Study
from webbench.core.runner.plan.declared_options import Option
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.called_runs import each_run
from webbench.core.store.store import Store
from webbench.tui.cli.figure_lines import print_section
from webbench.tui.cli.options import (
    AsJson,
    Data,
    Force,
    ResamplingSeed,
    StorePath,
    asking,
)
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say
from webbench.tui.cli.place import chosen_rules, open_store, store_folder
from webbench.tui.terminal import at_terminal

SCHEMA_VERSION = 1


WAYS = "--as NAME works on it, --plan shows who does what, --results what came of it"


WORK_HEADERS = ("task", "stage", "minutes", "outcome", "difficulty", "confidence", "episode")


class BaselineRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `baseline` asks for."""

    study: Annotated[
        Path | None,
        Option(argument=True, help="A study: its TOML file, or the name of one that `baseline list` lists."),
    ] = None
    annotator: Annotated[
        str,
        Option(flag="--as", help="Work on it under this pseudonym; with --json: how far that is."),
    ] = ""
    runs: Annotated[
        tuple[str, ...],
        Option(flag="--from", help="The same of this run of people, imported or stepped; repeatable."),
    ] = ()
    beside: Annotated[tuple[str, ...], Option(help="A run of a model on the same tasks; repeatable.")] = ()
    html: Annotated[Path | None, Option(help="Write the results as one self-contained page, too.")] = None
    force: Force = False
    seed: ResamplingSeed = 0
    data: Data = None
    store: StorePath = None


@asking(BaselineRequest, plan="runs", results="runs")
def baseline_study_command(
    request: BaselineRequest,
    plan: Annotated[bool, typer.Option("--plan", help="Which tasks were drawn, and who does them.")] = False,
    results: Annotated[bool, typer.Option("--results", help="Rates, times and agreement so far.")] = False,
    as_json: AsJson = False,
) -> None:
    """Collect and report human baselines.

    A session asks one task after the other, on the agent's observation and with its actions. It can be left,
    or killed, at any time: the same command goes on where it was. Annotators are pseudonyms.

    Exit 0 when the study is complete, or was worked on; 1 when something of it is open, has no score, or
    can't be worked on here yet.
    """
    interactive = at_terminal() and not as_json
    raise typer.Exit(baseline(request, plan=plan, results=results, interactive=interactive, as_json=as_json))


def baseline(request: BaselineRequest, *, plan: bool, results: bool, interactive: bool, as_json: bool) -> int:
    """Do what is asked for; returns the exit code.

    Raises:
        UsageError: too little or too much is asked for, or an unknown name.
        BadData: a study that can't be used, or was changed after it had begun.
    """
    asked = (bool(request.annotator), plan, results, bool(request.runs))
    if sum(asked) != 1:
        raise UsageError("What about the study?" if not any(asked) else "Only one thing at a time", WAYS)
    if request.runs:
        return print_of_runs(request, as_json=as_json)
    if request.study is None:
        raise UsageError("Which study?", "name its TOML file; examples/laptop-arena-study.toml is one")
    study = find_study(Store(store_folder(request.store)), request.study)
    benchmark = usable(study, request.data)
    if request.annotator and interactive:
        return open_session(request, study, benchmark)
    store = open_store(request.store)
    if results:
        return print_of_study(request, store, study, benchmark, as_json=as_json)
    if plan:
        return _print_plan(store, study, benchmark, as_json=as_json)
    return _print_progress(store, study, benchmark, request.annotator, as_json=as_json)


def usable(study: Study, data: Path | None) -> Benchmark:
    """The study's benchmark, with its data. Raises where benchmark, dialect or rules aren't there."""
    benchmark = ready_benchmark(study.benchmark, data)
    if study.dialect not in (AS_THE_AGENT, FREE_BROWSER):
        find_dialect(study.dialect)
    if study.rules:
        chosen_rules(study.rules, benchmark.rule_sets, benchmark.name)
    return benchmark


def _print_plan(store: Store, study: Study, benchmark: Benchmark, *, as_json: bool) -> int:
    """0, or 1 where something of it can't be worked on yet."""
    plan = settled_plan(store, study, benchmark)
    begun = folder_of(store, study).is_dir()
    missing = obstacles(plan, benchmark)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "begun": begun, "plan": plan, "obstacles": missing})
        return int(bool(missing))
    print_text(heading(study, plan))
    rows = [
        (
            one.task,
            one.template,
            one.site,
            one.traits.difficulty,
            ", ".join(f"{name} {plan.assigned[name].index(one.task) + 1}" for name in plan.people(one.task)),
        )
        for one in plan.tasks
    ]
    print_table(("task", "template", "site", "difficulty", "who, as their n-th"), rows, flexible=(2, 4))
    print_text(f"\n{'begun: this is how it was recorded' if begun else 'not begun yet'}")
    for obstacle in missing:
        say(f"can't be worked on here yet: {obstacle}")
    return int(bool(missing))


def heading(study: Study, plan: Plan) -> str:
    """What a study is, how much each does of it, and its hash."""
    shares = ", ".join(f"{name} {len(tasks)}" for name, tasks in plan.assigned.items())
    title = study.title or study.name
    return f"{title}: {len(plan.tasks)} tasks of {study.benchmark}; {shares}\nhash {plan.hash}\n"


def _print_progress(
    store: Store, study: Study, benchmark: Benchmark, annotator: str, *, as_json: bool
) -> int:
    """0 when all is done, else 1."""
    plan = settled_plan(store, study, benchmark)
    told = progress_of(store, study, plan, annotator)
    if as_json:
        print_json(
            {"schema_version": SCHEMA_VERSION, "study": study.name, "hash": plan.hash, **_progress_json(told)}
        )
    else:
        print_text(f"{study.title or study.name}, {annotator}: {told.done} of {len(told.works)} done\n")
        rows = [
            (
                work.task,
                work.stage,
                f"{work.seconds / 60:.1f}" if work.seconds else "",
                work.outcome or "",
                work.difficulty,
                work.confidence,
                work.record[1] if work.record else "",
            )
            for work in told.works
        ]
        print_table(WORK_HEADERS, rows, numbers=(2, 4, 5))
        print_line()
    for problem in told.problems:
        say(problem)
    return 0 if told.done == len(told.works) else 1


def _progress_json(told: Progress) -> dict[str, object]:
    following = told.next
    return {
        "annotator": told.annotator,
        "done": told.done,
        "tasks": len(told.works),
        "next": following.task if following is not None else "",
        "works": told.works,
        "problems": told.problems,
    }


def open_session(request: BaselineRequest, study: Study, benchmark: Benchmark) -> int:
    """A session of an annotator; afterwards how far they have come, and how to go on."""
    from webbench.core.people.studies.browser_window import require_display
    from webbench.core.people.studies.desk import Desk
    from webbench.tui.cli.opening_screens import show_screens
    from webbench.tui.cli.output import say
    from webbench.tui.cli.place import chosen_rules, open_store
    from webbench.tui.opening import Opening

    require_display(study)
    store = open_store(request.store)
    with Desk(store, study, benchmark, request.annotator) as desk:
        desk.settle()
        opening = Opening(
            store=store.root,
            benchmark=study.benchmark,
            data=request.data,
            dialect=study.action_language,
            rules=chosen_rules(study.rules, benchmark.rule_sets, benchmark.name),
            desk=desk,
        )
        show_screens(opening, load_settings())
        told = desk.progress
    with contextlib.suppress(OSError):
        say(f"{told.done} of {len(told.works)} tasks done" + ("" if told.next else ". Thank you!"))
        if told.next is not None:
            words = ["webbench-tui", "baseline", str(request.study), "--as", request.annotator]
            words += ["--store", str(request.store)] if request.store else []
            say(f"go on with: {shlex.join(words)}")
    return 0


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """Results with what they are of.

    Attributes:
        about: for JSON; title: for people.
        conditions: sentences on how they came about.
    """

    results: Results
    attempts: Trials
    benchmark: str
    title: str
    about: dict[str, object]
    conditions: tuple[str, ...] = ()


def print_of_study(
    request: BaselineRequest, store: Store, study: Study, benchmark: Benchmark, *, as_json: bool
) -> int:
    """0 when all is done and scored, 1 when something is open or has no score."""
    from webbench.core.people.baselines.baseline_page import methods_of_study

    plan = settled_plan(store, study, benchmark)
    found = trials_of_study(store, study, plan)
    rules = study.rules or benchmark.rule_sets[0]
    told = Told(
        results=results(
            found, _models(store, request, study.benchmark), benchmark, rules=rules, seed=request.seed
        ),
        attempts=found,
        benchmark=study.benchmark,
        title=f"{study.title or study.name}\nhash {plan.hash}",
        about={"study": study.name, "hash": plan.hash},
        conditions=methods_of_study(study, plan),
    )
    return _print_results(told, request, as_json=as_json)


def print_of_runs(request: BaselineRequest, *, as_json: bool) -> int:
    """The same of runs of people, imported or stepped."""
    store = open_store(request.store)
    found = trials_of_runs(store, request.runs, request.data)
    listed = (one for run in each_run(store, request.runs) for one in store.episodes(run))
    name = next((one.benchmark for one in listed if one.benchmark), "")
    benchmark = installed_benchmark(name, request.data)
    told = Told(
        results=results(found, _models(store, request, name), benchmark, seed=request.seed),
        attempts=found,
        benchmark=name,
        title=f"{name}: {', '.join(request.runs)}",
        about={"runs": list(request.runs)},
        conditions=(f"Attempts are the episodes of {', '.join(request.runs)}.",),
    )
    return _print_results(told, request, as_json=as_json)


def _models(store: Store, request: BaselineRequest, benchmark: str) -> list[tuple[str, Trials]]:
    """Raises `UsageError` for runs of another benchmark: tasks of one name are not the same there."""
    runs = dict.fromkeys(run.rstrip("/") for run in request.beside)
    return [(run, trials_of_runs(store, [run], request.data, of=benchmark)) for run in runs]


def _print_results(told: Told, request: BaselineRequest, *, as_json: bool) -> int:
    if request.html is not None:
        _write_page(told, request)
    if as_json:
        rows = [_attempt(one) for one in told.attempts.trials]
        print_json(
            {"schema_version": RESULTS_VERSION, **told.about, "results": told.results, "attempts": rows}
        )
    else:
        print_text(told.title)
        for section in sections(told.results):
            print_section(section)
    for problem in told.results.problems:
        say(problem)
    return int(bool(told.results.open or told.results.unscored or not told.attempts.trials))


def _write_page(told: Told, request: BaselineRequest) -> None:
    from webbench.core.exchange.atomic_output import write_text
    from webbench.core.people.baselines.baseline_page import methods_of_baseline, results_page

    if request.html is None:
        return
    methods = (*told.conditions, *methods_of_baseline(told.results, request.seed))
    write_text(request.html, results_page(told.benchmark, told.results, methods), force=request.force)
    say(f"{request.html}: the results as a page; open it in any browser")


def _attempt(one: Trial) -> dict[str, object]:
    return {
        "who": one.who,
        "task": one.drawn,
        "episode": one.name,
        "score": one.score.value if one.score is not None else None,
        "state": one.state,
        "corrected": one.corrected,
        "seconds": one.seconds,
        "steps": one.steps,
        "outcome": one.outcome,
        "difficulty": one.difficulty,
        "confidence": one.confidence,
    }
