"""Pairs whose first divergence the data tell: a person and two models asked on the same pages, step by step.

Mind2Web's step predictions mark whether a model's step is the person's. Both models' steps are the same where
they aim at the same element with the same operation and value.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.performance.labelled_pairs.aligned import aligned, looked_at
from tests.performance.labelled_pairs.attempt import TRAJECTORIES
from tests.performance.labelled_pairs.label import Reading
from tests.performance.labelled_pairs.measure import measured
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

FOLDER = TRAJECTORIES / "mind2web-step-predictions"
PERSON = "human"

Row = dict[str, Any]  # a step of the file, as it is


def forced_pairs(store: Store, shared: Path) -> Counter[str]:
    """Counts of the first divergences that the alignment finds in the pairs of each task."""
    list(bring_in(shared / FOLDER, known_formats(), store, only="mind2web-predictions"))
    attempts: defaultdict[str, dict[str, Trajectory]] = defaultdict(dict)
    for episode in store.episodes():
        trajectory = store.load(store.root / episode.run / episode.episode)
        attempts[trajectory.header.task.name][trajectory.header.actor] = trajectory
    counts: Counter[str] = Counter()
    for task, models in _marked(shared / FOLDER).items():
        for one, other in itertools.combinations((PERSON, *models), 2):
            first = next(_differing(models.get(one), models[other]), None)
            label = Reading(accepted=(None if first is None else (first, first),))
            found = aligned(looked_at(store, attempts[task][one], attempts[task][other]))
            counts += measured(Reading(accepted=found.accepted), label)
    return counts


def _marked(folder: Path) -> dict[str, dict[str, list[Row]]]:
    """The steps of each model, by task."""
    found: defaultdict[str, defaultdict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(folder.glob("*.json")):
        told = json.loads(path.read_text("utf-8"))
        for row in told["predictions"]:
            found[row["task_id"]][told["model"]].append(row)
    return {task: dict(models) for task, models in found.items()}


def _differing(one: list[Row] | None, other: list[Row]) -> Iterator[int]:
    """Numbers of the steps in which two differ; `one` is None for the person."""
    for number, row in enumerate(other, 1):
        if not row["step_correct"] if one is None else _chosen(one[number - 1]) != _chosen(row):
            yield number


def _chosen(row: Row) -> tuple[object, str, str]:
    element = PERSON if row["element_correct"] else row["pred_element_idx"]
    return element, row["pred_op"], (row["pred_value"] or "").strip().casefold()
