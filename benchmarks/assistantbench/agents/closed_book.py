"""The agent that answers from what its model knows, without a look at the web: AssistantBench's closed book.

Source: AssistantBench, section 4, zero- and one-shot. It asks once and ends the episode; an empty answer
abstains. A reply without an answer is a step of its own, and asked for again in the next one; in the last
step it is asked for again at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.benchmarks.assistantbench.agents.model_answer import read_answer
from webbench.benchmarks.assistantbench.agents.replies import labelled
from webbench.core.action.action import Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.model.accepted_options import PROMPT, ModelOptions
from webbench.core.agents.model.ask_model import Asker
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompt_fields import Look, view_fields
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import malformed, proposal_of
from webbench.core.benchmark.agent_request import AgentRequest

ANSWER = "ANSWER"
LAST_REPLIES = 3
"""Most that are asked for in the last step: as many as invalid actions in a row that end an episode."""


class ClosedBookOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of the closed-book agent."""

    prompt: Annotated[str, Meta(description="Prompt to fill in", extra=PROMPT)] = "assistantbench/closed_book"
    example: Annotated[bool, Meta(description="Show one question with its answer (one-shot)")] = False


class ClosedBookAgent:
    """One question, one answer; asked again where the reply holds none, see the module."""

    def __init__(
        self, name: str, asker: Asker, prompt: Prompt, options: ClosedBookOptions = ClosedBookOptions()
    ) -> None:
        self.name = name
        self._asker = asker
        self._prompt = prompt
        self._options = options
        self._proposed = Proposal()

    async def propose(self, view: AgentView) -> Proposal:
        """The answer. Raises as `Asker.ask` and `Prompt.messages` do."""
        before = self._proposed.malformed if view.carried.proposal is self._proposed else ""
        self._proposed = await until_usable(view, before, lambda unusable: self._answer(view, unusable))
        self._proposed = msgspec.structs.replace(self._proposed, calls=self._asker.taken())
        return self._proposed

    async def _answer(self, view: AgentView, unusable: str) -> Proposal:
        fields = {
            **view_fields(view, Look(observation="none")),
            "example": self._options.example,
            "unusable": unusable,
        }
        call = await self._asker.ask(self._prompt.messages(fields))
        said = labelled(call.reply, frozenset({ANSWER}))
        if ANSWER in said:
            return ending(said[ANSWER], said[""])
        return proposal_of(malformed(call, f'the reply has no line "{ANSWER}:"'), ())

    async def close(self) -> None:
        await self._asker.close()


async def until_usable(view: AgentView, unusable: str, ask: Callable[[str], Awaitable[Proposal]]) -> Proposal:
    """A proposal; in the last step a malformed one is asked for again, at most `LAST_REPLIES` in all.

    Args:
        unusable: why the reply before could not be used, "" where it could; `ask` is told.
    """
    proposal = await ask(unusable)
    for _ in range(LAST_REPLIES - 1 if view.last_step else 0):
        if not proposal.malformed:
            break
        proposal = await ask(proposal.malformed)
    return proposal


def ending(answer: str, reasoning: str) -> Proposal:
    """The proposal that ends the episode with an answer, or with none."""
    return Proposal(action=Stop(answer=read_answer(answer)), reasoning=reasoning)


def _make(name: str, request: AgentRequest, options: ClosedBookOptions, asker: Asker) -> ClosedBookAgent:  # noqa: ARG001 - kinds are made alike
    return ClosedBookAgent(name, asker, load_prompt(options.prompt, prompts_of(options)), options)


create = AgentKind("assistantbench-closed-book", ClosedBookOptions, _make)
