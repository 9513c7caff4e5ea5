"""What a trajectory format offers; found through the entry point group `webbench.formats`.

Importing walks a tree from the top. Every folder, and every file that no folder's format took, is shown to
all formats; the one that is surest takes it. So each file ends in one of four ways: its episodes are
imported, it belongs to something imported (a *companion*), it holds no trajectory that we can use (*refused*,
with the reason), or no format knows it.

A format also counts what its sources hold, from what it has parsed and before it makes anything of it
(`account/tally.py` says how, in three steps); the import holds that against what was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Protocol, cast, runtime_checkable

import msgspec

from webbench.core.exchange.place import Place
from webbench.core.labels.label import Entry, Label
from webbench.core.observation import Observation
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import FORMATS
from webbench.core.trajectory import EpisodeHeader, Step


class Claim(msgspec.Struct, frozen=True):
    """What a format says of a place.

    Attributes:
        kind: "episodes": read them from here; "companion": read with another place, or about it;
            "refused": this format, but nothing that can be imported.
        why: for a companion what it is, for a refusal the reason, in one line.
        sure: 1 where a file can be nothing else, less where other formats look alike; 2 where it says in its
            first line which format it is, whatever it holds of others.
    """

    kind: Literal["episodes", "companion", "refused"] = "episodes"
    why: str = ""
    sure: float = 1.0


class Picture(msgspec.Struct, frozen=True):
    """A screenshot as it was found; `data` is checked to be a picture before it is kept."""

    data: bytes
    scale: float = 1.0
    full_page: bool = False
    origin: tuple[float, float] = (0.0, 0.0)

    @property
    def format(self) -> Literal["png", "jpeg", "webp", ""]:
        """By its first bytes; "" for what is no picture that a record can hold."""
        if self.data.startswith(b"\x89PNG"):
            return "png"
        if self.data.startswith(b"\xff\xd8"):
            return "jpeg"
        return "webp" if self.data[:4] == b"RIFF" and self.data[8:12] == b"WEBP" else ""


class ImportedStep(msgspec.Struct, frozen=True):
    """A step with what the actor saw after it. The step's blob names are filled in by the store."""

    step: Step
    observation: Observation | None = None
    picture: Picture | None = None
    html: str = ""


class ImportedFile(msgspec.Struct, frozen=True):
    """A file that belongs to an episode as a whole; what it holds of credentials is the format's to drop."""

    name: str
    data: bytes


class MadeBy(msgspec.Struct, frozen=True, omit_defaults=True):
    """What made a source, as it tells itself; "" for what it doesn't tell.

    Attributes:
        tool: its name; `version` is the tool's.
        format_version: of the format that it is in.
    """

    tool: str = ""
    version: str = ""
    format_version: str = ""


class ImportedEpisode(msgspec.Struct):
    """One episode, read as its steps are asked for.

    Attributes:
        header: `run` and `episode` are filled in by the store; `ended` and `end_reason` as far as known.
        steps: from step 0, the start.
        lost: what the source holds and the record can't, one line each; complete when the steps are read.
        labels: what people said of it there; `run` and `episode` are filled in by the store, steps are in
            our count. Complete when the steps are read.
        entries: what else people wrote of it: disputes, rulings, memos, and who is through; as for `labels`.
        files: what is kept with the episode as it is, such as a network log.
        made_by: the tool that made the source.
    """

    header: EpisodeHeader
    steps: Iterator[ImportedStep]
    lost: list[str]
    labels: list[Label] = []
    files: tuple[ImportedFile, ...] = ()
    entries: list[Entry] = []
    made_by: MadeBy = MadeBy()


class Format(Protocol):
    """Reads one format. Its `create` imports nothing slow.

    Attributes:
        name: short, for commands and tables.
        title: what it is and who writes it.
        looks_like: what one of its files or folders holds, for "unknown format; nearest is ...".
    """

    name: str
    title: str
    looks_like: str

    def claim(self, place: Place) -> Claim | None:
        """Whether the place is of this format; cheap, from names and the first bytes. Never raises."""
        ...

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        """The episodes of a place it claimed, one at a time; `place.tally` takes up what it holds.

        Raises `BadData` where nothing (more) can be read; what was yielded before stays imported.
        """
        ...


@runtime_checkable
class ShowsSample(Protocol):
    """What a `Format` may have besides: an example of itself, with which `plugins check` tries it."""

    def write_sample(self, folder: Path) -> Path:
        """Write a place of this format with at least one episode into an empty folder, and give its path."""
        ...


class FormatFactory(Protocol):
    def __call__(self) -> Format: ...


def find_format(name: str) -> Format:
    """What reads trajectories in the format of this name. Raises as `find_benchmark` does."""
    factory = cast("FormatFactory", entry_points.find(FORMATS, "format", name)())
    return entry_points.make(FORMATS, name, factory)


def known_formats() -> list[Format]:
    """Every trajectory format that can be read, in alphabetical order; one that is broken is left out.

    `entry_points.broken(FORMATS)` tells of those.
    """
    found: list[Format] = []
    for name in entry_points.load(FORMATS):
        try:
            found.append(find_format(name))
        except entry_points.PluginBroken:
            continue
    return found
