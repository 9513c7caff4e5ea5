"""WebLINX's data sets: where they are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.weblinx.demonstrations import REPLAY
from webbench.benchmarks.weblinx.soundness import check_candidates, check_replay, check_texts, trouble
from webbench.core.datasets.contract import Checked, DataSet, read_known
from webbench.core.datasets.look import Look
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.task import Problem

DEMONSTRATION = "demonstrations"
REPLAYED = "replays"
TEXTS = "turns as text"
CANDIDATES = "ranked candidates"

_BEGINNING = re.compile(r'\s*\{\s*"data"\s*:\s*\[\s*\{')
"""Of a replay that is broken somewhere further on."""

_TEXT_KEYS = ("demo_name", "turn_index", "action")
_CANDIDATE_KEYS = ("demo_name", "turn_index", "uid", "elem_dict")


class WebLinxData:
    benchmark = "weblinx"

    def known(self) -> Sequence[DataSet]:
        return read_known(Path(__file__).with_name("data_sets.json"))

    def recognise(self, look: Look) -> str:
        if look.is_folder:
            return DEMONSTRATION if (look.path / REPLAY).is_file() else ""
        if look.has(_TEXT_KEYS, 3):
            return TEXTS
        if look.has(_CANDIDATE_KEYS, 4):
            return CANDIDATES
        is_replay = any(map(_is_replay, look.records)) or (
            not look.records and _BEGINNING.match(look.beginning)
        )
        return REPLAYED if is_replay else ""

    def check(self, form: str, paths: Sequence[Path]) -> Checked:
        turns = 0
        problems: list[Problem] = []
        for path in paths:
            file = path / REPLAY if form == DEMONSTRATION else path
            name = f"{path.name}/{REPLAY}" if form == DEMONSTRATION else path.name
            try:
                found = _checked(form, file, name)
            except BadData as error:
                found = Checked(0, (trouble(error, file, name),))
            turns += found.tasks
            problems += found.problems
        return Checked(turns, tuple(problems))


def _checked(form: str, file: Path, name: str) -> Checked:
    if form == TEXTS:
        return check_texts(file)
    if form == CANDIDATES:
        return check_candidates(file)
    return check_replay(file, name, whole=form == DEMONSTRATION)


def _is_replay(record: JsonObject) -> bool:
    turns = record.get("data")
    return isinstance(turns, list) and any(isinstance(turn, dict) and "type" in turn for turn in turns[:20])


family = WebLinxData()
