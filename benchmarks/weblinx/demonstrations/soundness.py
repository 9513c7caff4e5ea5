"""What is wrong with the files of demonstrations, turn by turn, each with its line; nothing here is fatal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from webbench.benchmarks.weblinx.candidates.published_rankings import CandidateLine, box_of_text
from webbench.benchmarks.weblinx.demonstrations.demonstrations import REPLAY, replay_turn
from webbench.benchmarks.weblinx.demonstrations.derived import read_lines
from webbench.benchmarks.weblinx.demonstrations.reference import reference_action
from webbench.benchmarks.weblinx.turns.files import (
    converted,
    decoded,
    json_of,
    numbered_lines,
    read_text,
)
from webbench.benchmarks.weblinx.turns.state import PAGES, SCREENSHOTS, file_in
from webbench.core.benchmark.benchmark import Problem
from webbench.core.datasets.data_family import Checked
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.text.json_places import element_lines


def check_replay(path: Path, name: str, *, whole: bool) -> Checked:
    """The turns of a replay.json.

    Args:
        name: of the file, for messages.
        whole: its folder is complete, so that pages and screenshots which it names have to be there.

    Raises `BadData` where it is no replay.
    """
    data = json_of(path)
    turns = data.get("data") if isinstance(data, dict) else None
    if not isinstance(turns, list):
        raise BadData(f'{path}: a replay is an object with a list "data"')
    lines = element_lines(read_text(path), "data")
    usable = 0
    problems: list[Problem] = []
    for number, turn in enumerate(turns):
        where = f"{name}:{lines[number]}"
        trouble = _trouble(turn, number, path.parent)
        usable += not trouble
        if trouble:
            problems.append(Problem(where, trouble, "error"))
        elif whole:
            problems += [Problem(where, f"turn {number}: {told}") for told in _missing(turn, path.parent)]
    return Checked(usable, tuple(problems))


def check_folder(folder: Path) -> Checked:
    """The turns of a demonstration's own folder; a replay that can't be read is its only problem."""
    file, name = folder / REPLAY, f"{folder.name}/{REPLAY}"
    try:
        return check_replay(file, name, whole=True)
    except BadData as error:
        return Checked(0, (trouble(error, file, name),))


def check_texts(path: Path) -> Checked:
    """The turns of a file of actions as text."""
    usable = 0
    problems: list[Problem] = []
    for line in read_lines(path):
        if isinstance(line, BadData):
            problems.append(trouble(line, path, path.name))
        else:
            usable += 1
    return Checked(usable, tuple(problems))


def check_candidates(path: Path) -> Checked:
    """The elements of a file of ranked candidates; none of them is a task of its own."""
    problems: list[Problem] = []
    for where, text in numbered_lines(path):
        try:
            line = converted(decoded(text, where), CandidateLine, where)
            box_of_text(line.elem_dict.bbox, where)
        except BadData as error:
            problems.append(trouble(error, path, path.name))
    return Checked(0, tuple(problems))


def _trouble(turn: Json, number: int, folder: Path) -> str:
    """Why a turn can't be used, "" where it can."""
    try:
        read = replay_turn(turn, number, folder)
    except BadData as error:
        return str(error)
    try:
        reference_action(read, read.page())
    except BadData as error:
        return f"turn {number}: {error}"
    return ""


def _missing(turn: JsonObject, folder: Path) -> Iterator[str]:
    state = turn.get("state") or {}
    for key, place in (("page", PAGES), ("screenshot", SCREENSHOTS)):
        name = state.get(key)
        if name is None:
            continue
        if file_in(folder / place, name) is None:
            yield f"its {key} {str(name)[:60]!r} is not in {place}/"


def trouble(error: BadData, file: Path, name: str) -> Problem:
    """What is wrong with a file or one of its lines: the error's message begins with its path."""
    told = str(error).removeprefix(str(file))
    if not told.startswith(":"):
        return Problem(name, told.strip(), "error")
    line, _, reason = told.removeprefix(":").partition(": ")
    return Problem(f"{name}:{line}" if line.isdecimal() else name, reason or line.strip(), "error")
