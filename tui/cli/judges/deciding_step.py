"""`judge decisive`: which step decided a failure, asked of models."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.decisive.model_level import (
    TITLES,
    UNMEASURED_JUDGE,
    WAYS,
    DecisiveSearch,
    NamedStep,
    NamedSteps,
    Way,
)
from webbench.core.analysis.rubrics.asking_judges import advice, estimate_text
from webbench.core.analysis.rubrics.transcript import TOKENS
from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.settings.load_settings import load_settings
from webbench.core.text.plural import counted
from webbench.tui.cli.judges.ask import (
    DryRun,
    MaxCost,
    TranscriptTokens,
    Yes,
    model_judge,
    model_specs,
    require_consent,
)
from webbench.tui.cli.options import AsJson, LabelledRuns, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.people.label import places_to_label
from webbench.tui.cli.place import open_store

SCHEMA_VERSION = 1
HEADERS = ("episode", "step", "by", "cites", "reason")


class DecisiveRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `judge decisive` asks for."""

    runs: LabelledRuns = ()
    judge: Annotated[str, Option(help="A model with options, 'gpt-x url=ADDRESS'.")] = ""
    ways: Annotated[
        tuple[Way, ...],
        Option(
            flag="--way",
            help="All steps at once, each after the other, or by halves; all at once if not given.",
        ),
    ] = ()
    tokens: TranscriptTokens = TOKENS
    max_cost: MaxCost = None
    dry_run: DryRun = False
    yes: Yes = False
    store: StorePath = None


@asking(DecisiveRequest)
def judge_decisive_command(request: DecisiveRequest, as_json: AsJson = False) -> None:
    """Ask a model who made the decisive mistake of each failed episode, and at which step.

    Tells the most calls that it takes and their cost, and asks whether to begin. A step that isn't there is
    refused, and so is one without a citation that holds. Replies are kept, so that a call that was killed
    goes on where it stopped; `label suggest` and reports then show what was named, as a question. Exit 1
    where no step is named, 4 where an episode could not be read.
    """
    raise typer.Exit(ask_which_step(request, as_json=as_json))


def ask_which_step(request: DecisiveRequest, *, as_json: bool) -> int:
    """Ask: 0, 1 where a step is missing, 4 where an episode can't be read.

    Raises:
        UsageError: no model; nobody there to say yes; too dear.
        StoreUnwritable: a reply could not be kept.
    """
    store, settings = open_store(request.store), load_settings()
    specs = model_specs((request.judge,) if request.judge else (), settings)
    if not specs:
        raise UsageError("No model is set that could judge", "set judge.model, or --judge NAME")
    places = places_to_label(store, request.runs)
    ways: list[Way] = [way for way in WAYS if way in (request.ways or WAYS[:1])]
    judge = model_judge(specs[0], settings)
    searches = [DecisiveSearch(store, judge, way, places, request.tokens) for way in ways]
    estimates = [search.estimate() for search in searches]
    if searches[0].solved:
        say(f"{counted(searches[0].solved, 'episode')} left out: solved, so no step decided a failure")
    for search, estimate in zip(searches, estimates, strict=True):
        say(f"{judge.name}, {TITLES[search.way]}, at most: {estimate_text(estimate)}")
    if request.dry_run:
        if as_json:
            plans = [
                {"judge": judge.name, "way": search.way, **msgspec.to_builtins(one)}
                for search, one in zip(searches, estimates, strict=True)
            ]
            print_json({"schema_version": SCHEMA_VERSION, "plans": plans})
        return 0
    require_consent(estimates, request.max_cost, yes=request.yes)
    outcomes = asyncio.run(_ask_all(searches, request.max_cost))
    return _report(searches, outcomes, as_json=as_json)


async def _ask_all(searches: list[DecisiveSearch], most_cost: float | None) -> list[NamedSteps]:
    """One way after the other, all with the same judge and its money."""
    try:
        return [await search.ask(_tell, most_cost) for search in searches]
    finally:
        await searches[0].judge.close()


def _tell(one: NamedStep) -> None:
    told = f"step {one.step}" if one.step is not None else f"no step: {one.problem}"
    say(f"{one.run}/{one.episode}, {TITLES[one.way]}: {told}")
    for reason in one.refused:
        say(f"  citation refused: {reason}")


def _report(searches: list[DecisiveSearch], outcomes: list[NamedSteps], *, as_json: bool) -> int:
    usage = searches[0].judge.usage
    if as_json:
        ways = [
            {"way": search.way, **msgspec.to_builtins(one)}
            for search, one in zip(searches, outcomes, strict=True)
        ]
        judge = {"judge": searches[0].judge.name, "usage": usage}
        print_json({"schema_version": SCHEMA_VERSION, **judge, "ways": ways})
    else:
        for search, outcome in zip(searches, outcomes, strict=True):
            print_text(f"{search.judge.name}, {TITLES[search.way]}: who, then which step, decided it?")
            rows = [_row(one) for one in outcome.named]
            print_table(HEADERS, rows, numbers=(1,), flexible=(0, 3, 4))
    say(searches[0].judge.usage_text)
    for told in advice(named.problem for one in outcomes for named in one.named):
        say(told)
    unasked = sum(one.unasked for one in outcomes)
    if unasked:
        say(f"{counted(unasked, 'question')} left unasked: the money was spent")
    say(UNMEASURED_JUDGE)
    problems = [problem for one in outcomes for problem in one.problems]
    for problem in problems:
        say(problem)
    missing = unasked or any(named.step is None for one in outcomes for named in one.named)
    return 4 if problems else 1 if missing else 0


def _row(one: NamedStep) -> tuple[object, ...]:
    return f"{one.run}/{one.episode}", one.step, one.agent, one.quotes, one.problem or one.reason
