"""The agent that answers from what its model knows, without a look at the web: AssistantBench's closed book.

Source: AssistantBench, section 4, zero- and one-shot. It asks once and ends the episode; an empty answer
abstains.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from webbench.benchmarks.assistantbench.agents.answers import read_answer
from webbench.benchmarks.assistantbench.agents.replies import labelled
from webbench.core.action import Stop
from webbench.core.agents.contract import AgentRequest, AgentView, Proposal
from webbench.core.agents.model.asking import Asker
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.options import ModelOptions
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import malformed, proposal_of
from webbench.core.agents.model.seeing import Look, view_fields

ANSWER = "ANSWER"


class ClosedBookOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of the closed-book agent."""

    prompt: Annotated[str, Meta(description="Prompt to fill in")] = "assistantbench/closed_book"
    example: Annotated[bool, Meta(description="Show one question with its answer (one-shot)")] = False


class ClosedBookAgent:
    """One question, one answer; asked again where the reply holds none."""

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
        own = self._proposed.malformed if view.last_proposal is self._proposed else ""
        fields = {
            **view_fields(view, Look(observation="none")),
            "example": self._options.example,
            "unusable": own,
        }
        call = await self._asker.ask(self._prompt.messages(fields))
        said = labelled(call.reply, frozenset({ANSWER}))
        if ANSWER not in said:
            told = malformed(call, f'the reply has no line "{ANSWER}:"')
            self._proposed = proposal_of(told, self._asker.taken())
            return self._proposed
        return ending(said[ANSWER], said[""], self._asker)

    async def close(self) -> None:
        await self._asker.close()


def ending(answer: str, reasoning: str, asker: Asker) -> Proposal:
    """The proposal that ends the episode with an answer, or with none."""
    return Proposal(action=Stop(answer=read_answer(answer)), reasoning=reasoning, calls=asker.taken())


def _make(name: str, request: AgentRequest, options: ClosedBookOptions, asker: Asker) -> ClosedBookAgent:  # noqa: ARG001
    return ClosedBookAgent(name, asker, load_prompt(options.prompt, prompts_of(options)), options)


create = AgentKind("assistantbench-closed-book", ClosedBookOptions, _make)
