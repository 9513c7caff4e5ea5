"""JSON lines (JSONL), our own file of episodes: everything is in it, so that other programs need no store.

| line | fields |
|---|---|
| first | `format` "webbench-jsonl", `schema_version`, `made_by` |
| `kind` "episode" | `header`: an `EpisodeHeader`; its steps follow |
| `kind` "step" | `step`: a `Step`; `observation`: an `Observation` or null; `html`: the page or ""; `picture`: null or `{format, scale, full_page, origin, base64}` |
| `kind` "label" | `label`: a `Label` of the episode, after its steps |
| `kind` "entry" | `entry`: what else annotators wrote of it: a `Memo`, `Done`, `Dispute` or `Ruling` |

Observation, page and picture are what the actor saw *after* the step. The types are those of
`core/trajectory.py`, `core/observation.py` and `core/labels/label.py`. A name that ends in `.gz` is packed.
"""  # noqa: E501 - a table

from __future__ import annotations

import base64
import binascii
import gzip
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, TypeVar, cast

import msgspec

from webbench.core.agents.resumed_state import recordable, unfit
from webbench.core.errors import BadData
from webbench.core.exchange.account import recorded_counts
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import EXPORTED
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep, Picture
from webbench.core.exchange.own.carried_fields import MADE_BY, PROGRAM, for_others, made_by_ours
from webbench.core.exchange.place import Place
from webbench.core.json_types import JsonObject
from webbench.core.labels.label import Dispute, Done, Entry, Label, Memo, Ruling
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.labels.visibility import open_labels
from webbench.core.observation import Observation, Screenshot
from webbench.core.store.records import codec
from webbench.core.text.plural import counted
from webbench.core.trajectory import SCHEMA_VERSION as newest_record  # noqa: N811 - two versions here
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory

FORMAT = "webbench-jsonl"
_STEP_KEYS = frozenset(Step.__struct_fields__)
_KIND_OF_LINE: dict[str, Kind] = {"step": "steps", "label": "labels", "entry": "labels"}
OF_NEWER = "that was written by a newer release"
SCHEMA_VERSION = 1

Found = TypeVar("Found")


class JsonLinesExporter:
    name = "jsonl"
    title = "our own JSON lines, one step a line; `import` reads them back"
    ending = ".jsonl"
    several = True
    lacks = "files kept with an episode, such as downloads"
    read_by = FORMAT

    def write(self, source: Source, path: Path) -> None:
        with _opened(path) as file:
            head = {
                "format": FORMAT,
                "schema_version": SCHEMA_VERSION,
                MADE_BY: f"{PROGRAM} {version(PROGRAM)}",
            }
            file.write(codec.encode(head) + b"\n")
            book = ledger_of(source.store).book()
            labels, entries = open_labels(book), _entries(book)
            for trajectory in source.trajectories():
                header = trajectory.header
                own = labels.get((header.run, header.episode), ())
                others = entries.get((header.run, header.episode), ())
                lines = chain(_episode_lines(source, trajectory), _label_lines(own), _entry_lines(others))
                for line in lines:
                    file.write(codec.encode(line) + b"\n")
                tell_of_hidden(source, book, header, own)
                _tell_of_left_files(source, trajectory)


def create_exporter() -> JsonLinesExporter:
    """The entry point of the export format."""
    return JsonLinesExporter()


def _opened(path: Path) -> BinaryIO:
    if path.name.endswith(".gz"):
        return cast("BinaryIO", gzip.GzipFile(path, "wb", mtime=0))
    return path.open("wb")


def _episode_lines(source: Source, trajectory: Trajectory) -> Iterator[JsonObject]:
    yield {"kind": "episode", "header": for_others(trajectory.header)}
    for step in trajectory.steps:
        yield {
            "kind": "step",
            "step": step,
            "observation": source.observation(trajectory, step),
            "html": source.html(trajectory, step),
            "picture": _picture_fields(source.picture(trajectory, step)),
        }


def _picture_fields(picture: Screenshot | None) -> JsonObject | None:
    if picture is None:
        return None
    return {
        "format": picture.format,
        "scale": picture.scale,
        "full_page": picture.full_page,
        "origin": picture.origin,
        "base64": base64.b64encode(picture.data).decode("ascii"),
    }


def _label_lines(labels: Iterable[Label]) -> Iterator[JsonObject]:
    """Those that nobody may be swayed by any more: every annotator is done with the episode."""
    for label in labels:
        yield {"kind": "label", "label": label}


