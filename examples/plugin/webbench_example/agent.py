"""An agent: it follows the link that the task names, and answers with the colour that the page tells."""

from __future__ import annotations

from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.benchmark.agent_request import AgentRequest

LABEL = "Colour: "


class LookItUp:
    """Keeps nothing from step to step: everything it needs is in the view."""

    name = "look-it-up"

    async def propose(self, view: AgentView) -> Proposal:
        for node in view.observation.nodes:
            if node.role == "StaticText" and node.name.startswith(LABEL):
                colour = node.name.removeprefix(LABEL).strip()
                return Proposal(action=Stop(answer=colour), reasoning=f"the page says {colour}")
        for node in view.observation.nodes:
            if node.role == "link" and node.name.casefold() in view.task.intent.casefold():
                return Proposal(
                    action=Click(target=ElementRef(id=node.id)), reasoning=f"{node.name} is asked for"
                )
        return Proposal(action=Stop(), reasoning="there is nothing to look up")

    async def close(self) -> None:
        """Nothing to give back."""


def create(request: AgentRequest) -> LookItUp:
    """The entry point; `request.options` are the words after the agent's name."""
    return LookItUp()
