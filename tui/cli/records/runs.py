"""`runs`: the runs in the store, the episodes that match a filter, or those that are unfinished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.labels.corrected_lists import corrected_episodes, corrected_runs
from webbench.core.runner.plan.declared_options import Option
from webbench.core.runner.status.board import unfinished_statuses
from webbench.core.runner.status.run_status import RunStatus
from webbench.core.runner.status.status_words import standing_words
from webbench.core.store.index.filters import FIELDS, parse_filter
from webbench.core.store.index.summaries import EpisodeSummary, RunSummary
from webbench.core.store.index.unfinished import unfinished
from webbench.core.store.pools import pools_of
from webbench.core.text.durations import start_words
from webbench.core.text.no_value import NO_VALUE, or_dash
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import (
    print_json,
    print_table,
    say,
)
from webbench.tui.cli.place import open_store

SCHEMA_VERSION = 1


EPISODE_HEADERS = ("episode", "actor", "state", "score", "corrected", "steps")


def runs_list_command(
    wanted: Annotated[
        str,
        typer.Argument(help="Episodes instead: 'benchmark:webarena actor:human tag:pilot words'."),
    ] = "",
    unfinished: Annotated[
        bool,
        typer.Option("--unfinished", help="Episodes without an end that `step --resume` goes on with."),
    ] = False,
    tags: Annotated[
        tuple[str, ...], Option(flag="--tag", help="Only runs with this tag; may be repeated.")
    ] = (),
    archived: Annotated[bool, Option(help="Only what is archived.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """List the runs in the store, the episodes that match a filter, or those that are unfinished."""
    if unfinished:
        if wanted.strip():
            raise UsageError("--unfinished takes no filter", "leave one of the two out")
        raise typer.Exit(list_unfinished(store=store, as_json=as_json))
    if wanted.strip():
        raise typer.Exit(list_episodes(wanted, store=store, as_json=as_json))
    raise typer.Exit(list_runs(store=store, tags=tags, archived=archived, as_json=as_json))


def list_runs(*, store: Path | None, tags: Sequence[str], archived: bool, as_json: bool) -> int:
    """Runs, newest first; exit code 4 when one can't be read."""
    opened = open_store(store)
    all_runs = corrected_runs(opened)
    asked = {tag.casefold() for tag in tags}
    tagged = [run for run in all_runs if asked <= {tag.casefold() for tag in run.tags}]
    found = [run for run in tagged if run.archived == archived]
    hidden = 0 if archived else len(tagged) - len(found)
    pools_of_run = pools_of(opened.root)
    unreadable = any(run.problem for run in found)
    statuses = unfinished_statuses(opened.root, found)
    if as_json:
        states = {run: status.state for run, status in statuses.items()}
        pooled = {run.run: names for run in found if (names := pools_of_run.get(run.run))}
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "runs": found,
                "unfinished": states,
                "pools": pooled,
                "archived_left_out": hidden,
            }
        )
    elif not all_runs:
        say(
            f"The store {opened.root} has no runs yet: try `webbench-tui demo --headless`, "
            "or `webbench-tui run demo --agent oracle`"
        )
    else:
        figures = ("planned", "scored", "mean", "corrected")
        headers = ("run", "name", "agent", "started", *figures, "tags", "note")
        disputed = any(run.disputed for run in found)
        rows = [
            _run_row(run, statuses.get(run.run), pools_of_run.get(run.run, ()), disputed=disputed)
            for run in found
        ]
        print_table(headers, rows, numbers=(4, 5, 6, 7), flexible=(1, 2, 8, 9), optional=(3, 2))
        if hidden:
            say(f"{counted(hidden, 'archived run')} left out: --archived lists them")
    return 4 if unreadable else 0


def list_episodes(wanted: str, *, store: Path | None, as_json: bool) -> int:
    """The episodes of all runs that a filter lets through; exit code 4 when one can't be read.

    Raises `UsageError` for a filter that is none.
    """
    opened = open_store(store)
    found = corrected_episodes(opened, opened.select(parse_filter(wanted)))
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "episodes": found})
    elif not found:
        say(f"No episode matches; before a colon may stand: {', '.join(FIELDS)}")
    else:
        disputed = any(one.dispute for one in found)
        rows = [
            (f"{one.run}/{one.episode}", one.actor, *episode_row(one, disputed=disputed)[1:5])
            for one in found
        ]
        print_table(EPISODE_HEADERS, rows, numbers=(3, 4, 5), flexible=(1,), optional=(1,))
        for why, count in Counter(one.unseen_steps for one in found if one.unseen_steps).items():
            say(f"{counted(count, 'episode')} with {NO_VALUE} for steps: {why}")
    return 4 if any(one.problem for one in found) else 0


def list_unfinished(*, store: Path | None, as_json: bool) -> int:
    """Episodes that `step --resume` goes on with; exit code 4 when one of them can't be read."""
    found = unfinished(open_store(store))
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, **msgspec.structs.asdict(found)})
    elif not found.episodes:
        say("No episode is unfinished")
    else:
        rows = [
            (
                f"{one.run}/{one.episode}",
                one.benchmark,
                one.task,
                f"{one.actions} of {one.step_limit}" if one.step_limit else one.actions,
                or_dash(one.score.value) if one.score is not None else NO_VALUE,
                one.problem or one.at,
            )
            for one in found.episodes
        ]
        headers = ("episode", "benchmark", "task", "actions", "score so far", "last step")
        print_table(headers, rows, numbers=(3, 4), flexible=(5,), whole=True)
        say("webbench-tui step --resume EPISODE goes on with one")
    more = (found.of_batches, "a batch: run --resume RUN"), (found.of_studies, "a study: baseline")
    for count, whose in more:
        if count and not as_json:
            say(f"{counted(count, 'more episode')} of {whose} goes on with them")
    return 4 if any(one.problem for one in found.episodes) else 0


def _run_row(
    run: RunSummary, status: RunStatus | None, pooled: Sequence[str], *, disputed: bool
) -> tuple[object, ...]:
    notes = [run.note, standing_words(run, status)]
    if run.disputed and not run.problem:
        notes.append(disputes_text(run))
    if run.later:
        notes.append(f"{run.later} scored later")
    corrected = or_dash(run.as_corrected) if disputed else ""
    note = ", ".join(filter(None, notes))
    mean, tags = or_dash(run.mean_score), " ".join((*run.tags, *pooled))
    started = start_words(run.started)
    return run.run, run.name, run.agent, started, run.planned, run.scored, mean, corrected, tags, note


def disputes_text(run: RunSummary) -> str:
    return f"{run.disputed} disputed" + (f", {run.unconfirmed} not confirmed" if run.unconfirmed else "")


def episode_row(episode: EpisodeSummary, *, disputed: bool) -> tuple[object, ...]:
    state = episode.state if episode.state != "ended" else episode.status.words
    reason = episode.reason_words
    if episode.dispute:
        reason = "; ".join(filter(None, (episode.dispute, reason)))
    corrected = or_dash(episode.as_corrected) if disputed else ""
    return episode.episode, state, or_dash(episode.value), corrected, episode.steps_words, reason
