"""What an agent gets to see of an episode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from webbench.core.action_words import action_words
from webbench.core.agents.contract import AgentView, PastAction
from webbench.core.trajectory import memory

if TYPE_CHECKING:
    from webbench.core.episode import Episode


def agent_view(episode: Episode) -> AgentView:
    """What it sees now: notes take no action, and the gold answers are not in it."""
    last = next((step for step in reversed(episode.steps) if not step.note), None)
    return AgentView(
        task=msgspec.structs.replace(episode.task, gold={}),
        step=len(episode.steps),
        observation=episode.observation,
        screenshot=episode.screenshot,
        last_action=last.text if last else "",
        last_error=last.error if last else "",
        last_output=last.output if last else "",
        last_proposal=episode.last_proposal,
        rejected=episode.rejected,
        dialect=episode.dialect.name,
        shown=next((step.index for step in reversed(episode.steps) if step.screenshot), None),
        history=tuple(
            PastAction(
                text=step.text,
                words=action_words(step.action) if step.action is not None else "",
                error=step.error,
                actor=step.actor,
            )
            for step in episode.steps
            if step.acted
        ),
        memory=memory(episode.steps),
        left=episode.limits.left(),
    )
