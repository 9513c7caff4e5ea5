"""WebLINX's data sets: where they are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.weblinx.demonstrations import REPLAY
from webbench.benchmarks.weblinx.soundness import check_replay, check_texts
from webbench.core.datasets.contract import Checked, DataSet, read_known
from webbench.core.datasets.look import Look
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.task import Problem

DEMONSTRATION = "demonstrations"
REPLAYED = "replays"
TEXTS = "turns as text"

_TEXT_KEYS = ("demo_name", "turn_index", "action")


class WebLinxData:
    benchmark = "weblinx"

    def known(self) -> Sequence[DataSet]:
        return read_known(Path(__file__).with_name("data_sets.json"))

    def recognise(self, look: Look) -> str:
        if look.is_folder:
            return DEMONSTRATION if (look.path / REPLAY).is_file() else ""
        if look.has(_TEXT_KEYS, 3):
            return TEXTS
        return REPLAYED if any(map(_is_replay, look.records)) else ""

    def check(self, form: str, paths: Sequence[Path]) -> Checked:
        turns = 0
        problems: list[Problem] = []
        for path in paths:
            try:
                found = _checked(form, path)
            except BadData as error:
                found = Checked(0, (Problem(path.name, str(error), "error"),))
            turns += found.tasks
            problems += found.problems
        return Checked(turns, tuple(problems))


def _checked(form: str, path: Path) -> Checked:
    if form == DEMONSTRATION:
        return check_replay(path / REPLAY, f"{path.name}/{REPLAY}", whole=True)
    return check_texts(path) if form == TEXTS else check_replay(path, path.name, whole=False)


def _is_replay(record: JsonObject) -> bool:
    turns = record.get("data")
    return isinstance(turns, list) and any(isinstance(turn, dict) and "type" in turn for turn in turns[:20])


family = WebLinxData()
