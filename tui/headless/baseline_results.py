"""`baseline --results` and `baseline --from`: what people's attempts come to."""

from __future__ import annotations

from webbench.core.store.store import Store
from webbench.core.studies.desk import settled_plan
from webbench.core.studies.results import SCHEMA_VERSION, Results, results
from webbench.core.studies.study import Study
from webbench.core.studies.tables import sections
from webbench.core.studies.trials import Trials, benchmark_or_none, trials_of_runs, trials_of_study
from webbench.core.task import Benchmark
from webbench.tui.headless.baselines import BaselineRequest
from webbench.tui.headless.figures import print_section
from webbench.tui.headless.output import print_json, print_text, say
from webbench.tui.headless.place import open_store


def print_of_study(
    request: BaselineRequest, store: Store, study: Study, benchmark: Benchmark, *, as_json: bool
) -> int:
    """0 when all is done and scored, 1 when something is open or has no score."""
    plan = settled_plan(store, study, benchmark)
    found = trials_of_study(store, study, plan)
    rules = study.rules or benchmark.rule_sets[0]
    told = results(found, _models(store, request), benchmark, rules=rules, seed=request.seed)
    about = {"study": study.name, "hash": plan.hash}
    return _print(told, found, about, f"{study.title or study.name}\nhash {plan.hash}", as_json=as_json)


def print_of_runs(request: BaselineRequest, *, as_json: bool) -> int:
    """The same of runs of people, imported or stepped."""
    store = open_store(request.store)
    found = trials_of_runs(store, request.runs, request.data)
    name = next((store.episodes(run.rstrip("/"))[0].benchmark for run in request.runs), "")
    benchmark = benchmark_or_none(name, request.data)
    told = results(found, _models(store, request), benchmark, seed=request.seed)
    return _print(
        told, found, {"runs": list(request.runs)}, f"{name}: {', '.join(request.runs)}", as_json=as_json
    )


def _models(store: Store, request: BaselineRequest) -> list[tuple[str, Trials]]:
    runs = dict.fromkeys(run.rstrip("/") for run in request.beside)
    return [(run, trials_of_runs(store, [run], request.data)) for run in runs]


def _print(told: Results, found: Trials, about: dict[str, object], title: str, *, as_json: bool) -> int:
    if as_json:
        rows = [
            {
                "who": one.who,
                "task": one.drawn,
                "episode": one.name,
                "score": one.score.value if one.score is not None else None,
                "state": one.state,
                "seconds": one.seconds,
                "steps": one.steps,
                "outcome": one.outcome,
                "difficulty": one.difficulty,
                "confidence": one.confidence,
            }
            for one in found.trials
        ]
        print_json({"schema_version": SCHEMA_VERSION, **about, "results": told, "attempts": rows})
    else:
        print_text(title)
        for section in sections(told):
            print_section(section)
    for problem in told.problems:
        say(problem)
    return int(bool(told.open or told.unscored or not found.trials))
