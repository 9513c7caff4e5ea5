"""Replies kept beside a record: what judges said when it was scored again, in `replies.jsonl` of its folder.

The record itself is never changed. Scoring it once more asks nobody: without a judge the newest judge's
replies count, with one those that it gave to the same wording.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.judge import Judge, Question, Reply
from webbench.core.scoring.judges.question_prompts import prompt_version
from webbench.core.store.records import codec
from webbench.core.store.records.line_files import LARGEST_BESIDE, append_beside, read_lines
from webbench.core.store.store import Store
from webbench.core.trajectory import now

FILE = "replies.jsonl"
SCHEMA_VERSION = 1


class KeptReply(msgspec.Struct, frozen=True, kw_only=True):
    """One reply.

    Attributes:
        question: its key.
        prompt_version: of the wording that was asked with, "" for a person.
    """

    question: str
    kind: str
    prompt_version: str
    reply: Reply
    at: str
    schema_version: int = SCHEMA_VERSION


class Listening:
    """A judge, and what it was asked and replied since."""

    def __init__(self, judge: Judge) -> None:
        self.name = judge.name
        self.heard: list[tuple[Question, Reply]] = []
        self._judge = judge

    async def ask(self, question: Question) -> Reply:
        reply = await self._judge.ask(question)
        if reply.text and not reply.error:
            self.heard.append((question, reply))
        return reply


def kept_replies(folder: Path, judge: str = "") -> dict[str, Json]:
    """By key of the question, as evidence has them; lines that can't be read are none.

    Args:
        folder: of the episode.
        judge: whose, by the wording of today; "": those of the one that was asked last, by any.

    Raises `BadData` for a file that can't be read, or that a newer release wrote.
    """
    kept = every_reply(folder)
    wanted = judge or (kept[-1].reply.judge if kept else "")
    return {
        one.question: msgspec.to_builtins(one.reply)
        for one in kept
        if one.reply.judge == wanted and (not judge or one.prompt_version == _version(one.kind))
    }


def keep_replies(store: Store, folder: Path, heard: Iterable[tuple[Question, Reply]]) -> None:
    """Append replies; on disk when this returns. Raises `StoreUnwritable`."""
    lines = [
        codec.encode(
            store.redacted(
                KeptReply(
                    question=question.key,
                    kind=question.kind,
                    prompt_version=_version(question.kind),
                    reply=msgspec.structs.replace(reply, cached=False),
                    at=now(),
                )
            )
        )
        for question, reply in heard
    ]
    if lines:
        append_beside(store.root, folder / FILE, b"".join(line + b"\n" for line in lines), "a judge's reply")


def _version(kind: str) -> str:
    try:
        return prompt_version(kind)
    except BadData:
        return ""


def every_reply(folder: Path) -> list[KeptReply]:
    """All that judges ever said of the episode in this folder, in order; lines that can't be read are none.

    Raises `BadData` for a file that can't be read, or that a newer release wrote.
    """
    path = folder / FILE
    try:
        if path.stat().st_size > LARGEST_BESIDE:
            raise BadData(f"{path} is larger than {LARGEST_BESIDE >> 20} MiB", "move it away")
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error
    kept, _ = read_lines(data, path, _line, "the reply")
    return sorted(
        kept, key=lambda one: one.at
    )  # those of another store come behind, whenever they were given


def _line(line: bytes, where: str) -> KeptReply:
    return codec.decode_record(line, KeptReply, SCHEMA_VERSION, where)
