"""A round trip: an episode is exported, imported again, and held against what it was, part by part."""

from __future__ import annotations

import hashlib
import io
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.episode_parts import (
    Part,
    exchanges_of,
    kind_of,
    other_fields,
    other_fields_of_header,
    parts_of_entries,
    parts_of_header,
    parts_of_step,
)
from webbench.core.exchange.account.given import Places
from webbench.core.exchange.account.kinds import KINDS, Kind
from webbench.core.exchange.export_format import Exported, Exporter
from webbench.core.exchange.exporting import counted_losses, export
from webbench.core.exchange.import_format import find_format
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.own.jsonl import EXPORTED
from webbench.core.labels.label import Entry
from webbench.core.labels.ledger import ledger_of
from webbench.core.store.records import codec
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import IMPORTED, Step, Trajectory

MOST_TOLD = 5
"""Differences of a kind that are told of an episode, each way."""
LONGEST_TOLD = 160
UNEXPLAINED = "unexplained: nothing says why it comes back as another"


class KindCompared(msgspec.Struct, kw_only=True):
    """One kind of one episode.

    Attributes:
        before: how many the record has; `after`: how many came back.
        equal: how many of `before` came back as they were, at the same step.
        gone, new: the first of those that did not, and of those that were not there before, in words.
        why: what the exporter says of the difference, `UNEXPLAINED` where it says nothing.
    """

    kind: Kind
    before: int
    after: int
    equal: int
    gone: list[str] = []
    new: list[str] = []
    why: str = ""

    @property
    def is_equal(self) -> bool:
        return self.before == self.after == self.equal


class RoundTrip(msgspec.Struct, kw_only=True):
    """What became of one episode.

    Attributes:
        problem: why nothing came back, "" where it did.
        lost: what export and import told as lost, one line each.
    """

    run: str
    episode: str
    kinds: list[KindCompared] = []
    problem: str = ""
    lost: list[str] = []

    @property
    def is_equal(self) -> bool:
        return not self.problem and all(one.is_equal for one in self.kinds)


def reader_of(exporter: Exporter) -> str:
    """Name of the format that reads what the exporter writes. Raises as `find_format` where there is none."""
    name = str(getattr(exporter, "read_by", "") or exporter.name)
    return find_format(name).name


def round_trip(store: Store, folder: Path, exporter: Exporter) -> RoundTrip:
    """Export one episode, import it into a store of its own, and compare the two records.

    Raises `EnvironmentDown` where no temporary files can be written.
    """
    found = RoundTrip(run=folder.parent.name, episode=folder.name)
    with tempfile.TemporaryDirectory(prefix="webbench-round-trip-") as room:
        made = Path(room) / f"{folder.name}{exporter.ending}"
        back = Store(Path(room) / "store")
        try:
            told = export(store, [folder], exporter, made)
            read = list(bring_in(made, [find_format(reader_of(exporter))], back))
            found.lost = [*counted_losses(told), *(line for one in read for line in one.lost)]
            folders = sorted(one.parent for one in back.root.glob("*/*/episode.json"))
            if not folders:
                found.problem = next((one.why for one in read if one.why), "no episode came back")
            else:
                if len(folders) > 1:
                    found.lost.append(f"{len(folders)} episodes came back, of which the first is compared")
                before, after = _contents(store, folder), _contents(back, folders[0], back=True)
                found.kinds = _compared(before, after, told, getattr(exporter, "places", Places()))
        except BadData as error:
            found.problem = str(error)
        finally:
            back.close()
    return found


def _contents(store: Store, folder: Path, *, back: bool = False) -> list[tuple[int, Part]]:
    """Every part of an episode, with the step that it is of, -1 for the episode itself."""
    trajectory = store.load(folder)
    header = trajectory.header
    began = trajectory.steps[0].at if trajectory.steps else ""
    parts = [
        *parts_of_header(header, began),
        *other_fields_of_header(header, (EXPORTED,)),
        ("values.origin", _origin(trajectory, back=back)),
        *parts_of_entries(_entries(store, trajectory, back=back)),
        *[("exchanges", number) for number in range(exchanges_of(trajectory.steps))],
        *[(f"files.{kept.name}", store.file(kept)) for kept in store.files(folder)],
    ]
    found = [(-1, part) for part in parts]
    for step in trajectory.steps:
        found += [(step.index, part) for part in _of_step(store, trajectory, step)]
    return found


