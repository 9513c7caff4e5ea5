"""A data set that `export --to huggingface` made, read back: each row has the whole record beside its
columns.

The folder has `README.md` with the configurations, `data/episodes/*.parquet` and
`data/steps/*.parquet`. Files are read a few rows at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.recorded_counts import count_imported
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.hugging_face.hub_exporter import CARD, HUGGING_FACE
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep, Picture
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.store.records import codec
from webbench.core.text import bounded_json
from webbench.core.trajectory import SCHEMA_VERSION, EpisodeHeader, Step

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

ROWS_AT_A_TIME = 16
LARGEST_GROUP = 1024**3
"""Bytes of a row group, unpacked."""
_KEY = ("run", "episode")

Found = TypeVar("Found")
Record = TypeVar("Record", EpisodeHeader, Step)

CARD_TELLS = "the card, which tells what the rows are"
OF_NO_EPISODE = "steps of no episode in the table, or apart from their episode"
NEWER = " (that of a newer release can't, either)"
UNREADABLE = f"an episode whose record can't be read is left out{NEWER}"
OF_UNREADABLE = "steps of an episode whose record can't be read"


class HuggingFace:
    name = HUGGING_FACE
    title = "data sets for Hugging Face's `datasets`, as we export them"
    looks_like = "a folder with README.md and data/episodes, data/steps of Parquet files"

    def claim(self, place: Place) -> Claim | None:
        if not {CARD, "data"} <= place.names:
            return None
        named = (place / CARD).has_text("config_name: steps", "data/steps/*.parquet")
        return Claim() if named and {"episodes", "steps"} <= (place / "data").names else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        ahead = Counter(_key(row) for row in _rows(place, "episodes", _KEY))
        steps = groupby(_rows(place, "steps", (*_KEY, "record", "seen", "html", "screenshot")), _key)
        of_steps = next(steps, None)
        for row in _rows(place, "episodes", (*_KEY, "record")):
            key = _key(row)
            while of_steps is not None and not ahead[of_steps[0]]:
                _leave(place, of_steps[1], OF_NO_EPISODE)
                of_steps = next(steps, None)
            ahead[key] -= 1
            has_steps = of_steps is not None and of_steps[0] == key
            rows: Iterator[JsonObject] = of_steps[1] if of_steps is not None and has_steps else iter(())
            header = _current(_decoded(row["record"], EpisodeHeader))
            if header is None:
                place.tally.count("episodes")
                place.tally.left("episodes", UNREADABLE)
                _leave(place, rows, OF_UNREADABLE)
            else:
                lost = place.tally.losses()
                count_imported(place.tally, header)
                _tell_unread(place, row["record"], header, "episode")
                header = msgspec.structs.replace(header, run="", episode="")
                yield ImportedEpisode(header, _steps(place, rows, lost), lost)
            if has_steps:
                of_steps = next(steps, None)
        while of_steps is not None:
            _leave(place, of_steps[1], OF_NO_EPISODE)
            of_steps = next(steps, None)


def create() -> HuggingFace:
    """The entry point."""
    return HuggingFace()


def _key(row: JsonObject) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in _KEY)


def _leave(place: Place, rows: Iterator[JsonObject], why: str) -> None:
    """Count steps that come into no record."""
    count = sum(1 for _ in rows)
    if count:
        place.tally.count("steps", count)
        place.tally.left("steps", why, count)


def _rows(place: Place, table: str, wanted: tuple[str, ...]) -> Iterator[JsonObject]:
    """The rows of a table's files, in their order. Raises `BadData`."""
    import pyarrow
    from pyarrow.parquet import ParquetFile

    folder = place / "data" / table
    if CARD in place.names and ("files", "again", CARD_TELLS) not in place.tally.reasons:
        place.tally.again("files", CARD_TELLS)
    for name in sorted(one for one in folder.names if one.endswith(".parquet")):
        file = folder / name
        if not file.confined:
            raise BadData(f"{file} does not lie in {place.root}", "links out of the folder are not followed")
        try:
            file.tally.opened.add(file.path)
            with ParquetFile(Path(file.path)) as read:
                _check(read, file, wanted)
                for batch in read.iter_batches(ROWS_AT_A_TIME, columns=list(wanted)):
                    yield from batch.to_pylist()
        except (pyarrow.ArrowException, OSError) as error:
            raise BadData(f"{file} is no Parquet file that can be read: {str(error)[:300]}") from error


def _check(read: ParquetFile, file: Place, wanted: tuple[str, ...]) -> None:
    """Raises `BadData` for a file without the columns, and for one that would unpack to too much at once."""
    metadata, names = read.metadata, read.schema_arrow.names
    missing = sorted(set(wanted) - set(names))
    if missing:
        raise BadData(f"{file} has no column {', '.join(missing)}: it is no data set that we exported")
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    if any(group.total_byte_size > LARGEST_GROUP for group in groups):
        raise BadData(f"{file} has a row group of more than {LARGEST_GROUP // 1024**2} MiB")


def _decoded(text: object, kind: type[Found]) -> Found | None:
    try:
        return codec.decode(text.encode(), kind) if isinstance(text, str) and text else None
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None


def _current(record: Record | None) -> Record | None:
    """None for a record of a newer release, which no store of this one could read again."""
    return record if record is not None and record.schema_version <= SCHEMA_VERSION else None


def _tell_unread(place: Place, text: object, kept: object, what: str) -> None:
    """Hand the tally what stands in a record's JSON and not in what was made of it."""
    try:
        given: Json = bounded_json.decode(text) if isinstance(text, str) and text else None
    except ValueError:  # nested too deep; what we know of it is read
        place.tally.notice(f"{what}: its JSON was not looked through for keys that we don't know")
        return
    for path, value in _unread(given, msgspec.to_builtins(kept), what):
        place.tally.value(path, value)


def _unread(given: Json, kept: Json, path: str) -> Iterator[tuple[str, Json]]:
    if isinstance(given, dict):
        known = kept if isinstance(kept, dict) else {}
        for name, value in given.items():
            yield from _unread(value, known.get(name), f"{path}.{name}")
    elif isinstance(given, list):
        known_items = kept if isinstance(kept, list | tuple) else ()
        for at, value in enumerate(given):
            yield from _unread(value, known_items[at] if at < len(known_items) else None, path)
    elif given and given != kept:
        yield path, given


def _steps(place: Place, rows: Iterator[JsonObject], lost: Lost) -> Iterator[ImportedStep]:
    for row in rows:
        step = _current(_decoded(row["record"], Step))
        if step is None:
            lost.has("steps")
            lost.lose("steps", f"a step whose record can't be read{NEWER}")
            continue
        shown = row["screenshot"]
        data = shown.get("bytes") if isinstance(shown, dict) else None
        picture = None
        if isinstance(data, bytes):
            picture = Picture(data, step.screenshot_scale, step.screenshot_full_page, step.screenshot_origin)
        seen = _decoded(row["seen"], Observation)
        if row["seen"] and seen is None:
            lost.append("an observation that can't be read")
        _tell_unread(place, row["record"], step, "step")
        if seen is not None:
            _tell_unread(place, row["seen"], seen, "seen")
        html = row["html"] if isinstance(row["html"], str) else ""
        step = msgspec.structs.replace(step, observation="", screenshot="", html="")
        one = ImportedStep(step, seen, picture, html)
        count_imported(place.tally, one)
        yield one
