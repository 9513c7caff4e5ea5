"""`baseline --results` and `baseline --from`: what people's attempts come to."""

from __future__ import annotations

import msgspec

from webbench.core.installed import installed_benchmark
from webbench.core.store.store import Store
from webbench.core.studies.desk import settled_plan
from webbench.core.studies.results import SCHEMA_VERSION, Results, results
from webbench.core.studies.study import Study
from webbench.core.studies.tables import sections
from webbench.core.studies.trials import Trial, Trials, trials_of_runs, trials_of_study
from webbench.core.task import Benchmark
from webbench.tui.headless.baselines import BaselineRequest
from webbench.tui.headless.figures import print_section
from webbench.tui.headless.output import print_json, print_text, say
from webbench.tui.headless.place import open_store


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
    from webbench.core.studies.report import methods_of_study

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
    return _tell(told, request, as_json=as_json)


def print_of_runs(request: BaselineRequest, *, as_json: bool) -> int:
    """The same of runs of people, imported or stepped."""
    store = open_store(request.store)
    found = trials_of_runs(store, request.runs, request.data)
    listed = (one for run in request.runs for one in store.episodes(run.rstrip("/")))
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
    return _tell(told, request, as_json=as_json)


def _models(store: Store, request: BaselineRequest, benchmark: str) -> list[tuple[str, Trials]]:
    """Raises `UsageError` for runs of another benchmark: tasks of one name are not the same there."""
    runs = dict.fromkeys(run.rstrip("/") for run in request.beside)
    return [(run, trials_of_runs(store, [run], request.data, of=benchmark)) for run in runs]


def _tell(told: Told, request: BaselineRequest, *, as_json: bool) -> int:
    if request.html is not None:
        _write_page(told, request)
    if as_json:
        rows = [_attempt(one) for one in told.attempts.trials]
        print_json(
            {"schema_version": SCHEMA_VERSION, **told.about, "results": told.results, "attempts": rows}
        )
    else:
        print_text(told.title)
        for section in sections(told.results):
            print_section(section)
    for problem in told.results.problems:
        say(problem)
    return int(bool(told.results.open or told.results.unscored or not told.attempts.trials))


def _write_page(told: Told, request: BaselineRequest) -> None:
    from webbench.core.exports.writing import write_text
    from webbench.core.studies.report import methods_of_baseline, results_page

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
