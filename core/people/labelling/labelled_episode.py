"""A labelled episode: how it is named and how far it goes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from webbench.core.errors import UsageError
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.score.score import Status
from webbench.core.store.records.reader import read_header
from webbench.core.store.store import Store


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """An episode as labels see it.

    Attributes:
        last: index of its last step.
        status, scored, rules: the recorded verdict.
    """

    run: str
    episode: str
    benchmark: str
    last: int
    status: Status
    scored: float | None
    rules: str


def subject(store: Store, folder: Path) -> Subject:
    """The episode in this folder of the store. Raises `BadData` where it can't be read."""
    header = read_header(folder)
    steps = header.steps - 1
    if not header.ended:
        steps = max((step.index for step in store.load(folder).steps), default=0)
    return Subject(
        run=folder.parent.name,
        episode=folder.name,
        benchmark=header.task.benchmark,
        last=max(0, steps),
        status=Status.NOT_SCORED if header.score is None else header.score.status,
        scored=None if header.score is None else header.score.value,
        rules=header.rules,
    )


def last_steps(store: Store, runs: Iterable[str] = ()) -> dict[tuple[str, str], int]:
    """Index of the last step of each (run, episode), of these runs or all. Raises `UsageError`."""
    named = list(dict.fromkeys(runs)) or [""]
    return {(episode.run, episode.episode): episode.steps for run in named for episode in store.episodes(run)}


def fitting_taxonomy(codebook: Codebook, name: str, benchmark: str) -> Taxonomy:
    """The one of this name; without a name the benchmark's own where there is one, else the merged one.

    Raises `UsageError` for a name that isn't there.
    """
    if name:
        return codebook.taxonomy(name)
    return codebook.taxonomies.get(benchmark, codebook.merged)


def required_annotator(name: str) -> str:
    """The name, or `UsageError` that says how to give one."""
    if not name:
        raise UsageError(
            "Nobody is named as annotator",
            "say --as NAME (a pseudonym), or set `annotator` in the settings",
        )
    return name
