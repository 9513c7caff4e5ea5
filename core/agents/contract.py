"""The contract between an episode and an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from webbench.core.action import Action
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation, Screenshot

if TYPE_CHECKING:
    from webbench.core.task import Task


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent wants to do next: text in the episode's dialect, or an action itself.

    `text` wins where both are given; `usage` holds tokens and cost where a model was asked.
    """

    text: str = ""
    action: Action | None = None
    reasoning: str = ""
    prompt: str = ""
    reply: str = ""
    usage: JsonObject = {}


class AgentView(msgspec.Struct, frozen=True, kw_only=True):
    """All that an agent gets to see at one step: what the human on the stepper screen sees."""

    task: Task
    step: int
    observation: Observation
    screenshot: Screenshot | None = None
    last_action: str = ""
    last_error: str = ""
    last_output: str = ""
    last_proposal: Proposal = Proposal()
    """The very proposal that was carried out as the last action; an empty one where a person acted."""
    rejected: str = ""
    """The agent's last proposal and why a person rejected it, or ""."""
    dialect: str = ""
    memory: tuple[str, ...] = ()
    """What was remembered in this episode, in order."""


class Agent(Protocol):
    """Proposes one action per step; keeps its own memory; never touches the browser."""

    name: str

    async def propose(self, view: AgentView) -> Proposal: ...

    async def close(self) -> None:
        """Give back processes and connections; idempotent."""


class AgentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is made from: `options` are the words after the agent's name on the command line."""

    task: Task
    seed: int = 0
    options: tuple[str, ...] = ()
    oracle: Agent | None = None


class AgentFactory(Protocol):
    """What an entry point of the group `webbench.agents` names."""

    def __call__(self, request: AgentRequest) -> Agent: ...
