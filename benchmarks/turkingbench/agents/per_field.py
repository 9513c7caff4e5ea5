"""The agent that asks a model for every field of a form: TurkingBench's.

As in the paper, the model gets the name of a field with the page's HTML, or the part of it that the field's
question stands in, and answers with actions on that field; a screenshot may go with it, and answered fields
of other tasks as examples. The form's fields are learnt from its HTML, which the agent asks for as its first
action; when all were asked for it looks once more, for fields that came up meanwhile, and submits. Where a
picture is sent, a field that it would not show is scrolled to first, a step without a call.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from webbench.benchmarks.turkingbench.agents.form import FormField, form_fields
from webbench.benchmarks.turkingbench.agents.page_excerpt import RELEVANT_CHARACTERS, PageHtml
from webbench.benchmarks.turkingbench.agents.prompt_examples import Demonstration, draw_demonstrations
from webbench.benchmarks.turkingbench.agents.whole_form import PROMPT as PROMPT_WITHOUT_NAMES
from webbench.benchmarks.turkingbench.agents.whole_form import WholeFormAgent
from webbench.benchmarks.turkingbench.benchmark import TurkingBench
from webbench.benchmarks.turkingbench.benchmark import create as create_benchmark
from webbench.benchmarks.turkingbench.scoring.fields import EXCLUDED_NAMES
from webbench.core.action.action import AnswerDialog, ElementRef, GetHtml, ScrollTo, Stop, Submit
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.model.accepted_options import PROMPT, ModelOptions
from webbench.core.agents.model.ask_model import Asker
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompt_fields import Look, pictures_of, view_fields
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import proposal_of, read_last_fenced
from webbench.core.agents.resumed_state import taken_up
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import UsageError
from webbench.core.models.tokens import first_tokens
from webbench.core.observation import Observation
from webbench.core.task import Task

PROMPT_BY_NAME = "turkingbench/field"

NOT_ASKED = frozenset(("hidden", "submit", "button", "image", "reset", "file"))
"""Types of fields that hold no answer a model could write."""

_VERBS = ("modify_text", "modify_checkbox", "modify_radio", "modify_select", "modify_range")


class PerFieldOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of TurkingBench's agent."""

    prompt: Annotated[str, Meta(description="Prompt to fill in", extra=PROMPT)] = PROMPT_BY_NAME
    html: Annotated[
        Literal["full", "relevant"],
        Meta(description="HTML of the page, or around the field's question"),
    ] = "relevant"
    html_tokens: Annotated[int, Meta(ge=100, description="Tokens of HTML that are shown, about")] = 6000
    hint: Annotated[
        Literal["name", "none"],
        Meta(description="Ask for each field by its name, or about the whole form without a name"),
    ] = "name"
    picture: Annotated[bool, Meta(description="Send the screenshot along")] = False
    demonstrations: Annotated[
        int, Meta(ge=0, le=32, description="Examples from other tasks; the paper has 0, 1, 3 and 7")
    ] = 0
    demonstration_seed: Annotated[int, Meta(description="Decides which examples are shown")] = 0
    tries: Annotated[int, Meta(ge=1, le=10, description="Times that the model is asked for one field")] = 2


