"""`interventions`: how often and where people stepped in while agents worked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.run_records import RecordedRun, read_runs
from webbench.core.analysis.runs.interventions import (
    SCHEMA_VERSION,
    Watched,
    figures_of,
    interventions_section,
    watched,
)
from webbench.core.errors import BadData
from webbench.core.statistics.figures import letter
from webbench.core.store.called_runs import runs_called
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.tui.cli.figure_lines import print_section
from webbench.tui.cli.options import AsJson, BenchmarkRuns, StorePath
from webbench.tui.cli.output import print_json, print_text, say
from webbench.tui.cli.place import open_store


def interventions_command(
    runs: BenchmarkRuns,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Tell how often and where people stepped in while agents worked, and how much they changed.

    Every decision on a proposal (accepted, picked, edited, replaced, rejected), taking over, pausing, and
    what the guard refused, by episode and step. Exit 4 when an episode could not be read.
    """
    raise typer.Exit(print_interventions(runs, store=store, as_json=as_json))


def print_interventions(runs: Sequence[str], *, store: Path | None, as_json: bool) -> int:
    """Print them: 0, or 4 where an episode could not be read. Raises `UsageError` for unknown runs."""
    opened = open_store(store)
    found = {letter(at): run for at, run in enumerate(read_runs(opened, runs_called(opened, runs)))}
    problems = [problem for run in found.values() for problem in run.problems]
    episodes = {at: _read(opened, run, problems) for at, run in found.items()}
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "runs": [
                    {"run": run.run, "agent": run.agent, "figures": figures_of(episodes[at])}
                    for at, run in found.items()
                ],
                "interventions": [
                    it for every in episodes.values() for one in every for it in one.interventions
                ],
                "problems": problems,
            }
        )
    else:
        _print(found, episodes)
    for problem in problems:
        say(problem)
    return 4 if problems else 0


def _print(found: dict[str, RecordedRun], episodes: dict[str, list[Watched]]) -> None:
    for at, run in found.items():
        print_text(f"{at}  {run.agent or 'nobody'}  {run.run}, {counted(len(run.episodes), 'episode')}")
    section = interventions_section(episodes)
    if section is not None:
        print_section(section)
        return
    proposals = sum(figures_of(every).proposals for every in episodes.values())
    untold = sum(figures_of(every).untold for every in episodes.values())
    print_text(f"nobody stepped in: {counted(proposals, 'proposal')} of agents, all carried out as they were")
    if untold:
        print_text(f"{counted(untold, 'step')} of operators: their records don't tell how they came about")


def _read(store: Store, run: RecordedRun, problems: list[str]) -> list[Watched]:
    found = []
    for one in run.episodes:
        try:
            trajectory = store.load(store.root / one.run / one.episode)
        except BadData as error:
            problems.append(f"{one.name}: {error}")
            continue
        problems += [f"{one.name}: {problem}" for problem in trajectory.problems]
        found.append(watched(one.name, trajectory, RecordedEpisode(store, trajectory).seen_before))
    return found
