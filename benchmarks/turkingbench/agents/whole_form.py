"""The agent that is told no field's name: it reads the HTML, finds the fields, and sends the form itself.

The paper names the fields that are scored, "to reduce the difficulty", and leaves the variant without that
hint to others (section 3.5, and its limitations). Here the model gets the HTML and what was done so far, and
answers with actions, one a line; the last of all is to submit.
"""

from __future__ import annotations

from collections import deque

import msgspec

from webbench.benchmarks.turkingbench.agents.page_excerpt import PageHtml
from webbench.core.action.action import AnswerDialog, GetHtml, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.model.ask_model import Asker
from webbench.core.agents.model.prompt_fields import Look, pictures_of, view_fields
from webbench.core.agents.model.prompts import Prompt
from webbench.core.agents.model.replies import proposal_of, read_last_fenced
from webbench.core.models.tokens import first_tokens

PROMPT = "turkingbench/form"
VERBS = ("modify_text", "modify_checkbox", "modify_radio", "modify_select", "modify_range", "submit")
MOST_ASKED = 40
"""Calls of the model for one form; the longest test form has 126 fields, and a reply answers several."""


class WholeFormAgent:
    """Asks about the whole form until the model submits it; see the module.

    Args:
        html_tokens: of the page that are shown, about.
    """

    def __init__(self, name: str, asker: Asker, prompt: Prompt, html_tokens: int, *, picture: bool) -> None:
        self.name = name
        self._asker = asker
        self._prompt = prompt
        self._html_tokens = html_tokens
        self._look = Look(observation="none", verbs=VERBS, picture=picture)
        self._looked_for: Proposal | None = None
        self._last = Proposal()
        self._answers: deque[str] = deque()
        self._asked = 0

    async def propose(self, view: AgentView) -> Proposal:
        """The next action. Raises as `Asker.ask` and `Prompt.messages` do."""
        proposal = await self._next(view)
        told = msgspec.structs.replace(proposal, state={"hint": "none", "asked": self._asked})
        if proposal is self._looked_for:
            self._looked_for = told
        self._last = told
        return told

    async def close(self) -> None:
        await self._asker.close()

    async def _next(self, view: AgentView) -> Proposal:
        if view.observation.dialog is not None:
            return Proposal(action=AnswerDialog(accept=True), reasoning="the page waits for an answer")
        own = view.carried.proposal is self._last
        problem = (view.carried.error if own else "") or view.rejected
        if problem:
            self._answers.clear()
        if self._answers:
            return Proposal(text=self._answers.popleft(), reasoning="a further action of the reply before")
        if self._looked_for is not None and view.carried.proposal is self._looked_for:
            self._looked_for = None
            if view.carried.error:
                return Proposal(action=Stop(), reasoning=f"the form can't be read: {view.carried.error}")
            return await self._ask(view, view.carried.output)
        if self._asked >= MOST_ASKED:
            return Proposal(action=Stop(), reasoning=f"not submitted in {MOST_ASKED} replies")
        self._looked_for = Proposal(action=GetHtml(), reasoning="what does the form look like now?")
        return self._looked_for

    async def _ask(self, view: AgentView, html: str) -> Proposal:
        """The model's next actions; the first is given, the others wait."""
        fields = {
            **view_fields(view, self._look),
            "html": first_tokens(PageHtml(html).whole, self._html_tokens),
            "done": [msgspec.to_builtins(past) for past in view.history if not _is_look(past.text)],
        }
        self._asked += 1
        call = await self._asker.ask(self._prompt.messages(fields, pictures_of(view, self._look)))
        reading = read_last_fenced(call)
        if not reading.malformed:
            lines = [line.strip() for line in reading.text.splitlines() if line.strip()]
            self._answers = deque(lines[1:])
            reading = msgspec.structs.replace(reading, text=lines[0] if lines else "")
        return proposal_of(reading, self._asker.taken())


def _is_look(text: str) -> bool:
    return text.startswith("get_html(")
