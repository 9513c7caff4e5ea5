"""Chat rows: messages in the two common shapes, with the pictures that were seen, and an account of all rows.

| shape | a message | pictures |
|---|---|---|
| OpenAI | `{"role": "user", "content": …}` in `messages` | parts `image_url`, of files in `images/` |
| ShareGPT | `{"from": "human", "value": …}` in `conversations` | `<image>` in the text, files in `images` |
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.given import Places
from webbench.core.exchange.account.kinds import KINDS
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.training.row_account import RowAccount
from webbench.core.exchange.training.seen_prompt import Answer, Seen
from webbench.core.exchange.training.trusted_verdicts import TrustedVerdicts, Verdict
from webbench.core.json_types import JsonObject
from webbench.core.model_call import SentMessage, SentPicture
from webbench.core.store.records import codec
from webbench.core.task import task_pictures
from webbench.core.text.plural import counted
from webbench.core.trajectory import HUMAN, Step, Trajectory

T = TypeVar("T")
SCHEMA_VERSION = 1
ACCOUNT, IMAGES = "account.json", "images"
PICTURE_MARK = "<image>"
"""Where ShareGPT's readers put a picture; in a text of a page it is written with a blank."""
MARK_IN_TEXT = "< image>"
_SPEAKERS = {"system": "system", "user": "human", "assistant": "gpt"}
NOTHING_DONE = "nothing was done in it"
_NOT_HAD = "a picture that the actor saw is not kept"


_COUNTED = {"episodes", "steps", "actions", "prompts", "replies", "pictures"}
SELECTED = Places(
    no_place=dict.fromkeys(set(KINDS) - _COUNTED, "a row has messages, what was done, and who judged it"),
)
"""What all formats of rows say of what they have of a record; the rest is counted step by step."""


def counted_rows(path: Path) -> Counter[str]:
    """Parts that the rows of a folder have, each step once however often it stands."""
    steps: set[tuple[str, int]] = set()
    for file in sorted(path.glob("*.jsonl")):
        with file.open("rb") as lines:
            rows = (codec.decode(line, _RowOrigin) for line in lines)
            steps |= {(row.episode, row.step) for row in rows}
    found: Counter[str] = Counter()
    for part in ("steps", "actions", "prompts.steps", "replies.steps"):
        found[part] = len(steps)
    found["episodes"] = len({episode for episode, _ in steps})
    found["pictures"] = sum(1 for _ in (path / IMAGES).glob("*"))
    return +found


class _RowOrigin(msgspec.Struct):
    episode: str
    step: int


class ShownPictures(msgspec.Struct, frozen=True, kw_only=True):
    """Files of the pictures that a prompt was sent with, by their SHA-256, and what was changed of them."""

    files: dict[str, str] = {}
    notes: dict[str, str] = {}


class LeftOut(Exception):
    """Something is no row; its text says why, and is counted."""


def needed(found: T | str) -> T:
    """What was found. Raises `LeftOut` for a text, which says why nothing was."""
    if isinstance(found, str):
        raise LeftOut(found)
    return found


