"""The agent that asks itself follow-up questions and searches for their answers: retrieval-augmented.

Source: AssistantBench, section 4: self-ask with at most ten searches, zero- and one-shot. At each turn the
model either wants to look something up or answers; what the search gave stands in its next prompt. After the
last search, or in the last step, it has to answer, or to abstain.

It may also open the best pages that each search found before the model is asked again: steps without a call.
What was found is recorded with each proposal, and taken up again by an agent that is made anew.
"""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.benchmarks.assistantbench.agents.closed_book import ANSWER, ending, until_usable
from webbench.benchmarks.assistantbench.agents.lookups import Found, Lookups
from webbench.benchmarks.assistantbench.agents.replies import labelled
from webbench.benchmarks.assistantbench.agents.searching import TASKS_OWN, SearchTool, search_tool
from webbench.core.action.action import AnswerDialog, Goto
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.model.accepted_options import PROMPT, ModelOptions
from webbench.core.agents.model.ask_model import Asker
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompt_fields import Look, view_fields
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import malformed, proposal_of
from webbench.core.agents.resumed_state import last_own, taken_up
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.model_call import ModelCall

SEARCH = "SEARCH"
FOLLOW_UP = "FOLLOW UP"
_LABELS = frozenset({FOLLOW_UP, SEARCH, ANSWER})
_MADE_UP = re.compile(r"^[ \t>*#]*(?:FOUND|SEARCHED FOR|QUESTION)[ \t*]*:", re.MULTILINE)
"""Where a model goes on with results of its own making."""


class SelfAskOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of the retrieval-augmented agent."""

    prompt: Annotated[str, Meta(description="Prompt to fill in", extra=PROMPT)] = "assistantbench/self_ask"
    example: Annotated[bool, Meta(description="Show one question with its searches (one-shot)")] = False
    searches: Annotated[
        int, Meta(ge=0, le=100, description="Searches for one question; the paper has 10")
    ] = 10
    search: Annotated[
        str, Meta(description="Search tool: task (its own search engine), or an address with {query}")
    ] = TASKS_OWN
    before: Annotated[
        str, Meta(description="Put before every query; for FanOutQA the paper has en.wikipedia.com")
    ] = ""
    read: Annotated[
        int, Meta(ge=0, le=10, description="Pages opened of what each search found; 0: the results alone")
    ] = 0
    passage_tokens: Annotated[int, Meta(ge=50, description="Tokens of one page, about")] = 1500


class SelfAskAgent:
    """Searches until the model answers; see the module."""

    def __init__(
        self,
        name: str,
        asker: Asker,
        prompt: Prompt,
        options: SelfAskOptions = SelfAskOptions(),
        tool: SearchTool | None = None,
    ) -> None:
        self.name = name
        self._asker = asker
        self._prompt = prompt
        self._options = options
        self._tool = tool or search_tool(options.search)
        self._lookups = Lookups(self._tool, options.read, options.passage_tokens)
        self._proposed: Proposal | None = None

    async def propose(self, view: AgentView) -> Proposal:
        """A search, a page that one found, or the answer. Raises as `Asker.ask` and `Prompt.messages` do."""
        if self._proposed is None:
            self._lookups.found = taken_up(view, self.name, Found) or Found()
            self._proposed = last_own(view, self.name) or Proposal()
        proposal = await self._next(view, self._proposed)
        self._proposed = msgspec.structs.replace(
            proposal, calls=self._asker.taken(), state=msgspec.to_builtins(self._lookups.found)
        )
        return self._proposed

    async def _next(self, view: AgentView, before: Proposal) -> Proposal:
        own = view.carried.proposal is before
        if view.observation.dialog is not None:
            said = f"A dialog is in the way: {view.observation.dialog.message}"
            return Proposal(action=AnswerDialog(accept=False), reasoning=said)
        self._lookups.take_in(view, own=own)
        page = None if view.last_step else self._lookups.next_page()
        if page is not None:
            return Proposal(
                action=Goto(url=page.url), reasoning=f'Reads "{page.title}", which the search found'
            )
        last = view.last_step or len(self._lookups.done) >= self._options.searches

        async def ask(unusable: str) -> Proposal:
            fields = self._fields(view, last=last, unusable=unusable)
            return self._read(await self._asker.ask(self._prompt.messages(fields)), last=last)

        return await until_usable(view, before.malformed if own else "", ask)

    async def close(self) -> None:
        await self._asker.close()

    def _fields(self, view: AgentView, *, last: bool, unusable: str) -> dict[str, object]:
        return {
            **view_fields(view, Look(observation="none")),
            "example": self._options.example,
            "lookups": [msgspec.to_builtins(one) for one in self._lookups.done],
            "last": last,
            "unusable": unusable,
        }

    def _read(self, call: ModelCall, *, last: bool) -> Proposal:
        """The search or the answer, whichever stands first: what a search gives isn't known in its reply."""
        made_up = _MADE_UP.search(call.reply)
        said = labelled(call.reply[: made_up.start()] if made_up else call.reply, _LABELS)
        query = " ".join(said.get(SEARCH, "").partition("\n")[0].split())
        first = next((label for label in said if label in (SEARCH, ANSWER)), "")
        if ANSWER in said and (first == ANSWER or last or not query):
            return ending(said[ANSWER], said[""])
        if last or not query:
            more = "" if last else f' and none "{SEARCH}:" with words'
            told = malformed(call, f'the reply has no line "{ANSWER}:"{more}')
            return proposal_of(told, ())
        question = said.get(FOLLOW_UP, "").partition("\n")[0]
        self._lookups.begin(query, question=question, thought=said[""])
        reasoning = "\n\n".join(filter(None, (said[""], question)))
        return Proposal(
            action=self._tool.action(f"{self._options.before} {query}".strip()), reasoning=reasoning
        )


def _make(name: str, request: AgentRequest, options: SelfAskOptions, asker: Asker) -> SelfAskAgent:  # noqa: ARG001 - kinds are made alike
    return SelfAskAgent(name, asker, load_prompt(options.prompt, prompts_of(options)), options)


create = AgentKind("assistantbench-self-ask", SelfAskOptions, _make, benchmarks=("assistantbench",))
