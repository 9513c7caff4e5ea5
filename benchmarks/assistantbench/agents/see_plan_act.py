"""The agent that looks at the page's picture, plans, and chooses an element in a second call: SeePlanAct.

Source: AssistantBench, section 4. The first call tells in words what to do next, from the picture, the task,
the plan and the memory; with them it refines the plan and adds to the memory. The second call grounds these
words: one of the page's elements as a lettered choice, an action, a value. Without plan, memory and the
actions of the open web (going back, to an address, to a search, to another tab) it is SeeAct. To switch tabs
is an action of ours, offered where there is more than one.

Plan and memory are recorded with each proposal, and taken up again by an agent that is made anew.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.benchmarks.assistantbench.agents.grounding import DEEDS, Ungrounded, deeds_for, grounded
from webbench.benchmarks.assistantbench.agents.replies import labelled
from webbench.benchmarks.assistantbench.agents.searching import page_text
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.model.accepted_options import PROMPT, ModelOptions
from webbench.core.agents.model.ask_model import Asker
from webbench.core.agents.model.choices import choices_of, left_out
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompt_fields import Look, pictures_of, view_fields
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import malformed, proposal_of
from webbench.core.agents.resumed_state import taken_up
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.model_call import ModelCall
from webbench.core.renderings.page_heading import state_lines
from webbench.core.renderings.webarena import tabs_line

NEXT, PLAN, MEMORY = "NEXT", "PLAN", "MEMORY"
_SEEN = frozenset({NEXT, PLAN, MEMORY})
MOST_MEMORIES = 50
LONGEST_NOTE = 2000
"""Characters of a plan or of one thing remembered: they are told again at every step."""

TEXT_TOKENS = 2000
"""Of a page that is told in words because there is no picture of it, about."""


class SeePlanActOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of the agent that sees, plans and acts."""

    see: Annotated[str, Meta(description="Prompt of the first call", extra=PROMPT)] = "assistantbench/see"
    choose: Annotated[str, Meta(description="Prompt of the second call", extra=PROMPT)] = (
        "assistantbench/choose"
    )
    plan: Annotated[bool, Meta(description="Keep a plan, and refine it at each step")] = True
    memory: Annotated[bool, Meta(description="Keep what was found in a memory")] = True
    open_web: Annotated[
        bool, Meta(description="Offer scrolling, going back, addresses, searching, and other tabs")
    ] = True
    picture: Annotated[bool, Meta(description="Send the screenshot along")] = True
    elements: Annotated[int, Meta(ge=1, le=500, description="Elements offered to choose from")] = 60
    history: Annotated[int, Meta(ge=0, description="Earlier actions that are told")] = 8


class Notes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is handed on from step to step."""

    plan: str = ""
    memory: tuple[str, ...] = ()


class SeePlanActAgent:
    """Two calls a step; see the module."""

    def __init__(
        self,
        name: str,
        asker: Asker,
        see: Prompt,
        choose: Prompt,
        options: SeePlanActOptions = SeePlanActOptions(),
    ) -> None:
        self.name = name
        self._asker = asker
        self._see = see
        self._choose = choose
        self._options = options
        self._look = Look(observation="none", picture=options.picture)
        self._notes = Notes()
        self._fresh = True

    async def propose(self, view: AgentView) -> Proposal:
        """The next action. Raises as `Asker.ask` and `Prompt.messages` do."""
        if self._fresh:
            self._notes, self._fresh = taken_up(view, self.name, Notes) or Notes(), False
        proposal = await self._next(view)
        return msgspec.structs.replace(proposal, state=msgspec.to_builtins(self._notes))

    async def _next(self, view: AgentView) -> Proposal:
        fields = self._fields(view)
        pictures = pictures_of(view, self._look)
        seen = await self._asker.ask(self._see.messages(fields, pictures), purpose="see")
        said = labelled(seen.reply, _SEEN)
        self._keep(said.get(PLAN, "")[:LONGEST_NOTE], said.get(MEMORY, "")[:LONGEST_NOTE])
        if not said.get(NEXT):
            return proposal_of(malformed(seen, f'the reply has no line "{NEXT}:"'), self._asker.taken())
        choices = choices_of(view.observation, self._options.elements)
        more = {
            "seen": seen.reply.strip(),
            "next": said[NEXT],
            "choices": [msgspec.to_builtins(one) for one in choices],
            "left_out": left_out(view.observation, choices),
        }
        call = await self._asker.ask(self._choose.messages(fields | more, pictures), purpose="choose")
        try:
            action = grounded(call.reply, choices, self._deeds(view))
        except Ungrounded as error:
            return proposal_of(malformed(call, str(error)), self._asker.taken())
        return Proposal(action=action, reasoning=_reasoning(seen), calls=self._asker.taken())

    async def close(self) -> None:
        await self._asker.close()

    def _deeds(self, view: AgentView) -> tuple[str, ...]:
        return deeds_for(view.observation, open_web=self._options.open_web)

    def _fields(self, view: AgentView) -> dict[str, object]:
        latest = view.history[-self._options.history :] if self._options.history else ()
        return {
            **view_fields(view, self._look),
            "state": "\n".join(state_lines(view.observation)),
            "tabs": tabs_line(view.observation) if len(view.observation.tabs) > 1 else "",
            "text": "" if pictures_of(view, self._look) else page_text(view.observation, TEXT_TOKENS),
            "planning": self._options.plan,
            "remembering": self._options.memory,
            "plan": self._notes.plan,
            "memory": [*view.memory, *self._notes.memory],
            "history": [msgspec.to_builtins(past) for past in latest],
            "deeds": [{"name": deed, "meaning": DEEDS[deed]} for deed in self._deeds(view)],
        }

    def _keep(self, plan: str, memory: str) -> None:
        """The refined plan stands in place of the old one; the memory grows, without what it has already."""
        notes = self._notes
        plan = plan if self._options.plan and plan else notes.plan
        new = self._options.memory and memory and memory not in notes.memory
        remembered = (*notes.memory, memory)[-MOST_MEMORIES:] if new else notes.memory
        self._notes = Notes(plan=plan, memory=remembered)


def _reasoning(call: ModelCall) -> str:
    return "\n\n".join(filter(None, (call.thinking, call.reply.strip())))


def _make(name: str, request: AgentRequest, options: SeePlanActOptions, asker: Asker) -> SeePlanActAgent:  # noqa: ARG001 - kinds are made alike
    folder = prompts_of(options)
    see, choose = load_prompt(options.see, folder), load_prompt(options.choose, folder)
    return SeePlanActAgent(name, asker, see, choose, options)


create = AgentKind("assistantbench-see-plan-act", SeePlanActOptions, _make)
