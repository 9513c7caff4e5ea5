"""`baseline list`: the studies of a store, with how far each person is."""

from __future__ import annotations

import typer

from webbench.core.people.studies.known_studies import KnownStudy, Part, known_studies
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import open_store

SCHEMA_VERSION = 1
HEADERS = ("study", "benchmark", "annotator", "done", "of", "begun", "time")
NONE_YET = "There is no study yet: `webbench-tui baseline new NAME BENCHMARK --for WHO`"


def baseline_list_command(store: StorePath = None, as_json: AsJson = False) -> None:
    """List the studies of the store, and how far each person is.

    Exit 4 where one of them can't be read.
    """
    found = known_studies(open_store(store))
    problems = [f"{one.name}: {one.problem}" for one in found if one.problem]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "studies": found})
    elif not found:
        print_text(NONE_YET)
    else:
        print_table(HEADERS, [_row(one, part) for one in found for part in one.parts], numbers=(3, 4, 5, 6))
    for problem in problems:
        say(problem)
    raise typer.Exit(4 if problems else 0)


def _row(one: KnownStudy, part: Part) -> tuple[object, ...]:
    if part.tasks is None:
        return one.name, one.benchmark, part.annotator, "", "", "", "not begun"
    minutes = f"{part.seconds / 60:.1f} min" if part.seconds else ""
    return one.name, one.benchmark, part.annotator, part.done, part.tasks, part.begun, minutes
