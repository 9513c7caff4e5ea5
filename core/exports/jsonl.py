"""Our own file of episodes: JSON lines that hold everything, so that other programs need no store.

| line | fields |
|---|---|
| first | `format` "webbench-jsonl", `schema_version`, `made_by` |
| `kind` "episode" | `header`: an `EpisodeHeader`; its steps follow |
| `kind` "step" | `step`: a `Step`; `observation`: an `Observation` or null; `html`: the page or ""; `picture`: null or `{format, scale, full_page, base64}` |
| `kind` "label" | `label`: a `Label` of the episode, after its steps |

Observation, page and picture are what the actor saw *after* the step. The types are those of
`core/trajectory.py`, `core/observation.py` and `core/labels/entries.py`. A name that ends in `.gz` is packed.
`core/formats/webbench_jsonl.py` reads it back.
"""  # noqa: E501 - a table

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import BinaryIO, cast

from webbench.core.exports.contract import Source
from webbench.core.json_types import JsonObject
from webbench.core.labels.entries import Label
from webbench.core.labels.sight import open_labels
from webbench.core.observation import Screenshot
from webbench.core.store import codec
from webbench.core.trajectory import Trajectory

FORMAT = "webbench-jsonl"
SCHEMA_VERSION = 1


class JsonLines:
    name = "jsonl"
    title = "our own JSON lines, one step a line; `import` reads them back"
    ending = ".jsonl"
    several = True
    lacks = "files kept with an episode, such as downloads"

    def write(self, source: Source, path: Path) -> None:
        with _opened(path) as file:
            head = {
                "format": FORMAT,
                "schema_version": SCHEMA_VERSION,
                "made_by": f"webbench-tui {version('webbench-tui')}",
            }
            file.write(codec.encode(head) + b"\n")
            labels = open_labels(source.store.labels.book())
            for trajectory in source.trajectories():
                header = trajectory.header
                own = labels.get((header.run, header.episode), ())
                for line in chain(_lines(source, trajectory), _labels(own)):
                    file.write(codec.encode(line) + b"\n")
                _tell_of_files(source, trajectory)


def create() -> JsonLines:
    """The entry point."""
    return JsonLines()


def _opened(path: Path) -> BinaryIO:
    if path.name.endswith(".gz"):
        return cast("BinaryIO", gzip.GzipFile(path, "wb", mtime=0))
    return path.open("wb")


def _lines(source: Source, trajectory: Trajectory) -> Iterator[JsonObject]:
    yield {"kind": "episode", "header": trajectory.header}
    for step in trajectory.steps:
        yield {
            "kind": "step",
            "step": step,
            "observation": source.observation(trajectory, step),
            "html": source.html(trajectory, step),
            "picture": _picture(source.picture(trajectory, step)),
        }


def _picture(picture: Screenshot | None) -> JsonObject | None:
    if picture is None:
        return None
    return {
        "format": picture.format,
        "scale": picture.scale,
        "full_page": picture.full_page,
        "base64": base64.b64encode(picture.data).decode("ascii"),
    }


def _labels(labels: Iterable[Label]) -> Iterator[JsonObject]:
    """Those that nobody may be swayed by any more: every annotator is done with the episode."""
    for label in labels:
        yield {"kind": "label", "label": label}


def _tell_of_files(source: Source, trajectory: Trajectory) -> None:
    header = trajectory.header
    for kept in source.store.files(source.store.root / header.run / header.episode):
        source.told.lose(f"{header.episode}: the file {kept.name} kept with it")
