"""`score`: recorded evidence or a file of predictions scored again, without a browser."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.api.rescored_run import counting_episodes, rescored_run
from webbench.core.api.rescoring import Rescored, rescored
from webbench.core.errors import UsageError
from webbench.core.labels.corrected_lists import corrected_episodes
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import SCORERS
from webbench.core.runner.plan.declared_options import Option
from webbench.core.runner.plan.run_request import RULE_SETS
from webbench.core.score.as_json import plain_numbers
from webbench.core.score.explanation import FLEXIBLE, HEADERS, NUMBERS, OPTIONAL, score_table
from webbench.core.score.score import Status
from webbench.core.store.called_runs import runs_meant
from webbench.core.store.index.filters import SUSPECT, parse_filter
from webbench.core.store.store import Store
from webbench.core.text.no_value import or_dash
from webbench.core.text.plural import counted
from webbench.tui.cli.asking_person import person_at
from webbench.tui.cli.options import (
    AsJson,
    Data,
    StorePath,
    asking,
)
from webbench.tui.cli.output import (
    print_json,
    print_table,
    print_text,
    say,
)
from webbench.tui.cli.place import find_episode, open_store
from webbench.tui.cli.records.prediction_report import print_figures
from webbench.tui.cli.records.predictions import OfflineRequest, score_predictions
from webbench.tui.cli.records.show import print_score
from webbench.tui.terminal import at_terminal

SCHEMA_VERSION = 1
UNKEPT = "What the judge said, or the score, was not kept with the record"


class ScoreRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `score` asks for; `anyway` scores the last evidence of an episode that has no score."""

    what: Annotated[
        str,
        Option(
            argument=True,
            help="Episode, or a unique prefix of it; a run; with --predictions: a benchmark; with --suspect: "
            "words of a filter, or none.",
        ),
    ] = ""
    predictions: Annotated[str, Option(help="Score this file of predictions; - for stdin.")] = ""
    tasks: Annotated[Path | None, Option(help="Tasks of the predictions, where not in the data folder.")] = (
        None
    )
    rules: Annotated[
        str, Option(help=f"Rule set of the headline score: {RULE_SETS}; predictions: also both.")
    ] = ""
    judge: Annotated[
        str, Option(help="Who decides where no rule can: none, human, model, or a model's name.")
    ] = "none"
    yes: Annotated[bool, Option(help="A run with a model as judge: begin without being asked.")] = False
    anyway: Annotated[bool, Option(help="An episode also where it ended without a score.")] = False
    suspect: Annotated[bool, Option(help="Name recorded scores of pages that were not there any more.")] = (
        False
    )
    as_table: Annotated[
        bool, Option(flag="--table", help="A table of every item, and of every check of it.")
    ] = False
    items: Annotated[
        tuple[str, ...],
        Option(flag="--item", help="Of the predictions only this item, with its checks; repeatable."),
    ] = ()
    data: Data = None
    store: StorePath = None


@asking(ScoreRequest)
def score_command(request: ScoreRequest, as_json: AsJson = False) -> None:
    """Score again without a browser: a recorded episode, or a file of predictions.

    An EPISODE is scored from its evidence, beside the recorded score. Exit 1 when that gives no score; so
    for one that ended without (a time limit, a crash, abandoned), whose last evidence says nothing about
    an end.

    A RUN: each of its episodes, and the benchmark's figures of what came of it. With a model as judge it
    tells how many episodes it will be asked about, and asks whether to begin. Exit 4 where one can't be
    scored, else 1 where one got no score.

    A BENCHMARK with --predictions FILE: JSON lines, a JSON list or one JSON object, - for stdin. Lines that
    can't be used are told with their number, and the rest is scored. --json has the headline figures at
    the top, then the groups, then every item with its checks and a judge's replies: put under "replies" of
    the item's line, they need no judge again. Exit 4 when a line was unusable, else 1 when something got
    no score (pending, not scored, error), else 0; an item that a rule of the evaluation leaves out is no
    failure (weblinx: turns that the published evaluation drops).

    --suspect names the episodes that were scored though their page had crashed, was closed by nobody who
    acted, or was blank by then: older releases took that for a failure. 'benchmark:demo actor:oracle' looks
    through those alone. Exit 1 when there are any, 4 when a record can't be read, else 0. In the list of
    runs, the filter status:suspect shows the same. Play them again, or dispute their scores.

    A model as judge is reached at judge.url (any OpenAI-compatible endpoint) with the key in
    WEBBENCH_JUDGE_KEY or judge.key_file. Its replies are kept beside the record, so scoring again, with the
    same judge or without one, asks nothing. Where a judge alone decides (online-mind2web, webvoyager), its
    verdict also stands in `judge table`.
    """
    predicted = bool(request.items) or request.tasks is not None
    if request.suspect:
        if request.predictions or predicted:
            raise UsageError("--suspect looks at recorded episodes", "leave the predictions out")
        raise typer.Exit(list_suspects(request.what, store=request.store, as_json=as_json))
    if not request.what:
        raise UsageError("There is nothing to score", "name an episode, or a benchmark with --predictions")
    if request.predictions:
        offline = OfflineRequest(
            benchmark=request.what,
            predictions=request.predictions,
            tasks=request.tasks,
            rules=request.rules,
            judge=request.judge,
            data=request.data,
            items=request.items,
        )
        raise typer.Exit(score_predictions(offline, as_json=as_json, as_table=request.as_table))
    if request.tasks is not None:
        raise UsageError("--tasks belongs to --predictions", "an episode holds its own task")
    if request.items:
        raise UsageError("--item belongs to --predictions", "--table shows every check of an episode")
    store = open_store(request.store)
    if runs_meant(store, request.what):
        raise typer.Exit(score_run(store, request, as_json=as_json))
    raise typer.Exit(score_episode(store, request, as_json=as_json))


