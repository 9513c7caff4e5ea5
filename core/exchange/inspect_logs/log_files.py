"""The two files an Inspect log may be, read within bounds: JSON, and `.eval`, a zip with a member per
sample.

Members of `.eval`: `header.json` (all but the samples), `samples/<id>_epoch_<n>.json`,
`summaries.json`, `reductions.json`, `_journal/`. A run that was cut off may have no header: then
`_journal/start.json` tells what was run. Newer releases pack members with Zstandard, which `inspect_ai`
itself unpacks as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.errors import BadData
from webbench.core.exchange.place import LARGEST_FILE, Place
from webbench.core.exchange.reading.archive import Archive, is_zip
from webbench.core.json_types import Json, JsonObject
from webbench.core.text import bounded_json

HEADER, START, SAMPLES = "header.json", "_journal/start.json", "samples/"
REDUCTIONS = "reductions.json"


def is_log(place: Place) -> bool:
    """Whether a zip by another name has the members of a log; what can't be opened is none."""
    try:
        with Archive(place) as archive:
            names = archive.names
    except BadData:
        return False
    return (HEADER in names or START in names) and any(name.startswith(SAMPLES) for name in names)


def header_and_samples(place: Place) -> tuple[JsonObject, Iterator[JsonObject]]:
    """What the log says as a whole, and its samples one after the other. Raises `BadData`."""
    return _zipped(place) if is_zip(place) else _plain(place)


def _plain(place: Place) -> tuple[JsonObject, Iterator[JsonObject]]:
    log = place.json()
    if not isinstance(log, dict):
        raise BadData(f"{place} holds no JSON object")
    samples = log.get("samples")
    listed = samples if isinstance(samples, list) else []
    header = {name: value for name, value in log.items() if name != "samples"}
    found = [one for one in listed if isinstance(one, dict)]
    if len(found) < len(listed):
        place.tell(f"{place}: samples that are no objects are left out: {len(listed) - len(found)}")
    return header, iter(found)


def _zipped(place: Place) -> tuple[JsonObject, Iterator[JsonObject]]:
    with Archive(place) as archive:
        names = archive.names
        if HEADER in names:
            header = _object(archive, HEADER)
        elif START in names:
            header = _object(archive, START) | {"status": "started"}
            place.tell(f"{place} has no header: the run was cut off, and its results are not known")
        else:
            raise BadData(f"{place} holds neither {HEADER} nor {START}: it is no log of Inspect")
        if REDUCTIONS in names:
            header["reductions"] = _decoded(archive, REDUCTIONS)
    for line in archive.left_aside:
        place.tell(line)
    return header, _samples(place)


def _samples(place: Place) -> Iterator[JsonObject]:
    with Archive(place) as archive:
        for name in archive.names:
            if not name.startswith(SAMPLES):
                continue
            try:
                yield _object(archive, name)
            except BadData as error:
                place.tell(str(error))


def _object(archive: Archive, name: str) -> JsonObject:
    found = _decoded(archive, name)
    if not isinstance(found, dict):
        raise BadData(f"{archive.place}: {name} holds no JSON object")
    return found


def _decoded(archive: Archive, name: str) -> Json:
    text = archive.place.decoded(archive.read(name, LARGEST_FILE))
    archive.place.require_few(text.count(",") + text.count("[") + text.count("{"))
    try:
        return bounded_json.decode(text)
    except (ValueError, RecursionError) as error:
        raise BadData(f"{archive.place}: {name} is no readable JSON: {error}") from error
