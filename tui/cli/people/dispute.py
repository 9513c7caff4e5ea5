"""`label dispute`, `label disputes` and `label rule`: verdicts that somebody holds to be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.labels.corrections import SCHEMA_VERSION, Case, cases
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.disputing import disputed, ruled, withdrawn
from webbench.core.people.labelling.labelled_episode import subject
from webbench.core.runner.plan.declared_options import Option
from webbench.core.score.explanation import given_words
from webbench.core.text.no_value import or_dash
from webbench.tui.cli.options import (
    Annotator,
    AsJson,
    EvidentStep,
    LabelledRuns,
    Note,
    Quote,
    StorePath,
    asking,
)
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.people.label import chosen_episodes, say_left_out
from webbench.tui.cli.place import chosen_annotator, find_episode, open_store

HEADERS = ("episode", "scored", "corrected", "state", "by", "step", "reason")


class DisputeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label dispute` asks for."""

    episode: Annotated[str, Option(argument=True, help="An episode whose score is wrong.")]
    annotator: Annotator = ""
    score: Annotated[float | None, Option(help="What it should be, 0 to 1.")] = None
    reason: Annotated[str, Option(help="Why the verdict is wrong.")] = ""
    step: EvidentStep = None
    quote: Quote = ""
    check: Annotated[str, Option(help="Target of the check that is wrong.")] = ""
    withdraw: Annotated[bool, Option(help="Take one's dispute back.")] = False
    store: StorePath = None


class RulingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label rule` asks for."""

    episode: Annotated[str, Option(argument=True, help="An episode with a disputed score.")]
    verdict: Annotated[str, Option(argument=True, help="accepted, rejected, or open again.")]
    annotator: Annotator = ""
    disputed_by: Annotated[str, Option(help="Whose dispute, where there are several.")] = ""
    note: Note = ""
    store: StorePath = None


@asking(DisputeRequest)
def label_dispute_command(request: DisputeRequest, as_json: AsJson = False) -> None:
    """Flag an evaluator's verdict as wrong; both numbers are shown from then on, none is replaced."""
    raise typer.Exit(dispute_score(request, as_json=as_json))


def label_disputes_command(runs: LabelledRuns = (), store: StorePath = None, as_json: AsJson = False) -> None:
    """The queue of disputed scores, those nobody ruled on first."""
    raise typer.Exit(list_disputes(runs, store=store, as_json=as_json))


@asking(RulingRequest)
def label_rule_command(request: RulingRequest, as_json: AsJson = False) -> None:
    """Say what becomes of a dispute."""
    raise typer.Exit(rule_on(request, as_json=as_json))


def dispute_score(request: DisputeRequest, *, as_json: bool) -> int:
    """Flag the verdict, or take the flag back. Raises `UsageError` for what is missing or can't be."""
    store = open_store(request.store)
    place = subject(store, find_episode(store, request.episode))
    annotator = chosen_annotator(request.annotator)
    if request.withdraw:
        entry = withdrawn(ledger_of(store).book(), place, annotator)
    else:
        entry = disputed(
            place,
            annotator,
            corrected=request.score,
            reason=request.reason,
            evidence=request.step,
            quote=request.quote,
            check=request.check,
        )
    ledger_of(store).add([entry])
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "dispute": entry})
    elif request.withdraw:
        print_text("taken back; it stays on disk")
    else:
        print_text(f"as scored {given_words(entry.scored)}, as corrected {given_words(entry.corrected)}")
    return 0


def list_disputes(names: Sequence[str], *, store: Path | None, as_json: bool) -> int:
    """Print the queue: 1 while some are open, 4 where a line could not be read, else 0."""
    opened = open_store(store)
    book = ledger_of(opened).book()
    places = set(chosen_episodes(opened, names)) if names else None
    found = [
        case for case in cases(book) if places is None or (case.dispute.run, case.dispute.episode) in places
    ]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "disputes": found})
    elif not found:
        print_text("No score is disputed")
    else:
        print_table(HEADERS, [_row(case) for case in found], numbers=(1, 2, 5), flexible=(0, 6), whole=True)
    say_left_out(book)
    for problem in book.problems:
        say(problem)
    return 4 if book.problems else int(any(case.state == "open" for case in found))


def rule_on(request: RulingRequest, *, as_json: bool) -> int:
    """Accept or reject a dispute, or open it again. Raises `UsageError`."""
    store = open_store(request.store)
    folder = find_episode(store, request.episode)
    place = (folder.parent.name, folder.name)
    annotator = chosen_annotator(request.annotator)
    entry = ruled(
        ledger_of(store).book(), place, annotator, request.verdict, by=request.disputed_by, note=request.note
    )
    ledger_of(store).add([entry])
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "ruling": entry})
    else:
        print_text(f"the dispute of {entry.disputed_by} is {entry.verdict}")
    return 0


def _row(case: Case) -> tuple[object, ...]:
    dispute = case.dispute
    reason = f"{dispute.reason}: “{dispute.quote}”" if dispute.quote else dispute.reason
    return (
        f"{dispute.run}/{dispute.episode}",
        or_dash(dispute.scored),
        or_dash(dispute.corrected),
        case.state,
        dispute.annotator,
        dispute.evidence,
        reason,
    )
