"""Files of ranked candidates as they are published, one element a line.

`candidates*.jsonl`: {"demo_name", "turn_index", "uid", "score", "query", "elem_dict": {"tag", "xpath",
"text", "bbox": "x=.. y=.. width=.. height=..", "attributes", "children"}}. The files of the data set hold
gigabytes, so that one is read by places: an index tells which bytes are about which demonstration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText
from webbench.benchmarks.weblinx.turns.files import converted, json_lines
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.observation import Viewport

PATTERNS = ("candidates*.jsonl", "candidates/*.jsonl")
LONGEST_LINE = 1 << 20
"""Bytes."""

_BOX = re.compile(r"x=(\S+) y=(\S+) width=(\S+) height=(\S+)")
_VIEWPORT = re.compile(r"Viewport\(height=(\d{1,5}), width=(\d{1,5})\)")

Scores = Mapping[str, float]
"""Score by element; higher is likelier."""


class _Described(msgspec.Struct, frozen=True):
    bbox: str
    tag: str = ""
    xpath: str = ""
    text: str = ""
    attributes: str = ""
    children: str = ""


class CandidateLine(msgspec.Struct, frozen=True):
    """One line of a file of candidates; `label` is 1 for the element that the navigator used."""

    demo_name: str
    turn_index: int
    uid: str
    elem_dict: _Described
    score: float | None = None
    query: str = ""
    label: int = 0

    @property
    def text(self) -> CandidateText:
        element = self.elem_dict
        return CandidateText(
            uid=self.uid,
            tag=element.tag,
            xpath=element.xpath,
            text=element.text,
            bbox=element.bbox,
            attributes=element.attributes,
            children=element.children,
        )

    @property
    def viewport(self) -> Viewport | None:
        """As the query tells it."""
        found = _VIEWPORT.match(self.query)
        return Viewport(width=int(found[2]), height=int(found[1])) if found else None


class _Name(msgspec.Struct, frozen=True):
    """All that the index reads of a line."""

    demo_name: str


_names = msgspec.json.Decoder(_Name)
_candidates = msgspec.json.Decoder(CandidateLine)


def candidate_lines(file: Path) -> Iterator[tuple[str, CandidateLine]]:
    """("file:line", candidate). Raises `BadData` naming file and line of what can't be used."""
    for where, data in json_lines(file):
        yield where, converted(data, CandidateLine, where)


def box_of_text(text: str, where: str) -> JsonObject:
    """A box from "x=.. y=.. width=.. height=..". Raises `BadData` for anything else."""
    found = _BOX.fullmatch(text.strip())
    try:
        x, y, width, height = map(float, found.groups() if found else ())
    except ValueError:
        raise BadData(f'{where}: the box "{text[:60]}" is not "x=.. y=.. width=.. height=.."') from None
    edges = {"left": x, "top": y, "right": x + width, "bottom": y + height}
    return {"x": x, "y": y, "width": width, "height": height, **edges}


class _Place(NamedTuple):
    """Bytes of a file that hold lines of one demonstration."""

    file: Path
    start: int
    end: int


class CandidateFiles:
    """The files of candidates beside a folder of demonstrations; each is looked through once."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = tuple(files)

    def scores(self, demonstration: str, turn: int) -> Scores:
        """Empty where no file ranks the elements of this turn."""
        return self._of(demonstration).get(turn, {})

    @lru_cache(maxsize=4)  # noqa: B019 - one benchmark keeps its files for as long as it lives
    def _of(self, demonstration: str) -> dict[int, dict[str, float]]:
        """By turn."""
        return {
            turn: {one.uid: one.score for one in lines if one.score is not None}
            for turn, lines in self.lines(demonstration).items()
        }

    @lru_cache(maxsize=4)  # noqa: B019 - as above
    def lines(self, demonstration: str) -> dict[int, list[CandidateLine]]:
        """Of each turn, in the order of the files. What can't be read is left out: `data check` tells."""
        found: dict[int, list[CandidateLine]] = {}
        for file, start, end in self._index.get(demonstration, ()):
            with suppress(OSError), file.open("rb") as stream:
                stream.seek(start)
                for line in stream.read(end - start).splitlines():
                    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                        one = _candidates.decode(line)
                        found.setdefault(one.turn_index, []).append(one)
        return found

    @cached_property
    def _index(self) -> dict[str, list[_Place]]:
        """Where each demonstration's lines are; lines of one that follow each other are one place."""
        found: dict[str, list[_Place]] = {}
        for file in self.files:
            for name, start, end in _named_lines(file):
                places = found.setdefault(name, [])
                if places and places[-1].file == file and places[-1].end == start:
                    start = places.pop().start
                places.append(_Place(file, start, end))
        return found


def _named_lines(file: Path) -> Iterator[tuple[str, int, int]]:
    """Demonstration, first byte, and the byte behind it, of every line that names one."""
    end = 0
    with suppress(OSError), file.open("rb") as stream:
        while line := stream.readline(LONGEST_LINE):
            start, end = end, end + len(line)
            with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                yield _names.decode(line).demo_name, start, end


def candidate_files(folder: Path) -> CandidateFiles:
    """Those in the folder of demonstrations or the one above it."""
    places = (folder, folder.parent)
    return CandidateFiles(
        [file for place in places for pattern in PATTERNS for file in sorted(place.glob(pattern))]
    )
