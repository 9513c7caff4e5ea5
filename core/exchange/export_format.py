"""What an export format offers; found through the entry point group `webbench.exporters`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar, cast

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.losses import Losses
from webbench.core.observation import Observation, Screenshot
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import EXPORTERS
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

Found = TypeVar("Found")


class Exported(Losses, msgspec.Struct, kw_only=True):
    """What an export came to.

    Attributes:
        path: the file or folder that was written.
        lacks: what the format has no place for, whatever is exported.
        lost: what of these records is not in it, one line each; `again`: how often a line came once more.
        rows: of a format that is made of rows, such as training data: how many were written.
        left_out: what such a format leaves out by its rule, each reason with how often it held. These and
            the rows are all that was looked at.

    Example:
        >>> written = wb.export(episodes, "har", "page.har")
        >>> written.files, written.lacks, written.lost
    """

    most_lost = 200

    path: str = ""
    format: str = ""
    episodes: int = 0
    steps: int = 0
    pictures: int = 0
    files: int = 0
    bytes: int = 0
    lacks: str = ""
    lost: list[str] = []
    again: dict[str, int] = {}
    rows: int = 0
    left_out: dict[str, int] = {}

    def leave_out(self, why: str) -> None:
        """Count something that the format's rule leaves out."""
        self.left_out[why] = self.left_out.get(why, 0) + 1


class Source:
    """The episodes to be exported, read one at a time; what can't be read is told as lost.

    Args:
        folders: the episodes, in order.
        pictures: screenshots are to be exported too.
    """

    def __init__(
        self, store: Store, folders: Sequence[Path], told: Exported, *, pictures: bool = True
    ) -> None:
        self.store = store
        self.folders = tuple(folders)
        self.told = told
        self.pictures = pictures

    def trajectories(self) -> Iterator[Trajectory]:
        """Every episode that can be read; counted as it is given."""
        for folder in self.folders:
            try:
                trajectory = self.store.load(folder)
            except BadData as error:
                self.told.lose(str(error))
                continue
            for problem in trajectory.problems:
                self.told.lose(f"{trajectory.header.episode}: {problem}")
            self.told.episodes += 1
            self.told.steps += sum(step.index > 0 for step in trajectory.steps)
            yield trajectory

    def observation(self, trajectory: Trajectory, step: Step) -> Observation | None:
        """What was seen after the step, None where nothing is recorded or it can't be read."""
        if not step.observation:
            return None
        return self._read(lambda: self.store.observation(trajectory, step))

    def html(self, trajectory: Trajectory, step: Step) -> str:
        """The page's HTML after the step, "" as for `observation`."""
        return self._read(lambda: self.store.html(trajectory, step)) or ""

    def picture(self, trajectory: Trajectory, step: Step) -> Screenshot | None:
        """The screenshot after the step, None as for `observation` and where none are wanted."""
        if not self.pictures:
            return None
        found = self._read(lambda: self.store.screenshot(trajectory, step))
        self.told.pictures += found is not None
        return found

    def _read(self, read: Callable[[], Found]) -> Found | None:
        try:
            return read()
        except BadData as error:
            self.told.lose(str(error))
            return None


class Exporter(Protocol):
    """Writes one format. Its `create` imports nothing slow.

    Attributes:
        name: short, for commands and tables.
        title: what it is and who reads it.
        ending: of a file, ".jsonl"; "" where a folder is written.
        several: one file or folder holds many episodes; else there is one for each.
        lacks: what it has no place for, in one sentence.
    """

    name: str
    title: str
    ending: str
    several: bool
    lacks: str

    def write(self, source: Source, path: Path) -> None:
        """Make the file or folder at `path`, where there is none yet.

        Raises `BadData` where the episodes hold nothing that the format could.
        """
        ...


class ExporterFactory(Protocol):
    def __call__(self) -> Exporter: ...


def find_exporter(name: str) -> Exporter:
    """What writes episodes in the format of this name. Raises as `find_benchmark` does."""
    factory = cast("ExporterFactory", entry_points.find(EXPORTERS, "export format", name)())
    return entry_points.make(EXPORTERS, name, factory)


def known_exporters() -> list[Exporter]:
    """Every format that episodes can be written in, in alphabetical order; one that is broken is left out.

    `entry_points.broken(EXPORTERS)` tells of those.
    """
    found: list[Exporter] = []
    for name in entry_points.load(EXPORTERS):
        try:
            found.append(find_exporter(name))
        except entry_points.PluginBroken:
            continue
    return found