class Asked(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Names of the fields that need not be asked for again; of `last`, this is the last action."""

    asked: list[str] = []
    last: str = ""


class PerFieldAgent:
    """Asks field by field; see the module.

    Args:
        demonstrations: shown with every field.
    """

    def __init__(
        self,
        name: str,
        asker: Asker,
        prompt: Prompt,
        options: PerFieldOptions = PerFieldOptions(),
        demonstrations: Demonstrations | None = None,
    ) -> None:
        self.name = name
        self._asker = asker
        self._prompt = prompt
        self._options = options
        self._demonstrations = demonstrations
        self._look = Look(observation="none", verbs=_VERBS, picture=options.picture)
        self._page = PageHtml("")
        self._looked_for: Proposal | None = None
        self._last_proposal = Proposal()
        self._waiting: deque[FormField] = deque()
        self._asked: set[str] = set()
        self._field: FormField | None = None
        self._tries = 0
        self._unanswered = False
        """The field has still to be asked for: it was scrolled to, or its call was interrupted, or failed."""
        self._looks = 0
        self._answers: deque[str] = deque()
        self._submitted = False
        self._fresh = True

    async def propose(self, view: AgentView) -> Proposal:
        """The next action. Raises as `Asker.ask` and `Prompt.messages` do."""
        if self._fresh:
            self._take_up(view)
        proposal = await self._next(view)
        told = msgspec.structs.replace(proposal, state=msgspec.to_builtins(self._state))
        if proposal is self._looked_for:
            self._looked_for = told
        self._last_proposal = told
        return told

    def _take_up(self, view: AgentView) -> None:
        """Ask for no field again that was answered before this agent was made."""
        self._fresh = False
        kept = taken_up(view, self.name, Asked)
        if kept is not None:
            failed = view.history[view.kept[self.name].action].error
            self._asked = {*kept.asked, *([kept.last] if kept.last and not failed else [])}

    @property
    def _state(self) -> Asked:
        at_work = self._field.name if self._field is not None else ""
        asked = self._asked - {field.name for field in self._waiting} - {at_work}
        open_still = self._answers or self._unanswered
        return Asked(asked=sorted(asked), last="" if open_still else at_work)

    async def _next(self, view: AgentView) -> Proposal:
        if view.observation.dialog is not None:
            return Proposal(action=AnswerDialog(accept=True), reasoning="the page waits for an answer")
        if self._is_open(view):
            return self._last_proposal
        error = view.carried.error if view.carried.proposal is self._last_proposal else ""
        learnt = self._looked_for is not None and view.carried.proposal is self._looked_for
        if learnt and error:
            return self._look_again(error)
        if learnt:
            self._learn(view)
        if self._field is not None and self._unanswered:
            return await self._ask(self._field, view, error)
        if self._field is not None and (error or view.rejected) and not learnt:
            self._answers.clear()
            if self._tries < self._options.tries:
                return await self._ask(self._field, view, error)
        if self._answers:
            return Proposal(text=self._answers.popleft(), reasoning="a further action of the reply before")
        if self._waiting:
            self._field, self._tries = self._waiting.popleft(), 0
            if self._options.picture and _is_out_of_sight(self._field, view.observation):
                self._unanswered = True
                target = ElementRef(field=self._field.name)
                return Proposal(action=ScrollTo(target=target), reasoning="the picture is to show the field")
            return await self._ask(self._field, view, error)
        return self._look_or_submit(learnt)

    def _is_open(self, view: AgentView) -> bool:
        """A person has done something in place of the last proposal; nobody has turned it down."""
        told = self._last_proposal
        return bool(told.text or told.action) and view.carried.proposal is not told and not view.rejected

    async def close(self) -> None:
        await self._asker.close()

    def _look_or_submit(self, learnt: bool) -> Proposal:
        """Look at the HTML, unless that was just done and there is nothing left to ask for."""
        self._field = None
        if not learnt and not self._submitted:
            self._looked_for = Proposal(action=GetHtml(), reasoning="which fields does the form have now?")
            return self._looked_for
        if not self._submitted:
            self._submitted = True
            return Proposal(action=Submit(), reasoning="every field was asked for")
        return Proposal(action=Stop(), reasoning="the form did not accept its submission")

    def _look_again(self, problem: str) -> Proposal:
        """The form's HTML could not be read: to submit now would leave fields out that nobody asked for."""
        self._looks += 1
        if self._looks >= self._options.tries:
            return Proposal(action=Stop(), reasoning=f"the form can't be read: {problem}")
        self._looked_for = Proposal(action=GetHtml(), reasoning="once more: it could not be read")
        return self._looked_for

    def _learn(self, view: AgentView) -> None:
        """The page's HTML is there: fields that can be seen and were not asked for wait."""
        self._looked_for, self._looks = None, 0
        self._page = PageHtml(view.carried.output)
        shown = {name for node in view.observation.nodes if (name := node.attributes.get("name"))}
        for name, field in form_fields(view.carried.output).items():
            usable = field.type not in NOT_ASKED and not field.readonly and name not in EXCLUDED_NAMES
            if usable and name in shown and name not in self._asked:
                self._asked.add(name)
                self._waiting.append(field)

    async def _ask(self, field: FormField, view: AgentView, problem: str) -> Proposal:
        """The model's answer for one field; of several actions the first, the others wait."""
        self._unanswered = True
        examples = await self._demonstrations.drawn() if self._demonstrations is not None else []
        fields = {
            **view_fields(view, self._look),
            "field": msgspec.to_builtins(field),
            "html": self._html(field.name),
            "demonstrations": [msgspec.to_builtins(example) for example in examples],
            "problem": problem if self._tries else "",
        }
        call = await self._asker.ask(self._prompt.messages(fields, pictures_of(view, self._look)))
        self._tries, self._unanswered = self._tries + 1, False
        reading = read_last_fenced(call)
        if not reading.malformed:
            first, *others = [line.strip() for line in reading.text.splitlines() if line.strip()]
            self._answers = deque(others)
            reading = msgspec.structs.replace(reading, text=first)
        return proposal_of(reading, self._asker.taken())

    def _html(self, name: str) -> str:
        """What is shown of the page; the field is in it, however long the page."""
        most = self._options.html_tokens
        around = self._page.around(name, RELEVANT_CHARACTERS)
        if self._options.html == "relevant":
            return first_tokens(around, most)
        shown = first_tokens(self._page.whole, most)
        if len(shown) == len(self._page.whole) or f'name="{name}"' in shown:
            return shown
        part = first_tokens(around, most // 3)
        return f"{first_tokens(self._page.whole, most - most // 3)}\n…\n{part}"


def _is_out_of_sight(field: FormField, page: Observation) -> bool:
    controls = [node for node in page.nodes if node.attributes.get("name") == field.name]
    return bool(controls) and all(node.offscreen for node in controls)


class Demonstrations:
    """Examples for one task, drawn when they are first wanted."""

    def __init__(self, benchmark: TurkingBench, task: Task, count: int, seed: int) -> None:
        self._wanted = (benchmark, task, count, seed)
        self._drawn: list[Demonstration] | None = None

    async def drawn(self) -> list[Demonstration]:
        if self._drawn is None:
            self._drawn = await asyncio.to_thread(draw_demonstrations, *self._wanted)
        return self._drawn


def _make(
    name: str, request: AgentRequest, options: PerFieldOptions, asker: Asker
) -> PerFieldAgent | WholeFormAgent:
    if options.hint == "none":
        _refuse_unused(options)
        chosen = PROMPT_WITHOUT_NAMES if options.prompt == PROMPT_BY_NAME else options.prompt
        prompt = load_prompt(chosen, prompts_of(options))
        return WholeFormAgent(name, asker, prompt, options.html_tokens, picture=options.picture)
    known = request.benchmark
    benchmark = known if isinstance(known, TurkingBench) else create_benchmark()
    wanted = Demonstrations(benchmark, request.task, options.demonstrations, options.demonstration_seed)
    prompt = load_prompt(options.prompt, prompts_of(options))
    return PerFieldAgent(name, asker, prompt, options, wanted if options.demonstrations else None)


def _refuse_unused(options: PerFieldOptions) -> None:
    """Raises `UsageError` for what has no effect without names: agents that are told apart have to differ."""
    usual = PerFieldOptions()
    unused = {
        "html=relevant": options.html == "relevant",
        "demonstrations": options.demonstrations,
        "demonstration_seed": options.demonstration_seed,
        "tries": options.tries != usual.tries,
    }
    named = [name for name, given in unused.items() if given]
    if named:
        raise UsageError(
            f"hint=none asks about the whole form; {' and '.join(named)} would have no effect",
            "html=full demonstrations=0 go with it, as in turkingbench-text-unhinted",
        )


create = AgentKind("turkingbench", PerFieldOptions, _make, benchmarks=("turkingbench",))
