"""Recorded demonstrations in the forms in which they are handed around.

- a folder of demonstrations, `<name>/replay.json` with `bboxes/bboxes-<n>.json` and `pages/` beside it
- one replay as a file, `<name>.replay....json`: {"data": [turn]}
- flat turns as a file: {"<name>": [{"type", "intent", "args", "props", "element", "bboxes", "xpaths"}]}
- actions as text, one a line (`derived.py`)

A folder may hold any of them. Everything is read when it is asked for; nothing here is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from webbench.benchmarks.weblinx.demonstrations.derived import derived_demonstrations
from webbench.benchmarks.weblinx.demonstrations.form_json import About, about
from webbench.benchmarks.weblinx.demonstrations.reference import Turn
from webbench.benchmarks.weblinx.pages.element_files import page_of
from webbench.benchmarks.weblinx.pages.elements import PageElements
from webbench.benchmarks.weblinx.turns.files import json_of
from webbench.benchmarks.weblinx.turns.state import state_of
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

REPLAY = "replay.json"
SPLITS = "splits.json"
ALL = "all"

Reader = Callable[[], Sequence[Turn]]


class Source(msgspec.Struct, frozen=True):
    """How one demonstration is read, and the folder that is all its own; None for one in a shared file."""

    read: Reader
    folder: Path | None = None


class Demonstrations(Mapping[str, Sequence[Turn]]):
    """Demonstrations by name, each read when it is first asked for and kept.

    Asking for one raises `KeyError` for an unknown name and `BadData` for a file that can't be used.
    """

    def __init__(self, sources: Mapping[str, Source], splits: Mapping[str, Sequence[str]]) -> None:
        self._sources = dict(sources)
        self._read: dict[str, Sequence[Turn]] = {}
        self.splits = dict(splits)
        """Names by split; one demonstration may be in several. Empty where no file tells."""
        self._splits_of: dict[str, list[str]] = {}
        for split, names in self.splits.items():
            for name in dict.fromkeys(names):
                self._splits_of.setdefault(name, []).append(split)

    def __getitem__(self, name: str) -> Sequence[Turn]:
        if name not in self._read:
            self._read[name] = self._sources[name].read()
        return self._read[name]

    def read(self, name: str) -> Sequence[Turn]:
        """The turns without keeping them, for those who go through many. Raises as asking for one does."""
        return self._sources[name].read()

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def __contains__(self, name: object) -> bool:
        return name in self._sources

    def splits_of(self, name: str) -> list[str]:
        """In the order of the file; `ALL` where no file tells."""
        return self._splits_of.get(name, [ALL])

    def folder(self, name: str) -> Path | None:
        """The folder that is all its own, None for one in a file."""
        return self._sources[name].folder

    def about(self, name: str) -> About:
        """What its form.json tells; empty where it has none. Never raises."""
        folder = self._sources[name].folder
        return About() if folder is None else about(folder)


def open_demonstrations(path: Path, *, lenient: bool = False) -> Demonstrations:
    """What a file or folder holds.

    Args:
        lenient: a file of turns that can't be used costs what is in it, and splits that can't be used are
            none; the trouble of a file comes up under its name.

    Raises `BadData` where there is nothing in it.
    """
    if not path.exists():
        raise BadData(f"{path}: there is no such file or folder")
    try:
        sources = _sources(path, lenient)
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error
    if not sources:
        raise BadData(
            f"{path}: there is no demonstration in it",
            f"name a folder of <demonstration>/{REPLAY}, or a file of replays or turns",
        )
    try:
        splits = _splits(path)
    except BadData:
        if not lenient:
            raise
        splits = {}
    return Demonstrations(sources, splits)


def _sources(path: Path, lenient: bool) -> dict[str, Source]:
    if path.is_file():
        return _sources_of_file(path)
    if (path / REPLAY).is_file():
        return {path.name: _in_folder(path)}
    found: dict[str, Source] = {}
    for entry in sorted(path.iterdir()):
        if (entry / REPLAY).is_file():
            found[entry.name] = _in_folder(entry)
        elif entry.is_dir():
            found |= _sources_below(entry, lenient)
        elif _is_turns(entry):
            found |= _sources_beside_others(entry, lenient)
    return found


def _sources_below(folder: Path, lenient: bool) -> dict[str, Source]:
    """One level further down: `demonstrations/` within a data folder, or a folder of single files."""
    found: dict[str, Source] = {}
    for entry in sorted(folder.iterdir()):
        if (entry / REPLAY).is_file():
            found[entry.name] = _in_folder(entry)
        elif entry.is_file() and _is_turns(entry):
            found |= _sources_beside_others(entry, lenient)
    return found


def _in_folder(folder: Path) -> Source:
    return Source(partial(_replay, folder / REPLAY), folder)


def _is_turns(path: Path) -> bool:
    """By its name, so that listing a folder reads no file."""
    name = path.name.lower()
    return (name.endswith(".json") and ".replay" in name) or (name.endswith(".jsonl") and "turns" in name)


def _sources_of_file(path: Path) -> dict[str, Source]:
    if path.suffix == ".jsonl":
        return {name: Source(partial(_same, turns)) for name, turns in derived_demonstrations(path).items()}
    data = json_of(path)
    if not isinstance(data, dict):
        raise BadData(f"{path}: demonstrations are a JSON object, this is a {type(data).__name__}")
    if isinstance(data.get("data"), list):
        name = path.parent.name if path.name == REPLAY else path.name.partition(".")[0]
        return {name: Source(partial(_replay, path))}
    return {name: Source(partial(_flat, turns, f"{path}: {name}")) for name, turns in data.items()}


def _sources_beside_others(path: Path, lenient: bool) -> dict[str, Source]:
    """Where a replay can't be used, its trouble comes up for it alone, under the name of the file."""
    try:
        return _sources_of_file(path)
    except BadData as error:
        if path.suffix == ".jsonl" and not lenient:
            raise
        return {path.name.partition(".")[0]: Source(partial(_raised, error))}


