"""Later scores: those given from a record after its episode's end, in `scores.jsonl` of its folder.

The record itself is never changed. Where it holds a value, that one counts; where it holds none, the newest
line does, and says who gave it when.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.score.score import Later, Score
from webbench.core.store.records import codec
from webbench.core.store.records.line_files import LARGEST_BESIDE, append_beside, read_lines
from webbench.core.trajectory import EpisodeHeader, now

FILE = "scores.jsonl"
SCHEMA_VERSION = 1


class LaterScore(msgspec.Struct, frozen=True, kw_only=True):
    """One line: a score, when it was given, who asked for it, and which judge decided."""

    score: Score
    at: str
    by: str = ""
    judge: str = ""
    schema_version: int = SCHEMA_VERSION


def with_later_score(folder: Path, header: EpisodeHeader) -> EpisodeHeader:
    """The header with the newest later score, where the episode ended without a value."""
    if not header.ended or (header.score is not None and header.score.value is not None):
        return header
    kept = sorted(later_scores(folder), key=lambda one: one.at)  # of one time the last in the file
    if not kept:
        return header
    newest = kept[-1]
    later = Later(at=newest.at, by=newest.by, judge=newest.judge, recorded=header.score)
    return msgspec.structs.replace(header, score=msgspec.structs.replace(newest.score, later=later))


def later_scores(folder: Path) -> list[LaterScore]:
    """All of the episode in this folder; lines and files that can't be read are none."""
    path = folder / FILE
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_BESIDE else b""
    except OSError:
        return []
    return read_lines(data, path, _line, "the later score")[0]


def keep_score(root: Path, folder: Path, score: Score, by: str = "", judge: str = "") -> None:
    """Append one; on disk when this returns. `root` is the store's. Raises `StoreUnwritable`."""
    line = LaterScore(score=msgspec.structs.replace(score, later=None), at=now(), by=by, judge=judge)
    append_beside(root, folder / FILE, codec.encode(line) + b"\n", "a later score")


def _line(line: bytes, where: str) -> LaterScore:
    found = codec.decode_record(line, LaterScore, SCHEMA_VERSION, where)
    if found.score.value is None:
        raise BadData(f"{where}: a later score without a value says nothing")
    return found
