"""The row account: which steps of the records rows were made of, and why of the others none was.

Each step is counted once: it has a row, or the reason for which it was passed over. What rows have of a step
is counted by `chat_rows.counted_rows` in the file.
"""

from __future__ import annotations

from collections import Counter

from webbench.core.exchange.account.episode_parts import parts_of_step
from webbench.core.exchange.export_format import Source
from webbench.core.trajectory import Step, Trajectory

Key = tuple[str, int]
"""Run and episode as a row names them, and the number of a step."""
IN_ROWS = ("steps", "actions", "prompts.steps", "replies.steps")
"""Parts of a step that its row has, each once."""
MADE = {
    "steps": "the start is a step that a row is of",
    "actions": "what was sent and is no action that we know is the answer",
    "prompts.steps": "a prompt is that of a model's call, or put together from what the actor saw",
    "replies.steps": "where a step has no reply of its own, that of the call or the action is it",
}
ANOTHER = "of an episode that was not asked for: the other way that a fork went"
OF_CALLS = "a row has the prompt and the answer of the call that decided, under those of its step"
NOT_SHOWN = "no row shows it, or a row shows the same picture of another step"


class RowAccount:
    """Takes up episodes as they are looked through, and their steps as they become rows or not.

    Args:
        passed_over: the reason for steps that no rule was asked about.
    """

    def __init__(self, source: Source, passed_over: str) -> None:
        self._source, self._passed_over = source, passed_over
        self._parts: dict[Key, Counter[str]] = {}
        self._reasons: dict[Key, str] = {}
        self._used: set[Key] = set()
        self._at: Key | None = None

    def begin(self, trajectory: Trajectory) -> None:
        """An episode of the export; what its steps have."""
        for step in trajectory.steps:
            parts = parts_of_step(step, None, None, None)
            self._parts[_key(trajectory, step)] = Counter(part for part, _ in parts)
        self._at = None

    def look_at(self, trajectory: Trajectory, step: Step) -> None:
        """The step that the next row, or the next reason, is of."""
        self._at = _key(trajectory, step)

    def look_away(self) -> None:
        """What is told next is of no single step."""
        self._at = None

    def passed(self, why: str) -> None:
        """The step makes no row; the first reason is kept."""
        if self._at is not None:
            self._reasons.setdefault(self._at, why)

    def used(self, episode: str, step: int) -> None:
        """A row is of this step."""
        self._used.add((episode, step))

    def close(self, pictures: int) -> None:
        """Tell the export's account.

        Args:
            pictures: files of pictures that were written.
        """
        source = self._source
        for key, parts in self._parts.items():
            made_row = key in self._used
            for part in IN_ROWS:
                if made_row and not parts[part]:
                    source.made(part, MADE[part])
                elif not made_row:
                    source.leave(part, self._reasons.get(key, self._passed_over), parts[part])
            for part in ("prompts.calls", "replies.calls"):
                source.leave(part, OF_CALLS, parts[part])
        for _ in self._used - self._parts.keys():
            for part in IN_ROWS:
                source.made(part, ANOTHER)
        there = {episode for episode, _ in self._parts}
        with_rows = {episode for episode, _ in self._used}
        source.leave("episodes", "no step of it is a row", len(there - with_rows))
        source.made("episodes", ANOTHER, len(with_rows - there))
        had = source.given.parts["pictures"] - source.given.told("pictures")
        source.leave("pictures", NOT_SHOWN, had - pictures)
        source.made("pictures", "pictures of the task are shown, too", pictures - had)


def _key(trajectory: Trajectory, step: Step) -> Key:
    header = trajectory.header
    return f"{header.run}/{header.episode}", step.index