def _raised(error: BadData) -> Sequence[Turn]:
    raise error


def _same(turns: Sequence[Turn]) -> Sequence[Turn]:
    return turns


def _flat(data: Json, where: str) -> Sequence[Turn]:
    try:
        return flat_turns(data)
    except BadData as error:
        raise BadData(f"{where}: {error}") from error


def flat_turns(data: Json) -> list[Turn]:
    """Turns that hold their page's boxes and paths themselves. Raises `BadData` naming the turn."""
    if not isinstance(data, list):
        raise BadData("a demonstration is a list of turns")
    return [_flat_turn(turn, number) for number, turn in enumerate(data)]


def _flat_turn(data: Json, number: int) -> Turn:
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise BadData(f"turn {number} is no object with a type")
    page = PageElements(_object(data, "bboxes", number), _object(data, "xpaths", number) or {})
    return Turn(
        type=data["type"],
        intent=data.get("intent"),
        args=_object(data, "args", number),
        props=_object(data, "props", number),
        element=_object(data, "element", number),
        speaker=data.get("speaker"),
        utterance=data.get("utterance"),
        page=lambda: page,
    )


def _replay(path: Path) -> list[Turn]:
    """The turns of a replay.json. Raises `BadData` naming the file and the turn."""
    data = json_of(path)
    turns = data.get("data") if isinstance(data, dict) else None
    if not isinstance(turns, list):
        raise BadData(f'{path}: a replay is an object with a list "data"')
    try:
        return [replay_turn(turn, number, path.parent) for number, turn in enumerate(turns)]
    except BadData as error:
        raise BadData(f"{path}: {error}") from error


def replay_turn(data: Json, number: int, folder: Path) -> Turn:
    """One turn of a replay.json that lies in `folder`. Raises `BadData` naming the turn."""
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise BadData(f"turn {number} is no object with a type")
    action = _object(data, "action", number) or {}
    arguments = _object(action, "arguments", number)
    shown = (_object(data, "state", number) or {}).get("page")
    inside = arguments or {}
    return Turn(
        type=data["type"],
        intent=action.get("intent"),
        args=arguments,
        props=_object(inside, "properties", number),
        element=_object(inside, "element", number),
        speaker=data.get("speaker"),
        utterance=data.get("utterance"),
        page=partial(page_of, folder, shown),
        state=partial(state_of, data, folder),
    )


def _object(data: JsonObject, name: str, number: int) -> JsonObject | None:
    value = data.get(name)
    if value is not None and not isinstance(value, dict):
        raise BadData(f'"{name}" of turn {number} is no object')
    return value


def _splits(path: Path) -> dict[str, list[str]]:
    """From `splits.json` in the folder or its parent. Raises `BadData` where it has another shape."""
    folder = path if path.is_dir() else path.parent
    file = next((place / SPLITS for place in (folder, folder.parent) if (place / SPLITS).is_file()), None)
    if file is None:
        return {}
    data = json_of(file)
    if not isinstance(data, dict) or not all(map(_are_names, data.values())):
        raise BadData(f"{file}: splits are an object of lists of names")
    return data


def _are_names(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
