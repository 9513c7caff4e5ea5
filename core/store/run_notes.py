"""What people say of a run, in `about.jsonl` of its folder: a name, tags, a note, and that it is put away.

Its newest line holds, the older ones are kept. The run's record is never changed, and its folder keeps its
name: labels and commands name that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.store.pools import SIGN
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import held, write_file, writing
from webbench.core.store.records.line_files import read_lines
from webbench.core.store.records.names import checked, is_name
from webbench.core.store.secrets.redaction import Redaction
from webbench.core.trajectory import now

FILE = "about.jsonl"
SCHEMA_VERSION = 1
LARGEST = 4 << 20
"""Bytes of such a file; a larger one is none of ours."""
LONGEST_NAME = 120
LONGEST_NOTE = 4_000
MOST_TAGS = 50
_OF_TAG = "tag "
_TAG = re.compile(r"\w[\w.+-]{0,39}")


class RunNotes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What holds of one run.

    Attributes:
        name: what people call it, "" where they don't.
        tags: in alphabetical order.
        archived: it is left out of lists of runs.
        binned: when it was put into the bin (UTC, ISO 8601), "" where it isn't there.
        at: when this was said.
    """

    name: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    archived: bool = False
    binned: str = ""
    at: str = ""
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


def read_notes(folder: Path) -> RunNotes:
    """The newest that can be read; nothing said where there is no file.

    Raises `BadData` where a newer release wrote it, or the file can't be read.
    """
    return newest_notes(notes_bytes(folder), folder / FILE)


def notes_bytes(folder: Path) -> bytes:
    """All that was ever said of the run in this folder. Raises `BadData` where it can't be read."""
    path = folder / FILE
    try:
        if path.stat().st_size > LARGEST:
            raise BadData(f"{path} is larger than {LARGEST >> 20} MiB", "move it away")
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error


def newest_notes(data: bytes, path: Path) -> RunNotes:
    """The same of what such a file holds; `path` names it in messages."""
    lines = _lines(data, path)
    return lines[-1] if lines else RunNotes()


def change_notes(
    root: Path, run: str, change: Callable[[RunNotes], RunNotes], redaction: Redaction
) -> RunNotes:
    """Say something else of a run; what holds now.

    Raises `UsageError` for an unknown run, for what is too long or no tag, and for a name that means another
    run or a pool; `StoreUnwritable`; and as `read_notes`.
    """
    folder = run_folder(root, run)
    with writing(root, "what is said of the run"), held(folder):
        before = notes_bytes(folder)
        old = newest_notes(before, folder / FILE)
        new = redaction.record(_checked(msgspec.structs.replace(change(old), at=old.at), old))
        if new.name not in ("", old.name):
            _require_own(root, run, new.name)
        if new == old:
            return old
        new = msgspec.structs.replace(new, at=now())
        end = b"" if before.endswith(b"\n") or not before else b"\n"
        # Written anew, so that the folder's time tells the index.
        write_file(root, folder / FILE, [before, end, codec.encode(new), b"\n"])
        return new


def take_notes(root: Path, run: str, theirs: bytes, where: str) -> None:
    """Say of a run what another store says of it. Raises as `merged_notes`, and `StoreUnwritable`."""
    folder = run_folder(root, run)
    with writing(root, "what is said of the run"), held(folder):
        ours = notes_bytes(folder)
        said = merged_notes(ours, theirs, where)
        if said != ours:
            write_file(root, folder / FILE, [said])


