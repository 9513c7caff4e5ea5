"""Later scores: those given from a record after its episode's end, in `scores.jsonl` of its folder.

The record itself is never changed. Where it holds a value, that one counts; where it holds none, the newest
line does, and says who gave it when.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.score.score import Later, Score, Status
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


def with_later_score(folder: Path, header: EpisodeHeader) -> tuple[EpisodeHeader, list[str]]:
    """The header with the newest later score, where the episode ended without a value; and what is unread."""
    if not header.ended or (header.score is not None and header.score.value is not None):
        return header, []
    found, problems = later_scores(folder)
    if not found:
        return header, problems
    newest = max(reversed(found), key=lambda one: one.at)  # of one time the last in the file
    later = Later(at=newest.at, by=newest.by, judge=newest.judge, recorded=header.score)
    score = msgspec.structs.replace(newest.score, later=later)
    return msgspec.structs.replace(header, score=score), problems


def later_scores(folder: Path) -> tuple[list[LaterScore], list[str]]:
    """All of the episode in this folder, and a sentence for each line, or the file, that can't be read.

    A line of a newer release is one of these: the record itself, and older lines, can be read.
    """
    path = folder / FILE
    try:
        if path.stat().st_size > LARGEST_BESIDE:
            return [], [f"{path} is larger than {LARGEST_BESIDE >> 20} MiB: no later score was read"]
        data = path.read_bytes()
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [f"{path} can't be read: {error.strerror or error}"]
    lines, problems = read_lines(data, path, _line, "the later score")
    newer = [one.message for one in lines if isinstance(one, codec.NewerSchema)]
    return [one for one in lines if isinstance(one, LaterScore)], problems + newer


def keep_score(root: Path, folder: Path, score: Score, by: str = "", judge: str = "") -> None:
    """Append one; on disk when this returns. `root` is the store's. Raises `StoreUnwritable`."""
    line = LaterScore(score=msgspec.structs.replace(score, later=None), at=now(), by=by, judge=judge)
    append_beside(root, folder / FILE, codec.encode(line) + b"\n", "a later score")


def _line(line: bytes, where: str) -> LaterScore | codec.NewerSchema:
    try:
        found = codec.decode_record(line, LaterScore, SCHEMA_VERSION, where)
    except codec.NewerSchema as error:
        return error
    if found.score.status is not Status.SCORED or found.score.value is None:
        raise BadData(f"{where} scores nothing")
    return found