def _entries(book: Book) -> dict[tuple[str, str], list[Entry]]:
    """Disputes, rulings, who is done, and memos of those who are, by run and episode."""
    found: dict[tuple[str, str], list[Entry]] = {}
    through = {(run, episode, who) for run, episode, _, who in book.done}
    memos = [one for one in book.memos if (one.run, one.episode, one.annotator) in through]
    written: list[Dispute | Ruling | Done | Memo] = [*book.disputes, *book.rulings, *book.finished, *memos]
    for entry in written:
        found.setdefault((entry.run, entry.episode), []).append(entry)
    return found


def _entry_lines(entries: Iterable[Entry]) -> Iterator[JsonObject]:
    for entry in entries:
        yield {"kind": "entry", "entry": entry}


def tell_of_hidden(source: Source, book: Book, header: EpisodeHeader, own: Sequence[Label]) -> None:
    """Labels and memos of annotators who are not through yet, which nobody else may see."""
    here = (header.run, header.episode)
    labels = sum((one.run, one.episode) == here for one in book.labels) - len(own)
    through = {who for run, episode, _, who in book.done if (run, episode) == here}
    memos = sum((one.run, one.episode) == here and one.annotator not in through for one in book.memos)
    for count, what in ((labels, "label"), (memos, "memo")):
        if count:
            part = f"labels.{'codes' if what == 'label' else 'memos'}"
            line = f"{counted(count, what)} of annotators who are not through with an episode"
            source.told.lose(line)
            source.given.left(part, f"{what}s of annotators who are not through with an episode", count)
    begun = sum((one.run, one.episode) == here for one in book.begun)
    source.leave("labels.done", "who has begun an episode and is not through with it", begun)


def _tell_of_left_files(source: Source, trajectory: Trajectory) -> None:
    header = trajectory.header
    for kept in source.store.files(source.store.root / header.run / header.episode):
        line = f"{header.episode}: the file {kept.name} kept with it"
        source.lose(f"files.{kept.name}", line, why="no place for files")


class _Line(msgspec.Struct, kw_only=True):
    kind: str = ""
    format: str = ""
    schema_version: int = 1
    made_by: str = ""


class _PictureFields(msgspec.Struct, kw_only=True):
    scale: float = 1.0
    full_page: bool = False
    origin: tuple[float, float] = (0.0, 0.0)
    base64: str = ""


class _StepLine(msgspec.Struct, kw_only=True):
    step: Step
    observation: Observation | None = None
    html: str = ""
    picture: _PictureFields | None = None


class _LabelLine(msgspec.Struct, kw_only=True):
    label: Label


class _EntryLine(msgspec.Struct, kw_only=True):
    entry: Entry


class _Keys(msgspec.Struct, kw_only=True):
    """The keys of a line's header or step, whose values are not decoded."""

    header: dict[str, msgspec.Raw] = {}
    step: dict[str, msgspec.Raw] = {}


class _Start(msgspec.Struct):
    index: Literal[0]


class _StartLine(msgspec.Struct):
    """A step's line that is the start, whatever else stands in it."""

    step: _Start


class _HeaderLine(msgspec.Struct, kw_only=True):
    header: EpisodeHeader


class JsonLinesImporter:
    name = FORMAT
    title = "our own JSON lines"
    looks_like = (
        "JSON lines of webbench-jsonl: an episode header, then its steps with observation and picture"
    )

    def claim(self, place: Place) -> Claim | None:
        """By the first line's own format, however it is spaced and in whatever order its keys stand."""
        first = place.head.partition(b"\n")[0]
        head = _decoded(first, _Line) if FORMAT.encode() in first else None
        return Claim(sure=2) if head is not None and head.format == FORMAT else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        lines = _EpisodeReader(place)
        while (header := lines.next_header()) is not None:
            lost = place.tally.losses()
            labels: list[Label] = []
            entries: list[Entry] = []
            recorded_counts.count_header(place.tally.source, header)
            steps = lines.steps(lost, labels, entries)
            made = made_by_ours({MADE_BY: lines.made_by})
            yield ImportedEpisode(header, steps, lost, labels, entries=entries, made_by=made)


def create_importer() -> JsonLinesImporter:
    """The entry point of the format."""
    return JsonLinesImporter()


