"""What an export format offers; found through the entry point group `webbench.exporters`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar, cast, runtime_checkable

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.balance import Row
from webbench.core.exchange.account.episode_parts import (
    exchanges_of,
    names_of_record,
    parts_of_entries,
    parts_of_header,
    parts_of_step,
)
from webbench.core.exchange.account.given import Given, Places
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.told_losses import Losses
from webbench.core.exchange.episode_building import came_back_in
from webbench.core.labels.label import Entry
from webbench.core.labels.ledger import ledger_of
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
        account: what the records have and what the written file gives back, a row a kind.
        uncounted: nothing counts what a file of this format holds, so that nobody knows what is missing.

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
    account: list[Row] = []
    uncounted: bool = False

    def leave_out(self, why: str) -> None:
        """Count something that the format's rule leaves out."""
        self.left_out[why] = self.left_out.get(why, 0) + 1


class Source:
    """The episodes to be exported, read one at a time; what can't be read is told as lost.

    Args:
        folders: the episodes, in order.
        pictures: screenshots are to be exported too.

    Attributes:
        given: what the episodes have, counted as they are given; `lose` and `made` tell of single ones.
    """

    def __init__(
        self, store: Store, folders: Sequence[Path], told: Exported, *, pictures: bool = True
    ) -> None:
        self.store = store
        self.folders = tuple(folders)
        self.told = told
        self.pictures = pictures
        self.given = Given()
        self._without_nodes: set[tuple[str, str, int]] = set()
        self._entries: dict[tuple[str, str], list[Entry]] | None = None

    def lose(self, kind: str, line: str, count: int = 1, *, why: str = "") -> None:
        """`count` of a kind or part are in the records and not in the file.

        Args:
            line: what is told of it, once however often it comes.
            why: the reason in the account, where lines differ by what they name; else the line.
        """
        if count > 0:
            self.told.lose(line, count)
            self.given.left(kind, why or line, count)

    def lose_step(self, step: Step, line: str, why: str = "") -> None:
        """A step is left out with all that it has."""
        self.told.lose(line)
        self.leave_step(step, why or line)

    def leave_step(self, step: Step, why: str, *, pages: bool = True) -> None:
        """As `lose_step`, told in the account alone.

        Args:
            pages: what was seen after it is left out, too.
        """
        picture = step.screenshot if self.pictures else ""
        seen = (step.observation, step.html, picture) if pages else ("", "", "")
        for part, _ in parts_of_step(step, *seen):
            self.given.left(part, why)

    def leave(self, kind: str, why: str, count: int = 1) -> None:
        """As `lose`, of what the format has no place for: told in the account alone."""
        if count > 0:
            self.given.left(kind, why, count)

    def made(self, kind: str, why: str, count: int = 1) -> None:
        """`count` of a kind are in the file and not in the records; nothing is lost by it."""
        if count > 0:
            self.given.made(kind, why, count)

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
            self._count(trajectory)
            yield trajectory

    def _count(self, trajectory: Trajectory) -> None:
        """What the episode has, from the record alone; pages are counted by their blobs' names."""
        header, parts = trajectory.header, self.given.parts
        if came_back := came_back_in(header):
            self.given.names |= names_of_record(header, trajectory.steps, came_back)
        parts.update(part for part, _ in parts_of_header(header))
        for step in trajectory.steps:
            found = parts_of_step(step, step.observation, step.html, step.screenshot)
            parts.update(part for part, _ in found)
            if step.screenshot and not self.pictures:
                self.given.left("pictures", "no pictures were asked for")
        parts["exchanges"] += exchanges_of(trajectory.steps)
        parts.update(f"files.{kept.name}" for kept in self.kept_with(trajectory))
        parts.update(part for part, _ in parts_of_entries(self._written_of(header.run, header.episode)))

    def kept_with(self, trajectory: Trajectory) -> list[Path]:
        """The files that are kept with an episode as they are."""
        header = trajectory.header
        return self.store.files(self.store.root / header.run / header.episode)

    def _written_of(self, run: str, episode: str) -> list[Entry]:
        """What annotators wrote of an episode."""
        if self._entries is None:
            self._entries = {}
            book = ledger_of(self.store).book()
            written: list[Entry] = [*book.labels, *book.memos, *book.finished, *book.begun]
            for entry in [*written, *book.disputes, *book.rulings]:
                self._entries.setdefault((entry.run, entry.episode), []).append(entry)
        return self._entries.get((run, episode), [])

    def observation(self, trajectory: Trajectory, step: Step) -> Observation | None:
        """What was seen after the step, None where nothing is recorded or it can't be read."""
        if not step.observation:
            return None
        seen = self._read("trees", lambda: self.store.observation(trajectory, step))
        if seen is not None and not seen.nodes:
            self._count_no_tree(trajectory, step)
        return seen

    def _count_no_tree(self, trajectory: Trajectory, step: Step) -> None:
        """What was taken for a tree by the name of its blob is a page without nodes."""
        key = trajectory.header.run, trajectory.header.episode, step.index
        if key not in self._without_nodes:
            self._without_nodes.add(key)
            self.given.parts["trees"] -= 1

    def html(self, trajectory: Trajectory, step: Step) -> str:
        """The page's HTML after the step, "" as for `observation`."""
        return self._read("html", lambda: self.store.html(trajectory, step)) or ""

    def picture(self, trajectory: Trajectory, step: Step) -> Screenshot | None:
        """The screenshot after the step, None as for `observation` and where none are wanted."""
        if not self.pictures:
            return None
        found = self._read("pictures", lambda: self.store.screenshot(trajectory, step))
        self.told.pictures += found is not None
        return found

    def _read(self, kind: Kind, read: Callable[[], Found]) -> Found | None:
        try:
            return read()
        except BadData as error:
            self.lose(kind, str(error), why="they can't be read from the store")
            return None


class Exporter(Protocol):
    """Writes one format. Its `create` imports nothing slow.

    Attributes:
        name: short, for commands and tables.
        title: what it is and who reads it.
        ending: of a file, ".jsonl"; "" where a folder is written.
        several: one file or folder holds many episodes; else there is one for each.
        lacks: what it has no place for, in one sentence.

    What it is counted by, see `account/read_back.py`: the format of the same name reads the written file
    again. It may have besides:

        read_by: name of the format that reads its files, where that has another name (`ReadByAnother`).
        places: what it has no place for, has more of, or only some of (`HasPlaces`, `account/given.py`).
        count_written: where no format reads its files (`CountsWritten`).
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


@runtime_checkable
class ReadByAnother(Protocol):
    """The format that reads its files has another name."""

    read_by: str


@runtime_checkable
class HasPlaces(Protocol):
    """It says which parts it has no place for, has more of, or only some of."""

    places: Places


def format_read_by(exporter: Exporter) -> str:
    """Name of the format that reads what it writes; there needn't be one of the name."""
    return (exporter.read_by if isinstance(exporter, ReadByAnother) else "") or exporter.name


def places_of(exporter: Exporter) -> Places:
    """What it says of parts that it has no place for, or rewrites."""
    return exporter.places if isinstance(exporter, HasPlaces) else Places()


class ExporterFactory(Protocol):
    def __call__(self) -> Exporter: ...


def find_exporter(name: str) -> Exporter:
    """What writes episodes in the format of this name. Raises as `find_benchmark` does."""
    factory = cast("ExporterFactory", entry_points.find(EXPORTERS, "export format", name)())
    return entry_points.make(EXPORTERS, name, factory)
