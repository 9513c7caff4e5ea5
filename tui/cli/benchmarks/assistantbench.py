"""`assistantbench difficulty`."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_table, say
from webbench.tui.cli.place import open_store

SCHEMA_VERSION = 1


def assistantbench_difficulty_command(
    first: Annotated[str, Option(argument=True, help="A run of a closed-book model; @NAME: a pool.")],
    second: Annotated[str, Option(argument=True, help="A run of another one.")],
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Rate how difficult tasks are by two runs of closed-book models, as the authors did.

    Easy: both reach an accuracy of 0.5. Medium: one of them. Hard: none (section 6.1). A task that one of the
    runs has no score for is not rated. Exit 0, or 1 where tasks are not rated.
    """
    from webbench.benchmarks.assistantbench.difficulty import rate_difficulty
    from webbench.core.analysis.recorded.run_records import read_runs
    from webbench.core.store.called_runs import runs_called

    opened = open_store(store)
    rated = rate_difficulty(read_runs(opened, runs_called(opened, (first, second))))
    counts = Counter(one.difficulty or "not rated" for one in rated)
    changed = sum(bool(one.given and one.difficulty and one.given != one.difficulty) for one in rated)
    if as_json:
        told = {"tasks": rated, "counts": counts, "unlike_the_data": changed}
        print_json({"schema_version": SCHEMA_VERSION, **told})
    else:
        rows = [(one.task, *one.scores, one.difficulty or "not rated", one.given) for one in rated]
        headers = ("task", "first", "second", "difficulty", "in the data")
        print_table(headers, rows, numbers=(1, 2), flexible=(0,))
        say(", ".join(f"{name}: {count}" for name, count in counts.items()) + f"; unlike the data: {changed}")
    raise typer.Exit(1 if counts["not rated"] else 0)