class TrainingFolder:
    """The folder that rows are written into, each once; `close` writes the account.

    Args:
        path: where the folder is to be.
        what: is counted, such as "steps".
        passed_over: why steps are no rows that no rule is asked about.

    Attributes:
        account: which steps are rows; it takes up each episode, and each step before it is asked about.
        verdicts: what rows are chosen by; labels that can't be read are told as lost, as they may object.
    """

    def __init__(
        self, source: Source, path: Path, format: str, what: str, passed_over: str = NOTHING_DONE
    ) -> None:
        self.source = source
        self._path, self._format, self._what = path, format, what
        self._files: dict[str, IO[bytes]] = {}
        self._written: set[bytes] = set()
        self.account = RowAccount(source, passed_over)
        self.verdicts = TrustedVerdicts(source.store)
        for problem in self.verdicts.unread:
            source.told.lose(f"what somebody said of episodes can't be read: {problem}")
        path.mkdir()

    def add(self, rows: Mapping[str, JsonObject], content: object) -> None:
        """Write a row into each of these files. Raises `LeftOut` for what was written before.

        Args:
            content: what makes the row another one than those before it.
        """
        digest = hashlib.sha256(codec.encode(content)).digest()
        if digest in self._written:
            raise LeftOut("the same row was written of another episode or step")
        self._written.add(digest)
        for name, row in rows.items():
            if name not in self._files:
                self._files[name] = (self._path / name).open("wb")
            self._files[name].write(codec.encode(row) + b"\n")
            self.account.used(row["episode"], row["step"])
        self.source.told.rows += 1

    def leave_out(self, why: str) -> None:
        """Count something that is no row."""
        self.source.told.leave_out(why)
        self.account.passed(why)

    @contextmanager
    def row_or_reason(self) -> Iterator[None]:
        """Around the making of one row: what makes it none is counted, and ends it."""
        try:
            yield
        except LeftOut as why:
            self.leave_out(str(why))

    def close(self) -> None:
        """Write the account. Raises `BadData` where there is no row at all."""
        for file in self._files.values():
            file.close()
        told = self.source.told
        self.account.close(sum(1 for _ in (self._path / IMAGES).glob("*")))
        if not told.rows:
            reasons = "; ".join(f"{counted(count, 'time')}: {why}" for why, count in told.left_out.items())
            raise BadData(
                f"there is no row for {self._format} in {counted(told.episodes, 'episode')}: "
                f"{reasons or f'there are no {self._what}'}",
                "`webbench-tui label` and `label rule` say how to judge episodes and steps",
            )
        account = {
            "schema_version": SCHEMA_VERSION,
            "format": self._format,
            "episodes": told.episodes,
            "counted": self._what,
            "looked_at": told.rows + sum(told.left_out.values()),
            "rows": told.rows,
            "unread_labels": len(self.verdicts.unread),
            "left_out": [{"why": why, "count": count} for why, count in told.left_out.items()],
        }
        (self._path / ACCOUNT).write_bytes(codec.encode(account) + b"\n")

    def pictures(self, trajectory: Trajectory, seen: Seen) -> ShownPictures:
        """The pictures of a prompt, written into the folder. Raises `LeftOut` where they can't be."""
        files: dict[str, str] = {}
        notes: dict[str, str] = {}
        for picture in (one for message in seen.messages for one in message.pictures):
            if not self.source.pictures:
                raise LeftOut("the actor saw pictures, and the export is without them")
            found = self._bytes(trajectory, picture)
            if found is None:
                raise LeftOut(_NOT_HAD)
            name = f"{IMAGES}/{hashlib.sha256(found[0]).hexdigest()}.{found[1]}"
            (self._path / IMAGES).mkdir(exist_ok=True)
            (self._path / name).write_bytes(found[0])
            files[picture.sha256] = name
            if picture.note:
                notes[picture.sha256] = f"sent otherwise: {picture.note}"
        return ShownPictures(files=files, notes=notes)

    def _bytes(self, trajectory: Trajectory, picture: SentPicture) -> tuple[bytes, str] | None:
        """A screenshot as it is recorded, or a picture of the task."""
        for step in trajectory.steps:
            if picture.step == step.index and step.screenshot:
                shot = self.source.picture(trajectory, step)
                return (shot.data, shot.format) if shot is not None else None
        for one in task_pictures(trajectory.header.task):
            data = base64.b64decode(one.base64)
            if hashlib.sha256(data).hexdigest() == picture.sha256:
                return data, one.format
        return None


def openai_messages(messages: Sequence[SentMessage], pictures: ShownPictures) -> list[JsonObject]:
    """Messages of a chat as OpenAI's protocol has them."""
    made: list[JsonObject] = []
    for message in messages:
        shown = [
            {"type": "image_url", "image_url": {"url": pictures.files[one.sha256]}}
            for one in message.pictures
        ]
        text = {"type": "text", "text": message.text}
        made.append({"role": message.role, "content": [text, *shown] if shown else message.text})
    return made


def openai_answer(answer: Answer) -> JsonObject:
    """An answer as the last message."""
    made: JsonObject = {"role": "assistant", "content": answer.text}
    if answer.thinking:
        made["reasoning_content"] = answer.thinking
    if answer.tools:
        made["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": tool.name, "arguments": tool.arguments},
            }
            for number, tool in enumerate(answer.tools)
        ]
    return made


def sharegpt_turns(messages: Sequence[SentMessage], answer: Answer) -> list[JsonObject]:
    """The chat as ShareGPT has it, the answer as its last turn; tools that were called are JSON."""
    turns = [
        {
            "from": _SPEAKERS[message.role],
            "value": "\n".join([_unmarked(message.text), *[PICTURE_MARK] * len(message.pictures)]),
        }
        for message in messages
    ]
    if answer.tools:
        called = [{"name": one.name, "arguments": one.arguments} for one in answer.tools]
        if answer.text:
            turns.append({"from": "gpt", "value": _unmarked(answer.text)})
        return [*turns, {"from": "function_call", "value": _unmarked(codec.encode(called).decode())}]
    return [*turns, {"from": "gpt", "value": _unmarked(answer.text)}]


def origin_of_row(
    trajectory: Trajectory, step: Step, seen: Seen, pictures: ShownPictures, verdict: Verdict
) -> JsonObject:
    """Where a row is from, what its prompt is, and who judged it by which rules."""
    header = trajectory.header
    return {
        "episode": f"{header.run}/{header.episode}",
        "step": step.index,
        "benchmark": header.task.benchmark,
        "task": header.task.id,
        "split": header.task.split,
        "actor": _actor(trajectory, step),
        "rules": verdict.rules,
        "value": verdict.value,
        "judged_by": msgspec.to_builtins(verdict.judged_by),
        "shown": seen.how,
        "images": list(pictures.files.values()),
        "image_notes": [pictures.notes.get(sha256, "") for sha256 in pictures.files],
    }


def _actor(trajectory: Trajectory, step: Step) -> str:
    if step.actor != "agent":
        return HUMAN
    return step.provenance.proposed_by if step.provenance is not None else trajectory.header.actor


def _unmarked(text: str) -> str:
    return text.replace(PICTURE_MARK, MARK_IN_TEXT)