class _EpisodeReader:
    """A file's lines, one episode after the other; steps that nobody read are passed over.

    Attributes:
        made_by: the release that wrote the file.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lines = place.lines()
        self._header: EpisodeHeader | None = None
        place.tally.used = True
        _, first = next(self._lines, (1, b""))
        head = _decoded(first, _Line)
        self.made_by = head.made_by if head is not None else ""
        if head is None or head.format != FORMAT:
            raise BadData(f"{place}: the first line does not say that it is {FORMAT}")
        if head.schema_version > SCHEMA_VERSION:
            raise BadData(
                f"{place} was written by a newer release (schema version {head.schema_version})",
                "update webbench-tui",
            )

    def next_header(self) -> EpisodeHeader | None:
        """The header of the next episode, None at the end of the file."""
        for _ in self.steps(self._place.tally.losses(), [], []):
            pass
        header, self._header = self._header, None
        return header

    def steps(self, lost: Lost, labels: list[Label], entries: list[Entry]) -> Iterator[ImportedStep]:
        """Up to the next header.

        What can't be read is told in `lost`; `labels` and `entries` take up what people wrote.
        """
        orphaned = ""
        while self._header is None:
            number, line = next(self._lines, (0, b""))
            if not number:
                return
            read = _decoded(line, _Line)
            if read is None:
                lost.append(f"line {number} is damaged, cut off or too long")
            elif read.kind == "episode":
                orphaned = self._take_header(number, line)
            elif orphaned:
                self._pass_over(read.kind, line, f"of {orphaned}")
            elif read.kind == "step":
                yield from _read_step(number, line, lost)
            elif read.kind == "label":
                self._place.tally.count("labels")
                label = _decoded(line, _LabelLine)
                labels += [label.label] if label is not None else []
                if label is None:
                    lost.lose(
                        "labels", f"line {number}: a label can't be read", why="labels that can't be read"
                    )
            elif read.kind == "entry":
                entry = _decoded(line, _EntryLine)
                entries += [entry.entry] if entry is not None else []
                if entry is None:
                    lost.append(f"line {number}: what an annotator wrote can't be read")
            elif read.kind:
                lost.append(f"line {number} is of the kind {read.kind[:40]!r}, which we don't know")

    def _take_header(self, number: int, line: bytes) -> str:
        """The next header; why its episode is left out, "" where it isn't."""
        found = _decoded(line, _HeaderLine)
        if found is None:
            return self._leave(f"an episode whose header can't be read (line {number})")
        header = found.header
        if header.schema_version > newest_record:
            return self._leave(f"an episode {OF_NEWER} (update webbench-tui)")
        before = header.settings.get(EXPORTED)
        exported = {"run": header.run, "episode": header.episode, MADE_BY: self.made_by}
        exported = {**before, **exported} if isinstance(before, dict) else exported
        settings = {**header.settings, EXPORTED: exported}
        self._header = msgspec.structs.replace(header, run="", episode="", settings=settings)
        return ""

    def _leave(self, why: str) -> str:
        self._place.tally.count("episodes")
        self._place.tally.left("episodes", why)
        return why

    def _pass_over(self, of: str, line: bytes, why: str) -> None:
        """Count a line of an episode that is left out; the start is no step."""
        start = _decoded(line, _StartLine) if of == "step" else None
        kind = _KIND_OF_LINE.get(of)
        if kind is not None and start is None:
            self._place.tally.count(kind)
            self._place.tally.left(kind, why)


def _decoded(line: bytes, type: type[Found]) -> Found | None:
    try:
        return codec.decode(line, type)
    except (msgspec.DecodeError, RecursionError):
        return None


def _read_step(number: int, line: bytes, lost: Lost) -> Iterator[ImportedStep]:
    found = _decoded(line, _StepLine)
    if found is None:
        lost.append(f"line {number}: a step can't be read")
        return
    if found.step.schema_version > newest_record:
        lost.has("steps")
        lost.lose("steps", f"line {number}: a step {OF_NEWER}", why=f"a step {OF_NEWER}")
        return
    _count(found, line, lost)
    if why := unfit(found.step.agent_state):
        lost.append(f"line {number}: what the agent kept is left out: {why}")
    kept = recordable(found.step.agent_state)
    step = msgspec.structs.replace(found.step, observation="", screenshot="", html="", agent_state=kept)
    yield ImportedStep(step, found.observation, _read_picture(found.picture, number, lost), found.html)


def _count(found: _StepLine, line: bytes, lost: Lost) -> None:
    """What the line has, in the record's own terms; keys of others are told."""
    seen = found.observation
    tally = lost.tally
    recorded_counts.count_step(
        tally.source,
        found.step,
        tree=seen is not None and bool(seen.nodes),
        html=bool(found.html),
        picture=found.picture is not None,
    )
    keys = _decoded(line, _Keys)
    others = set(keys.step) - _STEP_KEYS if keys is not None else set()
    for key in others:
        tally.count("values")
        tally.missing[f"step.{key}"] += 1
    exchanges = recorded_counts.count_exchanges(found.step)
    if exchanges:
        tally.source["exchanges"] += exchanges
        tally.retold("exchanges", "later evidence repeats earlier")


def _read_picture(given: _PictureFields | None, number: int, lost: Lost) -> Picture | None:
    if given is None:
        return None
    try:
        data = base64.b64decode(given.base64, validate=True)
    except binascii.Error:
        lost.lose("pictures", f"line {number}: the picture is no base64")
        return None
    return Picture(data, given.scale, given.full_page, given.origin)
