"""The agent that does again what was recorded.

Ids don't survive a new life of the page, so every element goes out by its recorded fingerprint and the
environment finds it anew. Steps that had no effect when they were recorded are left out.

Written `replay PATH`: the folder of an episode, or a file with one action as JSON per line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.core.action.action import Action, Stop
from webbench.core.action.references import without_id
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.resumed_state import taken_up
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import BadData, UsageError
from webbench.core.store.records import codec
from webbench.core.text.bounded_json import decode

STEPS_FILE = "steps.jsonl"


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """How many actions of which record are done once the one is that this is recorded with."""

    record: str
    next: Annotated[int, Meta(ge=0)]


class Replay:
    """Does one action after the other; one that was rejected, or replaced by a person's own, is still open.

    One that is made anew in mid-episode goes on behind what was carried out.
    """

    def __init__(self, actions: tuple[Action, ...], name: str = "replay") -> None:
        self.name = name
        self._actions = actions
        self._record = hashlib.sha256(codec.encode(actions)).hexdigest()[:16]
        self._next = 0
        self._proposed: Proposal | None = None
        self._fresh = True

    async def propose(self, view: AgentView) -> Proposal:
        if self._fresh:
            self._take_up(view)
        if self._proposed is not None and view.carried.proposal is self._proposed:
            self._next += 1
        self._proposed = None
        if self._next >= len(self._actions):
            return Proposal(action=Stop(), reasoning="the record ends here")
        following = self._next + 1
        self._proposed = Proposal(
            action=without_id(self._actions[self._next]),
            reasoning=f"recorded action {following} of {len(self._actions)}",
            state=msgspec.to_builtins(Place(record=self._record, next=following)),
        )
        return self._proposed

    def _take_up(self, view: AgentView) -> None:
        self._fresh = False
        place = taken_up(view, self.name, Place)
        if place is not None and place.record == self._record:
            done = view.history[view.kept[self.name].action]
            self._next = place.next if done.actor == "agent" else max(0, place.next - 1)

    async def close(self) -> None:
        """Nothing to give back."""


def recorded_actions(path: Path) -> tuple[Action, ...]:
    """The actions of an episode folder, a `steps.jsonl`, or a file with one JSON action per line.

    A torn last line is skipped. Raises `UsageError` where there is no such file, `BadData` with file and
    line where a line is neither a step nor an action.
    """
    file = path / STEPS_FILE if path.is_dir() else path
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise UsageError(
            f"There is no record at {file}: {error.strerror}",
            "name an episode folder, or a file with one JSON action per line",
        ) from error
    return tuple(_actions(file, lines))


def _actions(file: Path, lines: list[bytes]) -> Iterator[Action]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = decode(line)
        except ValueError as error:
            if number == len(lines):
                return
            raise BadData(f"{file}:{number} is not JSON: {error}") from error
        if not isinstance(record, dict):
            raise BadData(f"{file}:{number} is neither a step nor an action")
        fields = record if "verb" in record else record.get("action")
        if fields is None or record.get("ok") is False:
            continue
        try:
            action: Action = msgspec.convert(fields, type=Action)
        except (msgspec.ValidationError, OverflowError, ValueError) as error:
            raise BadData(f"{file}:{number} holds no action we know: {error}") from error
        yield action


def create(request: AgentRequest) -> Replay:
    """The entry point. Option: the path of the record."""
    if len(request.options) != 1:
        raise UsageError(
            'The agent "replay" needs one path', "write: replay EPISODE-FOLDER, or replay FILE.jsonl"
        )
    return Replay(recorded_actions(Path(request.options[0]).expanduser()))
