"""`compare`: attempts at one task, aligned step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.analysis.compare.comparison import SCHEMA_VERSION, Attempt, Comparison, compare
from webbench.core.analysis.compare.milestones import reached_words
from webbench.core.analysis.compare.row_marks import FLAG_WORDS, Flag, MarkedRow
from webbench.core.analysis.compare.sentences import details, score_words, summary, sureness_words
from webbench.core.analysis.recorded.gold_trajectory import GoldTrajectories
from webbench.core.analysis.recorded.other_attempts import attempts_by_task, other_attempts
from webbench.core.benchmark.subsets import with_subsets
from webbench.core.errors import UsageError
from webbench.core.score.explanation import given_words, value_words
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.called_runs import MOST_NAMED, runs_meant
from webbench.core.store.index.summaries import EpisodeSummary, read_summary
from webbench.core.store.records.reader import read_header
from webbench.core.store.store import Store
from webbench.core.text.durations import start_words
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say
from webbench.tui.cli.place import find_episode, open_store

MARKS = {"same": "=", "parts": "≠ they part", "differs": "≠", "aside": "+", "meets": "= again"}
UNEQUAL = "‼ unequal effect"


def compare_command(
    episodes: Annotated[
        list[str],
        typer.Argument(help="Episodes of one task; or runs, or pools (@NAME), for their attempts at it."),
    ],
    tasks: Annotated[
        list[str] | None,
        typer.Option("--task", help="Which task, where runs are named; @NAME: that of a subset."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Also with every other attempt at the first one's task.")
    ] = False,
    others: Annotated[
        bool, typer.Option("--others", help="Only list what the episode can be compared with.")
    ] = False,
    screen: Annotated[bool, typer.Option("--screen", help="Show them side by side on a screen.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Align attempts at one task step by step: where they part, meet again, and go in circles.

    A human's attempt comes first, the gold trajectory of the task before all; one ended episode alone is held
    against that. Exit 4 when part of a record could not be read.
    """
    if screen:
        open_comparison(episodes, tasks=tasks or (), every=every, store=store)
        return
    if others:
        raise typer.Exit(list_attempts(episodes[0], store=store, as_json=as_json))
    raise typer.Exit(compare_episodes(episodes, tasks=tasks or (), every=every, store=store, as_json=as_json))


def compare_episodes(
    names: Sequence[str], *, tasks: Sequence[str] = (), every: bool, store: Path | None, as_json: bool
) -> int:
    """Print the alignment: 0, or 4 where part of a record could not be read.

    Args:
        tasks: the one that is meant where runs are named.
        every: also with all other attempts at the task of the first episode.

    Raises `UsageError` for fewer than two episodes, unknown ones, or ones of different tasks.
    """
    opened = open_store(store)
    folders = chosen_folders(opened, names, tasks=tasks, every=every)
    found = compare(opened, [opened.load(folder) for folder in folders], load_settings().annotator)
    if as_json:
        told = {"summary": summary(found), "sureness": found.sureness.words, "details": details(found)}
        print_json({"schema_version": SCHEMA_VERSION, **told, "comparison": found})
    else:
        _print(found)
    problems = [f"{attempt.name}: {problem}" for attempt in found.attempts for problem in attempt.problems]
    for problem in problems:
        say(problem)
    return 4 if problems else 0


def list_attempts(name: str, *, store: Path | None, as_json: bool) -> int:
    """Print what an episode can be compared with: always 0.

    Raises `UsageError` for an unknown episode.
    """
    opened = open_store(store)
    episode = read_summary(find_episode(opened, name))
    others = other_attempts(opened, episode)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "episode": episode, "others": others})
        return 0
    told = f"{counted(len(others), 'other attempt')} at it beside {episode.episode}"
    print_text(f"{episode.benchmark} · {episode.task}: {told}")
    if others:
        headers = ("episode", "actor", "score", "steps", "started", "run")
        rows = [_attempt_row(one) for one in others]
        print_table(headers, rows, numbers=(3,), flexible=(1, 5), optional=(5, 4))
    return 0


def chosen_folders(
    store: Store, names: Sequence[str], *, tasks: Sequence[str] = (), every: bool
) -> tuple[Path, ...]:
    """The named episodes, and the attempts of named runs and pools at their task, each once.

    Args:
        tasks: the one that is meant where runs alone are named; by default the only one that all attempted.
        every: after them the other attempts at the first one's task.

    Raises `UsageError` for unknown ones, and where it is open which task is meant.
    """
    runs = {name: runs_meant(store, name) for name in names}
    own = {name: find_episode(store, name) for name in names if not runs[name]}
    tried = {name: attempts_by_task(store, runs[name]) for name in names if runs[name]}
    task = _task([read_summary(one) for one in own.values()], tried, tasks) if tried else ""
    if without := [name for name, found in tried.items() if task not in found]:
        raise UsageError(f"{without[0]} has no attempt at {task}", "leave it out")
    folders: list[Path] = []
    for name in names:
        if name in own:
            folders.append(own[name])
        else:
            folders += [store.root / one.run / one.episode for one in tried[name].get(task, ())]
    if every:
        others = other_attempts(store, read_summary(folders[0]))
        folders += [store.root / one.run / one.episode for one in others]
    return _with_gold(store, tuple(dict.fromkeys(folders)))


