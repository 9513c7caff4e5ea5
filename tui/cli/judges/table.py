"""`judge table` and `judge queue`: judges beside rules and people, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from webbench.core.analysis.rubrics.kept_verdicts import kept_verdicts
from webbench.core.analysis.rubrics.measured_judges import SCHEMA_VERSION, Measured, judges_section
from webbench.core.analysis.rubrics.rule_readers import measured_questions
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.worksheet import LabellingOrder
from webbench.core.runner.plan.declared_options import Option
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.tui.cli.figure_lines import print_section
from webbench.tui.cli.options import Annotator, AsJson, LabelledRuns, StorePath
from webbench.tui.cli.output import print_json, print_text, say
from webbench.tui.cli.people.label import places_to_label, told_codebook
from webbench.tui.cli.place import open_store
from webbench.tui.terminal import at_terminal

OneTaxonomy = Annotated[str, Option(flag="--taxonomy", help="Only questions of this taxonomy.")]


def judge_table_command(
    runs: LabelledRuns = (),
    taxonomy: OneTaxonomy = "",
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Rules, judges and people on each question: precision, recall, kappa, corrected rate.

    Precision and recall are told for development (dev) and test apart, each with n and an interval. Only
    labels given without a verdict in sight count; which half a task belongs to follows from its name. Exit 1
    where judges answered nothing, 4 for damaged lines.
    """
    opened = open_store(store)
    found, problems = _measured(opened, runs, taxonomy)
    section = judges_section(found)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "questions": found})
    elif section is None:
        print_text("No judge has answered anything there yet: `webbench-tui judge ask RUN`")
    else:
        print_section(section)
    for problem in problems:
        say(problem)
    raise typer.Exit(4 if problems else 0 if found else 1)


def judge_queue_command(
    runs: LabelledRuns = (),
    taxonomy: OneTaxonomy = "",
    annotator: Annotator = "",
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Label the episodes on which judges and people, or two judges, differ, one after the other.

    The screen asks by one taxonomy, the first one or --taxonomy: all its questions are in one list. What
    waits by others is told afterwards. Without a terminal, or with --json, all are listed. Exit 1 where
    nobody differs.
    """
    opened = open_store(store)
    found, problems = _measured(opened, runs, taxonomy)
    waiting = [one for one in found if one.queue]
    for problem in problems:
        say(problem)
    if as_json:
        queues = [
            {
                "taxonomy": one.taxonomy,
                "question": one.question,
                "episodes": ["/".join(at) for at in one.queue],
            }
            for one in waiting
        ]
        print_json({"schema_version": SCHEMA_VERSION, "queues": queues})
    elif not waiting:
        print_text("Nobody differs")
    elif at_terminal():
        _open(opened, waiting, annotator)
    else:
        for one in waiting:
            print_text(f"{one.taxonomy}.{one.question}: {counted(len(one.queue), 'episode')}")
            for place in one.queue:
                print_text(f"  {'/'.join(place)}")
    raise typer.Exit(4 if problems else 0 if waiting else 1)


def _open(store: Store, waiting: Sequence[Measured], annotator: str) -> None:
    from webbench.tui.cli.opening_screens import run_screens
    from webbench.tui.opening import Opening

    by: dict[str, set[tuple[str, str]]] = {}
    for one in waiting:
        by.setdefault(one.taxonomy, set()).update(one.queue)
    (taxonomy, places), *others = by.items()
    order = LabellingOrder(places=tuple(sorted(places)), annotator=annotator, taxonomy=taxonomy)
    run_screens(Opening(store=store.root, labelling=order), load_settings())
    for name, left in others:
        say(f"{counted(len(left), 'episode')} more: `webbench-tui judge queue --taxonomy {name}`")


def _measured(store: Store, runs: Sequence[str], taxonomy: str) -> tuple[list[Measured], tuple[str, ...]]:
    """What is measured of these runs, of all if none is named, and damaged lines."""
    kept = kept_verdicts(store)
    readable = places_to_label(store, runs) if runs else _all(store)
    codebook = told_codebook(store)
    if taxonomy:
        codebook.taxonomy(taxonomy)
    found = measured_questions(store, kept, ledger_of(store).book(), codebook, sorted(readable))
    return [one for one in found if taxonomy in ("", one.taxonomy)], kept.problems


def _all(store: Store) -> list[tuple[str, str]]:
    return [(one.run, one.episode) for one in store.episodes() if one.state != "unreadable"]
