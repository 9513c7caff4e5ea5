"""Bringing an episode to a recorded state: reset, then the recorded actions, matched by fingerprint."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.action import Stop, Submit
from webbench.core.dialects.references import without_id
from webbench.core.episode import Episode
from webbench.core.errors import WebbenchError
from webbench.core.store.redaction import MARKER
from webbench.core.trajectory import Step


async def replay(episode: Episode, steps: Sequence[Step]) -> int:
    """Repeat recorded actions in a started episode and return how many were repeated.

    Steps that had no effect when they were recorded are left out, and so is the action that ended the
    recorded episode: the replay is there to go on from. Notes are kept.

    Raises:
        WebbenchError: an action that had its effect then has none now; says at which step and why.
    """
    repeated = 0
    last = steps[-1] if steps else None
    for step in steps:
        if step is last and isinstance(step.action, Stop | Submit):
            break
        if episode.ended:
            break
        if step.note and step.action is None and not step.evidence:
            await episode.note(step.note)
        if step.action is None or not step.ok:
            continue
        if MARKER in msgspec.json.encode(step.action).decode():
            raise WebbenchError(
                f"The replay stopped at step {step.index}: what was typed there was redacted in the record",
                "type it by hand and go on from here",
            )
        done = await episode.act_on(without_id(step.action), text=step.text, actor=step.actor)
        if not done.ok:
            raise WebbenchError(
                f"The replay stopped at step {step.index} ({step.text}): {done.error}",
                "the page differs from the recording; go on from here by hand, or start again",
            )
        repeated += 1
    return repeated