def score_run(store: Store, request: ScoreRequest, *, as_json: bool) -> int:
    """Score each episode of a run again, offline.

    Exit code 4 where one can't be scored, else 1 where that gives no value. Raises `UsageError` for another
    rule set or judge, and where nobody is there to say whether to begin.
    """
    episodes, unread = counting_episodes(store, request.what)
    if request.judge not in ("none", "human") and not request.yes:
        say(f"The judge {request.judge} is asked about {counted(len(episodes), 'episode')}")
        if not at_terminal():
            raise UsageError("Nobody is there to say whether to begin", "add --yes")
        if not typer.confirm("Begin?", err=True):
            return 0
    found = rescored_run(
        store,
        request.what,
        episodes,
        rules=request.rules,
        judge=request.judge,
        anyway=request.anyway,
        data=request.data,
        ask_person=person_at(),
        told=lambda one: say(f"{one.episode}: {(one.score or one.recorded).headline()}"),
    )
    problems = (*unread, *found.problems)
    if as_json:
        print_json(plain_numbers(msgspec.to_builtins(msgspec.structs.replace(found, problems=problems))))
    else:
        rows = [
            (one.episode, one.task, one.recorded.headline(), (one.score or one.recorded).headline())
            for one in found.episodes
        ]
        print_table(("episode", "task", "recorded", f"now, {found.rules}"), rows, flexible=(2, 3))
        print_figures(found.figures)
    for problem in problems:
        say(problem)
    for why, times in Counter(one.unkept for one in found.episodes if one.unkept).items():
        say(f"{UNKEPT} ({counted(times, 'episode')}): {why}")
    scored = all(one.score is not None and one.score.status is Status.SCORED for one in found.episodes)
    return 4 if problems else 0 if scored else 1


def score_episode(store: Store, request: ScoreRequest, *, as_json: bool) -> int:
    """Score recorded evidence again, offline; exit code 1 when that gives no value.

    Raises:
        UsageError: no such episode, rule set or judge.
        BadData: the episode holds no evidence.
    """
    try:
        found = find_episode(store, request.what)
    except UsageError as error:
        if request.what not in entry_points.load(SCORERS):
            raise
        raise UsageError(error.message, f"{request.what} is a benchmark: add --predictions FILE") from error
    recorded = store.load(found)
    again = rescored(
        recorded,
        store,
        rules=request.rules,
        judge=request.judge,
        anyway=request.anyway,
        data=request.data,
        ask_person=person_at(),
    )
    if again.unkept:
        say(f"{UNKEPT}: {again.unkept}")
    if as_json:
        print_json(plain_numbers(msgspec.to_builtins(again)))
    else:
        _print_rescored(again, as_table=request.as_table)
    return 0 if again.score is not None and again.score.status is Status.SCORED else 1


def _print_rescored(again: Rescored, *, as_table: bool) -> None:
    recorded = again.recorded
    print_text(f"recorded, rules {recorded.rules}: {recorded.headline()}")
    if again.score is None:
        say("It ended without a score; --anyway scores the last evidence in the record")
        return
    print_text(f"step {again.step}, rules {again.rules}:")
    if as_table:
        print_table(HEADERS, score_table(again.score), numbers=NUMBERS, flexible=FLEXIBLE, optional=OPTIONAL)
    else:
        print_score(again.score)


def list_suspects(wanted: str, *, store: Path | None, as_json: bool) -> int:
    """Episodes that were scored though their page was not there any more.

    Exit code 4 when one can't be read, 1 when there are any, else 0. Raises `UsageError` for no filter.
    """
    opened, suspect = open_store(store), msgspec.structs.replace(parse_filter(wanted), status=SUSPECT)
    found = corrected_episodes(opened, opened.select(suspect))
    suspects = [one for one in found if one.suspicion]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "suspects": suspects})
    elif suspects:
        rows = [
            (f"{one.run}/{one.episode}", one.actor, or_dash(one.value), one.suspicion) for one in suspects
        ]
        print_table(("episode", "actor", "score", "why"), rows, numbers=(2,), flexible=(3,), optional=(1,))
    else:
        say("No recorded score is known to be of a page that was not there")
    for one in found:
        if one.problem:
            say(f"{one.run}/{one.episode}: {one.problem}")
    if any(one.problem for one in found):
        return 4
    return 1 if suspects else 0