def _origin(trajectory: Trajectory, *, back: bool) -> object:
    """Where a record says that it came from; a copy keeps that of its original."""
    told = trajectory.header.settings.get(IMPORTED)
    if back:
        return told.get("origin") if isinstance(told, dict) else None
    return told


def _of_step(store: Store, trajectory: Trajectory, step: Step) -> Iterator[Part]:
    seen = store.observation(trajectory, step) if step.observation else None
    picture = store.screenshot(trajectory, step)
    pixels = _pixels(picture.data) if picture is not None else None
    tree = seen.nodes if seen is not None else ()
    yield from parts_of_step(step, tree, store.html(trajectory, step), pixels)
    yield from other_fields(step, seen)


def _pixels(data: bytes) -> str:
    """What a picture shows, however it is encoded."""
    from PIL import Image

    shown = Image.open(io.BytesIO(data)).convert("RGBA")
    return f"{shown.width} x {shown.height}, {hashlib.sha256(shown.tobytes()).hexdigest()[:16]}"


def _entries(store: Store, trajectory: Trajectory, *, back: bool) -> list[Entry]:
    """What annotators wrote; that a label came by the file is said of the copy alone."""
    book = ledger_of(store).book()
    here = trajectory.header.run, trajectory.header.episode
    given = [msgspec.structs.replace(one, source="") for one in book.labels] if back else book.labels
    labels: list[Entry] = [*given, *book.memos, *book.finished, *book.begun]
    return [one for one in [*labels, *book.disputes, *book.rulings] if (one.run, one.episode) == here]


def _compared(
    before: Sequence[tuple[int, Part]], after: Sequence[tuple[int, Part]], told: Exported, places: Places
) -> list[KindCompared]:
    rows = []
    reasons = {row.kind: [one.why for one in row.reasons] for row in told.account}
    for kind in KINDS:
        was, came = _values(before, kind), _values(after, kind)
        if not was and not came:
            continue
        gone, new = was - came, came - was
        rows.append(
            KindCompared(
                kind=kind,
                before=was.total(),
                after=came.total(),
                equal=(was & came).total(),
                gone=_in_words(gone),
                new=_in_words(new),
                why=_why(reasons.get(kind, []), [*gone, *new], places) if gone or new else "",
            )
        )
    return rows


def _why(reasons: Sequence[str], differing: Sequence[tuple[int, str, bytes]], places: Places) -> str:
    """What the exporter says: of what is not there, and of what comes back in another form, part by part."""
    parts = dict.fromkeys(part for _, part, _ in differing)
    said = [places.rewritten.get(part) or places.rewritten.get(kind_of(part), "") for part in parts]
    if not reasons and not any(said):
        return UNEXPLAINED
    return "; ".join(dict.fromkeys(filter(None, [*reasons, *said])))


def _values(parts: Sequence[tuple[int, Part]], kind: Kind) -> Counter[tuple[int, str, bytes]]:
    found: Counter[tuple[int, str, bytes]] = Counter()
    for step, (part, value) in parts:
        if kind_of(part) == kind and (value is not None or kind != "values"):
            found[step, part, _fingerprint(value)] += 1
    return found


def _fingerprint(value: object) -> bytes:
    try:
        return msgspec.json.encode(value, order="sorted")
    except (UnicodeEncodeError, OverflowError, TypeError):
        return codec.encode(value)


def _in_words(values: Counter[tuple[int, str, bytes]]) -> list[str]:
    told = []
    for step, part, value in sorted(values)[:MOST_TOLD]:
        where = f"step {step}, " if step >= 0 else ""
        told.append(f"{where}{part}: {plain_clip(value.decode('utf-8', 'replace'), LONGEST_TOLD)}")
    more = values.total() - len(told)
    return [*told, f"and {more:,} more"] if more > 0 else told
