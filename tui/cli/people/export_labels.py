"""`label export`: labels and disputed scores for other programs."""

from __future__ import annotations

import csv
import io
import json
from typing import Annotated

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.exchange.own.table_exporter import neutralised
from webbench.core.json_types import JsonObject
from webbench.core.labels.corrections import cases
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.label_rows import SCHEMA_VERSION, dispute_rows, label_rows
from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.options import (
    Annotator,
    AsJson,
    Everything,
    LabelledRuns,
    OutFile,
    StorePath,
    TaxonomyName,
    asking,
)
from webbench.tui.cli.output import print_json, print_text, say
from webbench.tui.cli.people.label import (
    chosen_episodes,
    say_hidden,
    say_left_out,
    seen_labels,
    told_codebook,
)
from webbench.tui.cli.place import open_store


class ExportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label export` asks for."""

    runs: LabelledRuns = ()
    annotator: Annotator = ""
    taxonomy: TaxonomyName = ""
    disputes: Annotated[bool, Option(help="The queue of disputed scores instead.")] = False
    everything: Everything = False
    as_csv: Annotated[bool, Option(flag="--csv", help="CSV in place of JSON lines.")] = False
    out: OutFile = None
    store: StorePath = None


@asking(ExportRequest)
def label_export_command(request: ExportRequest, as_json: AsJson = False) -> None:
    """Labels, or disputed scores, as JSON lines, CSV, or one JSON document."""
    raise typer.Exit(export_labels(request, as_json=as_json))


def export_labels(request: ExportRequest, *, as_json: bool) -> int:
    """Print or write the rows: 0, or 4 where a line of labels could not be read.

    Raises:
        UsageError: two forms at once, or the file can't be written.
    """
    if as_json and request.as_csv:
        raise UsageError("--json and --csv can't both be written", "choose one")
    store = open_store(request.store)
    book = ledger_of(store).book()
    if request.disputes:
        places = set(chosen_episodes(store, request.runs)) if request.runs else None
        rows = dispute_rows(
            case
            for case in cases(book)
            if places is None or (case.dispute.run, case.dispute.episode) in places
        )
    else:
        seen = seen_labels(store, book, request.runs, request.annotator, request.taxonomy, request.everything)
        rows = label_rows(told_codebook(store), seen.labels)
        say_hidden(seen)
    _give_out(rows, request, as_json=as_json)
    say_left_out(book)
    for problem in book.problems:
        say(problem)
    return 4 if book.problems else 0


def _give_out(rows: list[JsonObject], request: ExportRequest, *, as_json: bool) -> None:
    kind = "disputes" if request.disputes else "labels"
    document: JsonObject = {"schema_version": SCHEMA_VERSION, kind: list(rows)}
    if request.out is None and as_json:
        print_json(document)
        return
    if as_json:
        text = json.dumps(document, indent=2) + "\n"
    else:
        text = _csv(rows) if request.as_csv else "".join(json.dumps(row) + "\n" for row in rows)
    if request.out is None:
        if text:
            print_text(text.removesuffix("\n"))
        return
    try:
        request.out.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(
            f"{request.out} can't be written: {error.strerror or error}", "name another file"
        ) from error
    say(f"{len(rows)} {kind} in {request.out}")


def _csv(rows: list[JsonObject]) -> str:
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {name: neutralised(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
        )
    return text.getvalue()
