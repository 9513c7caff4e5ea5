"""Our own JSON lines, as `export --to jsonl` writes them (`core/exports/jsonl.py` describes the lines)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from webbench.core.agents.kept import recordable, unfit
from webbench.core.errors import BadData
from webbench.core.exports.jsonl import FORMAT, SCHEMA_VERSION
from webbench.core.formats.contract import Claim, ImportedEpisode, ImportedStep, Picture
from webbench.core.formats.place import Place
from webbench.core.labels.entries import Label
from webbench.core.observation import Observation
from webbench.core.store import codec
from webbench.core.trajectory import EpisodeHeader, Step

Found = TypeVar("Found")


class _Line(msgspec.Struct, kw_only=True):
    kind: str = ""
    format: str = ""
    schema_version: int = 1


class _Picture(msgspec.Struct, kw_only=True):
    scale: float = 1.0
    full_page: bool = False
    base64: str = ""


class _StepLine(msgspec.Struct, kw_only=True):
    step: Step
    observation: Observation | None = None
    html: str = ""
    picture: _Picture | None = None


class _LabelLine(msgspec.Struct, kw_only=True):
    label: Label


class _HeaderLine(msgspec.Struct, kw_only=True):
    header: EpisodeHeader


class WebbenchJsonLines:
    name = FORMAT
    title = "our own JSON lines"
    looks_like = (
        "JSON lines of webbench-jsonl: an episode header, then its steps with observation and picture"
    )

    def claim(self, place: Place) -> Claim | None:
        return Claim() if place.has_text(f'"format":"{FORMAT}"') else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        lines = _Lines(place)
        while (header := lines.next_header()) is not None:
            lost: list[str] = []
            labels: list[Label] = []
            yield ImportedEpisode(header, lines.steps(lost, labels), lost, labels)


def create() -> WebbenchJsonLines:
    """The entry point."""
    return WebbenchJsonLines()


class _Lines:
    """The file's lines, one episode after the other; steps that nobody read are passed over."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lines = place.lines()
        self._header: EpisodeHeader | None = None
        _, first = next(self._lines, (1, b""))
        head = _decoded(first, _Line)
        if head is None or head.format != FORMAT:
            raise BadData(f"{place}: the first line does not say that it is {FORMAT}")
        if head.schema_version > SCHEMA_VERSION:
            raise BadData(
                f"{place} was written by a newer release (schema version {head.schema_version})",
                "update webbench-tui",
            )

    def next_header(self) -> EpisodeHeader | None:
        """The header of the next episode, None at the end of the file."""
        for _ in self.steps([], []):
            pass
        header, self._header = self._header, None
        return header

    def steps(self, lost: list[str], labels: list[Label]) -> Iterator[ImportedStep]:
        """Up to the next header. What can't be read is told in `lost`; `labels` takes up the labels."""
        orphaned = False
        while self._header is None:
            number, line = next(self._lines, (0, b""))
            if not number:
                return
            read = _decoded(line, _Line)
            if read is None:
                lost.append(f"line {number} is damaged, cut off or too long")
            elif read.kind == "episode":
                orphaned = not self._take_header(number, line, lost)
            elif read.kind == "step" and not orphaned:
                yield from _step(number, line, lost)
            elif read.kind == "label" and not orphaned:
                label = _decoded(line, _LabelLine)
                labels += [label.label] if label is not None else []

    def _take_header(self, number: int, line: bytes, lost: list[str]) -> bool:
        found = _decoded(line, _HeaderLine)
        if found is None:
            lost.append(f"line {number}: an episode whose header can't be read is left out")
            return False
        self._header = msgspec.structs.replace(found.header, run="", episode="")
        return True


def _decoded(line: bytes, type: type[Found]) -> Found | None:
    try:
        return codec.decode(line, type)
    except (msgspec.DecodeError, RecursionError):
        return None


def _step(number: int, line: bytes, lost: list[str]) -> Iterator[ImportedStep]:
    found = _decoded(line, _StepLine)
    if found is None:
        lost.append(f"line {number}: a step can't be read")
        return
    if why := unfit(found.step.agent_state):
        lost.append(f"line {number}: what the agent kept is left out: {why}")
    kept = recordable(found.step.agent_state)
    step = msgspec.structs.replace(found.step, observation="", screenshot="", html="", agent_state=kept)
    yield ImportedStep(step, found.observation, _picture(found.picture, number, lost), found.html)


def _picture(given: _Picture | None, number: int, lost: list[str]) -> Picture | None:
    if given is None:
        return None
    try:
        data = base64.b64decode(given.base64, validate=True)
    except binascii.Error:
        lost.append(f"line {number}: the picture is no base64")
        return None
    return Picture(data, scale=given.scale, full_page=given.full_page)
