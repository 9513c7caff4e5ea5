"""A round trip: an episode is exported, imported again, and held against what it was, part by part."""

from __future__ import annotations

import hashlib
import io
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import msgspec

from webbench.core.action.action import Action, Say, Stop, target_of, verb
from webbench.core.errors import BadData
from webbench.core.exchange.account.differences import Difference, differences
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
from webbench.core.exchange.episode_building import EXPORTED, came_back_in
from webbench.core.exchange.export_format import Exported, Exporter, format_read_by, places_of
from webbench.core.exchange.exporting import counted_losses, export
from webbench.core.exchange.import_format import find_format
from webbench.core.exchange.importing import bring_in
from webbench.core.labels.label import Entry
from webbench.core.labels.ledger import ledger_of
from webbench.core.store.records import codec
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import IMPORTED, Step, Trajectory

MOST_TOLD = 5
"""Differences of a kind that are told of an episode, each way."""
LONGEST_TOLD = 160
NEW_STEP = 1_000_000
"""From here on steps are numbered that came back and weren't there."""
OF_LEFT_STEP = "of a step that is left out"
OF_NEW_STEP = "of a step that the format needs besides"
UNEXPLAINED = "unexplained, as nothing says why it comes back as another"


class KindCompared(msgspec.Struct, kw_only=True):
    """One kind of one episode.

    Attributes:
        before: how many the record has; `after`: how many came back.
        equal: how many of `before` came back as they were, at the same step.
        gone, new: the first of those that did not, and of those that were not there before, in words.
        differences: each by its name, with what the exporter says of it.
        unexplained: names of those of which it says nothing.
        why: what it says, what is unexplained first; "" where the kind is equal.
    """

    kind: Kind
    before: int
    after: int
    equal: int
    gone: list[str] = []
    new: list[str] = []
    differences: list[Difference] = []
    unexplained: list[str] = []
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
    return find_format(format_read_by(exporter)).name


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
            reader = reader_of(exporter)
            read = list(bring_in(made, [find_format(reader)], back))
            found.lost = [*counted_losses(told), *(line for one in read for line in one.lost)]
            folders = sorted(one.parent for one in back.root.glob("*/*/episode.json"))
            if not folders:
                found.problem = next((one.why for one in read if one.why), "no episode came back")
            else:
                if len(folders) > 1:
                    found.lost.append(f"{len(folders)} episodes came back, of which the first is compared")
                at = aligned(store.load(folder).steps, back.load(folders[0]).steps)
                before, after = _contents(store, folder, reader), _contents(back, folders[0], reader, back=at)
                found.kinds = _compared(before, after, told, places_of(exporter))
        except BadData as error:
            found.problem = str(error)
        finally:
            back.close()
    return found


def aligned(before: Sequence[Step], after: Sequence[Step]) -> list[int]:
    """For each step that came back the number of the one that it was, above `NEW_STEP` for one that is new.

    By what was done, in the order of the steps: a format may leave out some, or need several for one.
    """
    if len(before) == len(after):
        return list(range(len(before)))
    found: list[int] = []
    matched = SequenceMatcher(None, _deeds(before), _deeds(after), autojunk=False)
    for sort, start, _, there, until in matched.get_opcodes():
        first = start if sort == "equal" else NEW_STEP + there
        found += range(first, first + until - there)
    return found


def _deeds(steps: Sequence[Step]) -> list[str]:
    """What was done in each step and on what, in the words that any format has for it."""
    return [_deed(step.action) if step.action is not None else f"{step.index == 0}" for step in steps]


def _deed(action: Action) -> str:
    if isinstance(action, Say | Stop):
        return f"say {action.text if isinstance(action, Say) else action.answer}"
    target = target_of(action)
    told = [getattr(action, name, "") for name in ("text", "url", "keys", "options")]
    return f"{verb(action)} {target.name if target is not None else ''} {told}"


