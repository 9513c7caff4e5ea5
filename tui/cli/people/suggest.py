"""`label suggest`: what a program makes of an episode, for a person to confirm or not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.analysis.findings.suggest import SCHEMA_VERSION, suggest_for
from webbench.core.analysis.findings.suggestion import TITLES, Suggestion
from webbench.core.errors import BadData
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say
from webbench.tui.cli.people.label import chosen_episodes
from webbench.tui.cli.place import open_store

HEADERS = ("step", "from", "suggestion", "evidence", "text", "would be")


def label_suggest_command(
    episodes: Annotated[list[str], typer.Argument(help="Episodes or runs.")],
    blind: Annotated[
        bool, typer.Option("--blind", help="Leave out what rests on the score or the reference answer.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """What may have gone wrong, with the step that shows it: guesses of a program, no labels.

    Exit 4 where an episode could not be read.
    """
    raise typer.Exit(print_suggestions(episodes, blind=blind, store=store, as_json=as_json))


def print_suggestions(names: Sequence[str], *, blind: bool, store: Path | None, as_json: bool) -> int:
    """Print what was found in each episode: 0, or 4 where one could not be read."""
    opened = open_store(store)
    found: dict[tuple[str, str], tuple[Suggestion, ...]] = {}
    problems: list[str] = []
    for run, episode in chosen_episodes(opened, names):
        try:
            trajectory = opened.load(opened.root / run / episode)
        except BadData as error:
            problems.append(str(error))
            continue
        problems += trajectory.problems
        found[run, episode] = suggest_for(opened, trajectory, blind=blind)
    if as_json:
        episodes = [
            {"run": run, "episode": episode, "suggestions": list(given)}
            for (run, episode), given in found.items()
        ]
        print_json({"schema_version": SCHEMA_VERSION, "episodes": episodes})
    else:
        for (run, episode), given in found.items():
            _print(run, episode, given)
    for problem in problems:
        say(problem)
    return 4 if problems else 0


def _print(run: str, episode: str, given: Sequence[Suggestion]) -> None:
    print_text(f"{run}/{episode}" + ("" if given else ": nothing to suggest"))
    if given:
        rows = [
            (
                one.step,
                one.first if one.first != one.step else None,
                TITLES[one.kind],
                one.text,
                one.quote,
                " ".join(one.means),
            )
            for one in given
        ]
        print_table(HEADERS, rows, numbers=(0, 1), flexible=(3, 4), optional=(5, 4))
        print_line()
