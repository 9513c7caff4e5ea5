"""Bringing an episode to a recorded state: reset, then the recorded actions, matched by fingerprint."""

from __future__ import annotations

import msgspec

from webbench.core.action import Stop, Submit
from webbench.core.dialects.references import without_id
from webbench.core.engine import messages
from webbench.core.episode import Episode
from webbench.core.errors import WebbenchError
from webbench.core.store.redaction import MARKER
from webbench.core.trajectory import Step, Trajectory


class Replay:
    """Repeats recorded actions in a started episode, to go on from there.

    Steps that had no effect when they were recorded are left out, and so is the action that ended the
    recorded episode. Notes are kept.

    Attributes:
        told: how far it came and what was left out, also after `run` has failed.
    """

    def __init__(self, episode: Episode, recorded: Trajectory) -> None:
        self._episode = episode
        self._recorded = recorded
        ending = _ending(recorded)
        self._steps = recorded.steps[:-1] if ending else recorded.steps
        self.told = messages.Replayed(
            episode=recorded.header.episode,
            steps=0,
            failed=sum(not step.ok for step in self._steps),
            unreached=sum(map(_is_repeated, self._steps)),
            ending=ending,
        )

    async def run(self) -> None:
        """Repeat what can be repeated.

        Raises:
            WebbenchError: an action that had its effect then has none now; says at which step and why.
        """
        recorded_actor = self._recorded.header.actor
        if recorded_actor not in ("human", "mixed"):
            self._episode.agent = recorded_actor
        for step in self._steps:
            if self._episode.ended:
                return
            if step.note and step.action is None and not step.evidence:
                await self._episode.note(step.note)
            if _is_repeated(step):
                await self._repeat(step)

    async def _repeat(self, step: Step) -> None:
        if step.action is None:
            return
        if MARKER in msgspec.json.encode(step.action).decode():
            raise WebbenchError(
                f"The replay stopped at step {step.index}: what was typed there was redacted in the record",
                "type it by hand and go on from here",
            )
        done = await self._episode.act_on(without_id(step.action), text=step.text, actor=step.actor)
        if not done.ok:
            raise WebbenchError(
                f"The replay stopped at step {step.index} ({step.text}): {done.error}",
                "the page differs from the recording; go on from here by hand, or start again",
            )
        self.told = msgspec.structs.replace(
            self.told, steps=self.told.steps + 1, unreached=self.told.unreached - 1
        )


def _is_repeated(step: Step) -> bool:
    return step.action is not None and step.ok


def _ending(recorded: Trajectory) -> str:
    """The text of the action that ended the recorded episode, "" where none did."""
    last = recorded.steps[-1] if recorded.steps else None
    ends = Stop | Submit if recorded.header.ended else Stop
    if last is None or not last.ok or not isinstance(last.action, ends):
        return ""
    return last.text or type(last.action).__name__.lower()
