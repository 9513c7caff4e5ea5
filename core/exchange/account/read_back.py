"""What a written file gives back: it is read as a file of strangers is, and counted part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from webbench.core.exchange.account.episode_parts import (
    exchanges_of,
    names_of_record,
    parts_of_entries,
    parts_of_header,
    parts_of_step,
)
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.export_format import Exporter, format_read_by
from webbench.core.exchange.import_format import Claim, Format, ImportedEpisode, ImportedStep, find_format
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.exchange.place import Place
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import FORMATS
from webbench.core.trajectory import Step


@runtime_checkable
class CountsWritten(Protocol):
    """What an exporter may have whose files no format reads: it counts what stands in one of them.

    By the file and not by what was meant to be written; the parts are those of `episode_parts.py`.
    """

    def count_written(self, path: Path) -> Mapping[str, int]: ...


class ReadBack:
    """What was found in a written file.

    Attributes:
        parts: how many, by `episode_parts`.
        names: of all that it says in the format's words; None where no format reads it.
        unread: what the reader said that it could not take, by kind and reason.
        counted: somebody could count; else nobody knows what the file holds.
        lines: why a file could not be read at all, one line each.
    """

    def __init__(self) -> None:
        self.parts: Mapping[str, int] = {}
        self.names: set[str] | None = None
        self.unread: dict[Kind, dict[str, int]] = {}
        self.counted = True
        self.lines: list[str] = []


def read_back(exporter: Exporter, path: Path) -> ReadBack:
    """Count what it wrote at `path`."""
    found = ReadBack()
    if isinstance(exporter, CountsWritten):
        found.parts = exporter.count_written(path)
        return found
    reader = format_read_by(exporter)
    if reader not in entry_points.installed(FORMATS):
        found.counted = False
        return found
    parts: Counter[str] = Counter()
    counted = _Counted(find_format(reader), parts)
    for told in bring_in(path, [counted], None):
        _take_up(told, found)
    found.parts, found.names = parts, counted.names
    return found


def _take_up(told: Imported, found: ReadBack) -> None:
    if told.state == "refused":
        found.lines.append(f"{Path(told.path).name} can't be read back: {told.why}")
    for row in told.account:
        for reason in row.reasons:
            if reason.sort == "left":
                reasons = found.unread.setdefault(row.kind, {})
                reasons[reason.why] = reasons.get(reason.why, 0) + reason.count


class _Counted:
    """A format whose episodes are counted as they are read."""

    def __init__(self, format: Format, parts: Counter[str]) -> None:
        self._format, self._parts = format, parts
        self.names: set[str] = set()
        self.name, self.title, self.looks_like = format.name, format.title, format.looks_like

    def claim(self, place: Place) -> Claim | None:
        return self._format.claim(place)

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        for episode in self._format.episodes(place):
            steps: list[Step] = []
            episode.steps = _noted(episode.steps, steps, self._parts)
            yield episode
            _count_rest(episode, steps, self._parts)
            self.names |= names_of_record(episode.header, steps, self.name)


def parts_of_episode(episode: ImportedEpisode) -> Counter[str]:
    """What an episode has that is read from a file; its steps are read by this."""
    parts: Counter[str] = Counter()
    steps: list[Step] = []
    for _ in _noted(episode.steps, steps, parts):
        pass
    _count_rest(episode, steps, parts)
    return parts


def _noted(steps: Iterator[ImportedStep], taken: list[Step], parts: Counter[str]) -> Iterator[ImportedStep]:
    for one in steps:
        tree = one.observation is not None and bool(one.observation.nodes)
        picture = one.picture is not None and bool(one.picture.format)
        parts.update(part for part, _ in parts_of_step(one.step, tree, bool(one.html), picture))
        taken.append(one.step)
        yield one


def _count_rest(episode: ImportedEpisode, steps: list[Step], parts: Counter[str]) -> None:
    """What the episode has besides its steps, which have been read."""
    began = steps[0].at if steps else ""
    parts.update(part for part, _ in parts_of_header(episode.header, began))
    parts.update(part for part, _ in parts_of_entries([*episode.labels, *episode.entries]))
    parts["exchanges"] += exchanges_of(steps)
    parts.update(f"files.{file.name}" for file in episode.files)
