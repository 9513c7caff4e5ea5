"""WebLINX's data sets: where they are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from webbench.benchmarks.common.data_sets import DataSets, Form
from webbench.benchmarks.weblinx.demonstrations.demonstrations import REPLAY
from webbench.benchmarks.weblinx.demonstrations.soundness import (
    check_candidates,
    check_replay,
    check_texts,
    trouble,
)
from webbench.core.benchmark.benchmark import Problem
from webbench.core.datasets.data_family import Checked
from webbench.core.datasets.first_look import Look
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject

DEMONSTRATION = "demonstrations"
REPLAYED = "replays"
TEXTS = "turns as text"
CANDIDATES = "ranked candidates"

_BEGINNING = re.compile(r'\s*\{\s*"data"\s*:\s*\[\s*\{')
"""Of a replay that is broken somewhere further on."""

_TEXT_KEYS = ("demo_name", "turn_index", "action")
_CANDIDATE_KEYS = ("demo_name", "turn_index", "uid", "elem_dict")


def _is_demonstration(look: Look) -> bool:
    return look.is_folder and (look.path / REPLAY).is_file()


def _is_replay(look: Look) -> bool:
    if look.is_folder:
        return False
    return any(map(_holds_turns, look.records)) or (
        not look.records and _BEGINNING.match(look.beginning) is not None
    )


def _holds_turns(record: JsonObject) -> bool:
    turns = record.get("data")
    return isinstance(turns, list) and any(isinstance(turn, dict) and "type" in turn for turn in turns[:20])


def _has_keys(keys: Sequence[str], look: Look) -> bool:
    return not look.is_folder and look.has(keys, len(keys))


def _check_all(
    check: Callable[[Path, str], Checked], paths: Sequence[Path], *, folders: bool = False
) -> Checked:
    """What files hold, or the replays in folders: how many turns can be used, and what is wrong."""
    turns = 0
    problems: list[Problem] = []
    for path in paths:
        file = path / REPLAY if folders else path
        name = f"{path.name}/{REPLAY}" if folders else path.name
        try:
            found = check(file, name)
        except BadData as error:
            found = Checked(0, (trouble(error, file, name),))
        turns += found.tasks
        problems += found.problems
    return Checked(turns, tuple(problems))


family = DataSets(
    "weblinx",
    __file__,
    [
        Form(
            DEMONSTRATION,
            _is_demonstration,
            partial(_check_all, partial(check_replay, whole=True), folders=True),
        ),
        Form(TEXTS, partial(_has_keys, _TEXT_KEYS), partial(_check_all, lambda file, _: check_texts(file))),
        Form(
            CANDIDATES,
            partial(_has_keys, _CANDIDATE_KEYS),
            partial(_check_all, lambda file, _: check_candidates(file)),
        ),
        Form(REPLAYED, _is_replay, partial(_check_all, partial(check_replay, whole=False))),
    ],
)
