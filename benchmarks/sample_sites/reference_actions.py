"""Written lists of actions: one core action as JSON per line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.core.action.action import Action
from webbench.core.errors import BadData

_decoder: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action)


def read_actions(file: Path) -> tuple[Action, ...]:
    """The actions in order; empty where there is no such file.

    Raises `BadData` for a line that is no action, naming file and line.
    """
    if not file.is_file():
        return ()
    return tuple(
        _action(line, f"{file}:{number}")
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        if line.strip()
    )


class ReferenceFiles:
    """What a bundle's reference lists say: `references/<task>.jsonl`, and `near_misses/` beside it.

    Attributes:
        folder: where both lie.
    """

    folder: Path

    def reference(self, task: str) -> Sequence[Action]:
        """Actions that solve the task; empty where none are written."""
        return read_actions(self.folder / "references" / f"{task}.jsonl")

    def near_miss(self, task: str) -> Sequence[Action]:
        """Actions that nearly solve the task, and don't score 1; empty where none are written."""
        return read_actions(self.folder / "near_misses" / f"{task}.jsonl")


def _action(line: str, where: str) -> Action:
    try:
        return _decoder.decode(line)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise BadData(f"{where}: not an action: {error}") from error