def _contents(store: Store, folder: Path, reader: str, *, back: Sequence[int] = ()) -> list[tuple[int, Part]]:
    """Every part of an episode, with the step that it is of, -1 for the episode itself.

    Of one that an export of ours brought back before, the format's words and files were made from the record,
    and are no part of it.

    Args:
        reader: name of the format that brought it back.
        back: of an episode that came back, which of the first record's steps each of its steps was.
    """
    trajectory = store.load(folder)
    header = trajectory.header
    began = trajectory.steps[0].at if trajectory.steps else ""
    parts = [
        *parts_of_header(header, began),
        *other_fields_of_header(header, (EXPORTED, came_back_in(header))),
        ("values.origin", _origin(trajectory, back=bool(back))),
        *parts_of_entries(_entries(store, trajectory, reader)),
        *[("exchanges", number) for number in range(exchanges_of(trajectory.steps))],
        *[
            (f"files.{kept.name}", store.file(kept))
            for kept in store.files(folder)
            if not came_back_in(header)
        ],
    ]
    found = [(-1, part) for part in parts]
    for number, step in enumerate(trajectory.steps):
        at = back[number] if back else step.index
        found += [
            (at, (name, at if name == "steps" else value))
            for name, value in _of_step(store, trajectory, step)
        ]
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
    if came_back_in(trajectory.header):
        step = msgspec.structs.replace(step, source={})
    yield from other_fields(step, seen)


def _pixels(data: bytes) -> str:
    """What a picture shows, however it is encoded."""
    from PIL import Image

    shown = Image.open(io.BytesIO(data)).convert("RGBA")
    return f"{shown.width} x {shown.height}, {hashlib.sha256(shown.tobytes()).hexdigest()[:16]}"


def _entries(store: Store, trajectory: Trajectory, reader: str) -> list[Entry]:
    """What annotators wrote; that a label came by such a file is left out, as it is said of each copy."""
    book = ledger_of(store).book()
    here = trajectory.header.run, trajectory.header.episode
    given = [msgspec.structs.replace(one, source="") if one.source == reader else one for one in book.labels]
    labels: list[Entry] = [*given, *book.memos, *book.finished, *book.begun]
    return [one for one in [*labels, *book.disputes, *book.rulings] if (one.run, one.episode) == here]


def _compared(
    before: Sequence[tuple[int, Part]], after: Sequence[tuple[int, Part]], told: Exported, places: Places
) -> list[KindCompared]:
    rows = []
    reasons = {row.kind: row.reasons for row in told.account}
    steps, steps_now = ({at for at, _ in parts if at >= 0} for parts in (before, after))
    apart = dict.fromkeys(steps - steps_now, OF_LEFT_STEP) | dict.fromkeys(steps_now - steps, OF_NEW_STEP)
    for kind in KINDS:
        was, came = _values(before, kind), _values(after, kind)
        if not was and not came:
            continue
        gone, new = was - came, came - was
        found = differences(gone, new, came, places, reasons.get(kind, []), apart)
        unexplained = list(dict.fromkeys(one.name for one in found if not one.why))
        unnamed = f"{UNEXPLAINED}: {', '.join(unexplained)}" if unexplained else ""
        rows.append(
            KindCompared(
                kind=kind,
                before=was.total(),
                after=came.total(),
                equal=(was & came).total(),
                gone=_in_words(gone),
                new=_in_words(new),
                differences=found,
                unexplained=unexplained,
                why="; ".join(dict.fromkeys(filter(None, [unnamed, *(one.why for one in found)]))),
            )
        )
    return rows


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
        where = f"new step {step - NEW_STEP}, " if step >= NEW_STEP else f"step {step}, " if step >= 0 else ""
        told.append(f"{where}{part}: {plain_clip(value.decode('utf-8', 'replace'), LONGEST_TOLD)}")
    more = values.total() - len(told)
    return [*told, f"and {more:,} more"] if more > 0 else told
