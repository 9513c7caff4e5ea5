"""`baseline`: plans, progress and results of studies; the session itself is a screen."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core import registry
from webbench.core.errors import UsageError
from webbench.core.store.store import Store
from webbench.core.studies.assignment import Plan, obstacles
from webbench.core.studies.desk import folder_of, progress_of, settled_plan
from webbench.core.studies.progress import Progress
from webbench.core.studies.study import AS_THE_AGENT, FREE_BROWSER, Study, read_study
from webbench.core.task import Benchmark
from webbench.tui.headless.batch import ready_benchmark
from webbench.tui.headless.output import print_json, print_line, print_table, print_text, say
from webbench.tui.headless.place import chosen_rules, open_store

SCHEMA_VERSION = 1
WAYS = "--as NAME works on it, --plan shows who does what, --results what came of it"
WORK_HEADERS = ("task", "stage", "minutes", "outcome", "difficulty", "confidence", "episode")


class BaselineRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `baseline`."""

    study: Path | None = None
    annotator: str = ""
    runs: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    html: Path | None = None
    force: bool = False
    seed: int = 0
    data: Path | None = None
    store: Path | None = None


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
        from webbench.tui.headless.baseline_results import print_of_runs

        return print_of_runs(request, as_json=as_json)
    if request.study is None:
        raise UsageError("Which study?", "name its TOML file; examples/laptop-arena-study.toml is one")
    study = read_study(request.study)
    benchmark = usable(study, request.data)
    if request.annotator and interactive:
        from webbench.tui.headless.screens import open_session

        return open_session(request, study, benchmark)
    store = open_store(request.store)
    if results:
        from webbench.tui.headless.baseline_results import print_of_study

        return print_of_study(request, store, study, benchmark, as_json=as_json)
    if plan:
        return _print_plan(store, study, benchmark, as_json=as_json)
    return _print_progress(store, study, benchmark, request.annotator, as_json=as_json)


def usable(study: Study, data: Path | None) -> Benchmark:
    """The study's benchmark, with its data. Raises where benchmark, dialect or rules aren't there."""
    benchmark = ready_benchmark(study.benchmark, data)
    if study.dialect not in (AS_THE_AGENT, FREE_BROWSER):
        registry.dialect(study.dialect)
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
    print_text(_heading(study, plan))
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


def _heading(study: Study, plan: Plan) -> str:
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
        print_json({"schema_version": SCHEMA_VERSION, "study": study.name, "hash": plan.hash, **_told(told)})
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


def _told(told: Progress) -> dict[str, object]:
    following = told.next
    return {
        "annotator": told.annotator,
        "done": told.done,
        "tasks": len(told.works),
        "next": following.task if following is not None else "",
        "works": told.works,
        "problems": told.problems,
    }
