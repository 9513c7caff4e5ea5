"""What an agent gets to see of an episode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from webbench.core.action.words import action_words
from webbench.core.agent import AgentView, Carried, DevTools, Kept, PastAction
from webbench.core.environment import Lent
from webbench.core.trajectory import Step, memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webbench.core.episode.episode import Episode


def agent_view(episode: Episode) -> AgentView:
    """What it sees now: notes take no action, and the gold answers are not in it."""
    last = next((step for step in reversed(episode.steps) if not step.note), None)
    acted = [step for step in episode.steps if step.acted]
    return AgentView(
        task=msgspec.structs.replace(episode.task, gold={}),
        step=len(episode.steps),
        observation=episode.observation,
        screenshot=episode.screenshot,
        last_action=last.text if last else "",
        last_error=last.error if last else "",
        last_output=last.output if last else "",
        last_proposal=episode.last_proposal,
        before=_carried(episode, acted),
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
            for step in acted
        ),
        memory=memory(episode.steps),
        kept=_kept(acted),
        html=episode.sight.shown_html,
        devtools=_devtools(episode),
        left=episode.limits.left(),
    )


def _devtools(episode: Episode) -> DevTools | None:
    lent = episode.environment.devtools if isinstance(episode.environment, Lent) else None
    if lent is None:
        return None
    address, target = lent
    return DevTools(address=address, target=target, files=episode.setup.downloads)


def _carried(episode: Episode, acted: Sequence[Step]) -> Carried | None:
    proposal, index = episode.carried
    found = next((place for place, step in enumerate(acted) if step.index == index), None)
    if found is None:
        return None
    step = acted[found]
    return Carried(proposal=proposal, error=step.error, output=step.output, action=found)


def _kept(acted: Sequence[Step]) -> dict[str, Kept]:
    """The latest of each agent."""
    return {
        step.provenance.proposed_by: Kept(state=step.agent_state, action=at)
        for at, step in enumerate(acted)
        if step.agent_state and step.provenance is not None
    }