def _with_gold(store: Store, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    """The gold trajectory of the task first, where it is among them or one ended episode stands alone."""
    first = read_header(folders[0])
    golds = GoldTrajectories(store)
    gold, problem = golds.told_of(first.task.benchmark, first.task.id) if first.ended else (None, "")
    if problem:
        say(problem)
    if gold is None or not (len(folders) == 1 or golds.folder(gold) in folders):
        return folders
    return tuple(dict.fromkeys((golds.folder(gold), *folders)))


def _task(
    episodes: Sequence[EpisodeSummary],
    tried: Mapping[str, Mapping[str, Sequence[EpisodeSummary]]],
    wanted: Sequence[str],
) -> str:
    """The id of the task that is meant beside named runs. Raises `UsageError` where that is open."""
    if episodes and not wanted:
        return episodes[0].task
    ids = {task: one[0] for found in tried.values() for task, one in found.items()}
    among = set(ids)
    if wanted:
        benchmark = next((one.benchmark for one in ids.values()), "")
        named = set(with_subsets(benchmark, wanted))
        among = {task for task, one in ids.items() if {task, one.name} & named}
    shared = sorted(task for task in among if all(task in found for found in tried.values()))
    if len(shared) != 1:
        several = ", ".join(shared[:MOST_NAMED]) or "none"
        raise UsageError(
            f"{', '.join(tried)} have {counted(len(shared), 'task')} in common: {several}",
            "name one that all attempted by --task",
        )
    return shared[0]


def open_comparison(
    names: Sequence[str], *, tasks: Sequence[str] = (), every: bool, store: Path | None
) -> None:
    """Attempts at a task side by side.

    Raises `UsageError` for fewer than two episodes, unknown ones, or ones of different tasks, `BadData`.
    """
    from webbench.core.analysis.compare.comparison import comparable
    from webbench.tui.cli.opening_screens import run_screens
    from webbench.tui.opening import Opening

    opened = open_store(store)
    folders = chosen_folders(opened, names, tasks=tasks, every=every)
    comparable([read_header(folder) for folder in folders])
    run_screens(Opening(store=opened.root, compare=folders), load_settings())


def _attempt_row(one: EpisodeSummary) -> tuple[object, ...]:
    value = value_words(one.value, one.status)
    if one.dispute:
        value += f", corrected {given_words(one.corrected)}"
    return one.episode, one.actor, value, one.steps, start_words(one.started), one.run


def _print(found: Comparison) -> None:
    print_text(f"{found.benchmark} · {found.task} · {found.intent}")
    print_text(summary(found))
    print_text(sureness_words(found))
    print_line()
    headers = ["row", "", *(attempt.name for attempt in found.attempts)]
    rows = [[at + 1, _mark(mark), *_cells(found, at, mark)] for at, mark in enumerate(found.marks)]
    rows.append(["", "score", *(score_words(attempt) for attempt in found.attempts)])
    rows.append(["", "time", *(_time(attempt.seconds) for attempt in found.attempts)])
    print_table(headers, rows, numbers=(0,), flexible=tuple(range(2, len(headers))))
    for line in ["", *details(found)]:
        print_text(line)
    _print_milestones(found)
    _print_phases(found)


def _mark(mark: MarkedRow) -> str:
    return f"{MARKS[mark.kind]} {UNEQUAL}" if mark.unequal else MARKS[mark.kind]


def _cells(found: Comparison, at: int, mark: MarkedRow) -> list[str]:
    places = found.alignment.rows[at].places
    return [
        "" if place is None else _cell(attempt, place, flags)
        for attempt, place, flags in zip(found.attempts, places, mark.flags, strict=True)
    ]


def _cell(attempt: Attempt, place: int, flags: Sequence[Flag]) -> str:
    told = "".join(f"({FLAG_WORDS[flag]}) " for flag in flags)
    labels = "".join(f"[{label.code}] " for label in attempt.labels_of(attempt.steps[place]))
    return f"{attempt.steps[place]} {told}{labels}{attempt.done[place].words}"


def _time(seconds: float | None) -> str:
    return f"{seconds:.1f} s" if seconds else "not recorded"


def _print_milestones(found: Comparison) -> None:
    if not found.milestones:
        return
    print_text("\nchecks, and the step after which each was first met")
    rows = [[one.target, one.name, *map(reached_words, one.reached)] for one in found.milestones]
    headers = ["target", "check", *(attempt.name for attempt in found.attempts)]
    print_table(headers, rows, flexible=(0, 1))


def _print_phases(found: Comparison) -> None:
    print_text("\nsteps and time per phase")
    rows = [
        [
            f"{one.first + 1}" if one.first == one.last else f"{one.first + 1}–{one.last + 1}",
            one.kind,
            *(
                f"{steps}" if not seconds else f"{steps} in {seconds:.1f} s"
                for steps, seconds in zip(one.steps, one.seconds, strict=True)
            ),
        ]
        for one in found.phases
    ]
    print_table(["rows", "phase", *(attempt.name for attempt in found.attempts)], rows)