def merged_notes(ours: bytes, theirs: bytes, where: str) -> bytes:
    """What two stores say of one run, each thing as it was said last: `ours`, with a line more if need be.

    Raises `BadData` where a newer release wrote either, or one is too large; `where` names the second in its
    message.
    """
    if max(len(ours), len(theirs)) > LARGEST:
        raise BadData(f"{where} is larger than {LARGEST >> 20} MiB", "move it away")
    if not ours or ours == theirs:
        _lines(theirs, Path(where))
        return theirs
    begun = _facts(RunNotes())
    held: dict[str, tuple[str, object]] = {fact: ("", value) for fact, value in begun.items()}
    own = _lines(ours, Path(FILE))
    for told in (_lines(theirs, Path(where)), own):
        before = begun
        for one in told:
            facts = _facts(one)
            for fact in before.keys() | facts.keys():
                if before.get(fact) != facts.get(fact) and one.at >= held.get(fact, ("", None))[0]:
                    held[fact] = (one.at, facts.get(fact))
            before = facts
    if own and _facts(own[-1]) == {fact: value for fact, (_, value) in held.items() if value is not None}:
        return ours
    merged = {fact: value for fact, (_, value) in held.items() if not fact.startswith(_OF_TAG)}
    tags = [fact.removeprefix(_OF_TAG) for fact, (_, value) in held.items() if fact not in merged and value]
    merged |= {"tags": sorted(tags, key=str.casefold), "at": max((at for at, _ in held.values()), default="")}
    end = b"" if ours.endswith(b"\n") else b"\n"
    return ours + end + codec.encode(msgspec.convert(merged, RunNotes)) + b"\n"


def _facts(notes: RunNotes) -> dict[str, object]:
    """What a line says, each thing by itself; a tag that isn't there is no fact."""
    said: dict[str, object] = {
        field: getattr(notes, field) for field in ("name", "note", "archived", "binned")
    }
    return said | {f"{_OF_TAG}{tag}": True for tag in notes.tags}


def tag_name(text: str) -> str:
    """A tag as it is kept. Raises `UsageError` for none."""
    if not _TAG.fullmatch(text):
        raise UsageError(
            f"{text[:60]!r} is no tag", "a tag is one word: letters, digits, and . _ + - behind the first"
        )
    return text


def run_folder(root: Path, run: str) -> Path:
    """Where a run lies. Raises `UsageError` where there is none of that name."""
    folder = root / checked(run, "run")
    if not folder.is_dir():
        raise UsageError(f"there is no run {run} in {root}", "`webbench-tui runs` lists them")
    return folder


def _lines(data: bytes, path: Path) -> list[RunNotes]:
    return read_lines(data, path, _one, "what was said")[0] if data else []


def _one(line: bytes, where: str) -> RunNotes:
    return codec.decode_record(line, RunNotes, SCHEMA_VERSION, where)


def _require_own(root: Path, run: str, name: str) -> None:
    """Raises `UsageError` for a name by which commands would find another run, or a pool."""
    if name.startswith(SIGN):
        raise UsageError(f"{name[:60]!r} would mean a pool", f"begin the name with anything but {SIGN}")
    if name != run and is_name(name) and (root / name).is_dir():
        raise UsageError(f"{name} is another run", "choose a name that no run's folder has")


def _checked(notes: RunNotes, old: RunNotes) -> RunNotes:
    """What was taken from elsewhere may break these rules, and stays until it is changed."""
    name = " ".join(notes.name.split()) if notes.name != old.name else old.name
    if len(name) > LONGEST_NAME and name != old.name:
        raise UsageError(f"A name of {len(name):,} characters is too long", f"at most {LONGEST_NAME}")
    note = notes.note.strip() if notes.note != old.note else old.note
    if len(note) > LONGEST_NOTE and note != old.note:
        raise UsageError(f"A note of {len(note):,} characters is too long", f"at most {LONGEST_NOTE:,}")
    tags = tuple(sorted({tag if tag in old.tags else tag_name(tag) for tag in notes.tags}, key=str.casefold))
    if len(tags) > max(MOST_TAGS, len(old.tags)):
        raise UsageError(f"{len(tags)} tags are too many for one run", f"at most {MOST_TAGS}")
    return msgspec.structs.replace(notes, name=name, note=note, tags=tags)
