"""The agent that ends at once: what a page is worth untouched."""

from __future__ import annotations

from webbench.core.action.action import Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import UsageError


class DoNothing:
    """Ends each episode at once, without an answer: what a score is worth for nothing done."""

    name = "do-nothing"

    async def propose(self, view: AgentView) -> Proposal:  # noqa: ARG002 - whatever it sees
        return Proposal(action=Stop())

    async def close(self) -> None:
        """Nothing to give back."""


def create(request: AgentRequest) -> DoNothing:
    """The entry point. Raises `UsageError` for any option."""
    if request.options:
        raise UsageError(f'The agent "do-nothing" takes no options, but got "{request.options[0]}"')
    return DoNothing()
