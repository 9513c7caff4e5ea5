"""A human baseline as one self-contained page, with how its figures came about."""

from __future__ import annotations

from webbench.core.analysis.methods_text import few_clusters
from webbench.core.people.baselines.human_baseline import Results
from webbench.core.people.baselines.literature_tables import sections
from webbench.core.people.baselines.people_and_models import PEOPLE
from webbench.core.people.studies.allocation import Plan
from webbench.core.people.studies.study import Study
from webbench.core.report.pages.runs_page import analysis_page
from webbench.core.statistics.estimates import LEVEL, RESAMPLES
from webbench.core.statistics.figures import Actor, Analysis, letter
from webbench.core.text.plural import counted


def results_page(benchmark: str, results: Results, methods: tuple[str, ...]) -> str:
    """People's figures, and models' beside them."""
    models = [(row.run, row.actor) for row in results.beside if row.run]
    actors = [Actor(letter=letter(at), run=run, agent=agent) for at, (run, agent) in enumerate(models, 1)]
    people = Actor(letter=letter(0), run=counted(results.all.people, "annotator"), agent=PEOPLE)
    return analysis_page(
        Analysis(
            benchmark=benchmark,
            actors=(people, *actors),
            sections=sections(results),
            methods=methods,
            problems=results.problems,
        )
    )


def methods_of_baseline(results: Results, seed: int) -> tuple[str, ...]:
    """What holds of any baseline."""
    return (
        f"Success is a score of 1. Intervals are {100 * LEVEL:.0f} % percentile intervals of a cluster "
        f"bootstrap ({RESAMPLES:,} resamples, seed {seed}); clusters are intent templates, tasks where none "
        "is named." + few_clusters(results.all.success.clusters),
        "Attempts without a score (pending, not scored, error, no end) are in no rate; their number is told: "
        f"{results.unscored} of {results.all.trials}.",
        "Times are those of people's own clocks, pauses and replays left out; a step is an action, whether "
        "or not it had an effect.",
    )


def methods_of_study(study: Study, plan: Plan) -> tuple[str, ...]:
    """Under which conditions people worked."""
    sample = study.sample
    drawn = "tasks were named"
    if sample is not None:
        per = f", one per {sample.one_per}" if sample.one_per else ""
        shares = f", with the shares of {' and '.join(sample.stratify)}" if sample.stratify else ""
        drawn = f"tasks were drawn from {sample.split or 'all'}{per}{shares}, seed {study.seed}"
    limit = (
        f"{study.minutes_per_task:g} minutes" if study.minutes_per_task is not None else "no limit of time"
    )
    several = study.overlapping_people if study.overlap else 0
    return (
        f"Study {study.name} (SHA-256 {plan.hash}): {counted(len(plan.tasks), 'task')} of "
        f"{study.benchmark}; {drawn}; {counted(len(study.annotators), 'annotator')}, {study.overlap} tasks "
        f"done by {several} each.",
        f"Conditions: {study.dialect}, {'blind' if study.blind else 'scores shown'}, {limit} and at most "
        f"{study.steps_per_task} actions a task, one attempt each.",
    )
