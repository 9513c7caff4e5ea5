"""The agent that asks itself follow-up questions and searches for their answers: retrieval-augmented.

Source: AssistantBench, section 4: self-ask with at most ten searches, zero- and one-shot. At each turn the
model either wants to look something up or answers; what the search gave stands in its next prompt. After the
last search it has to answer, or to abstain.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.benchmarks.assistantbench.agents.closed_book import ANSWER, ending
from webbench.benchmarks.assistantbench.agents.replies import labelled
from webbench.benchmarks.assistantbench.agents.searching import TASKS_OWN, SearchTool, search_tool
from webbench.core.agents.contract import AgentRequest, AgentView, Proposal
from webbench.core.agents.model.asking import Asker
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.options import ModelOptions
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import malformed, proposal_of
from webbench.core.agents.model.seeing import Look, view_fields

SEARCH = "SEARCH"
FOLLOW_UP = "FOLLOW UP"
_LABELS = frozenset({FOLLOW_UP, SEARCH, ANSWER})


class SelfAskOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of the retrieval-augmented agent."""

    prompt: Annotated[str, Meta(description="Prompt to fill in")] = "assistantbench/self_ask"
    example: Annotated[bool, Meta(description="Show one question with its searches (one-shot)")] = False
    searches: Annotated[
        int, Meta(ge=0, le=100, description="Searches for one question; the paper has 10")
    ] = 10
    search: Annotated[
        str, Meta(description="Search tool: task (its own search engine), or an address with {query}")
    ] = TASKS_OWN
    passage_tokens: Annotated[int, Meta(ge=50, description="Tokens of one page of results, about")] = 1500


class Lookup(msgspec.Struct, kw_only=True):
    """One search: the question behind it, the words searched for, and what was found."""

    question: str
    query: str
    passages: str = ""
    error: str = ""


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
        self._lookups: list[Lookup] = []
        self._searched: Proposal | None = None

    async def propose(self, view: AgentView) -> Proposal:
        """A search, or the answer. Raises as `Asker.ask` and `Prompt.messages` do."""
        searched = self._take_in(view)
        last = len(self._lookups) >= self._options.searches
        fields = {
            **view_fields(view, Look(observation="none")),
            "example": self._options.example,
            "lookups": [msgspec.to_builtins(one) for one in self._lookups],
            "last": last,
            "unusable": "" if searched else view.last_error,
        }
        call = await self._asker.ask(self._prompt.messages(fields))
        said = labelled(call.reply, _LABELS)
        if ANSWER in said:
            return ending(said[ANSWER], said[""], self._asker)
        query = said.get(SEARCH, "").strip()
        if last or not query:
            told = f'the reply has no line "{ANSWER}:"' + (
                "" if last else f' and none "{SEARCH}:" with words'
            )
            return proposal_of(malformed(call, told), self._asker.taken())
        return self._search(said.get(FOLLOW_UP, ""), " ".join(query.split()), said[""])

    async def close(self) -> None:
        await self._asker.close()

    def _search(self, question: str, query: str, reasoning: str) -> Proposal:
        self._lookups.append(Lookup(question=question or query, query=query))
        said = "\n\n".join(filter(None, (reasoning, question)))
        action = self._tool.action(query)
        self._searched = Proposal(action=action, reasoning=said, calls=self._asker.taken())
        return self._searched

    def _take_in(self, view: AgentView) -> bool:
        """Keep what a search gave; whether there was one. One that a person turned down was none."""
        searched, self._searched = self._searched, None
        if searched is None:
            return False
        if view.last_proposal is not searched:
            self._lookups.pop()
            return False
        found = self._lookups[-1]
        found.error = view.last_error
        if not view.last_error:
            found.passages = self._tool.passages(view.observation, self._options.passage_tokens)
        return True


def _make(name: str, request: AgentRequest, options: SelfAskOptions, asker: Asker) -> SelfAskAgent:  # noqa: ARG001
    return SelfAskAgent(name, asker, load_prompt(options.prompt, prompts_of(options)), options)


create = AgentKind("assistantbench-self-ask", SelfAskOptions, _make, benchmarks=("assistantbench",))
