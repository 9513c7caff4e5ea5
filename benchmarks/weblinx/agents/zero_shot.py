"""The agent that predicts the navigator's next action with a model: WebLINX' zero-shot setting.

Source: WebLINX, sections 3.1 and 5. Shown are the viewport, the first and the latest utterances of the
instructor, the five latest turns, the candidates and the page around them. Each part has a budget of tokens,
and where it is exceeded the longest texts of the part lose their middle first (strategic truncation).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.benchmarks.weblinx.agents.described_actions import examples
from webbench.benchmarks.weblinx.agents.optimal_text import Budgets
from webbench.benchmarks.weblinx.agents.pruned_tree import lines_around
from webbench.benchmarks.weblinx.agents.trained_forms import (
    Form,
    read_template,
    trained_messages,
    turn_in_hand,
)
from webbench.benchmarks.weblinx.benchmark import WebLINXBenchmark
from webbench.benchmarks.weblinx.notation.grammar import written
from webbench.benchmarks.weblinx.notation.output import parse_output
from webbench.benchmarks.weblinx.turns import intents
from webbench.benchmarks.weblinx.turns.history_window import clock, window
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.model.accepted_options import PROMPT, ModelOptions
from webbench.core.agents.model.ask_model import Asker
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompt_fields import Look, pictures_of, view_fields
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import Reading, malformed, proposal_of
from webbench.core.agents.resumed_state import taken_up
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import BadData, UsageError
from webbench.core.model_call import ModelCall
from webbench.core.models.chat import Message
from webbench.core.models.tokeniser_file import pieces_of
from webbench.core.models.tokens import about, truncated
from webbench.core.observation import AccessibilityNode, Candidate, DialogueTurn, Observation
from webbench.core.text.plain_text import plain_text

GIVEN_UP = "copy()"
"""What stands for a turn without a usable reply: an intent that no published average counts."""

MOST_TRIES = 10
TRAINED_PROMPT, MINDACT_PROMPT = "weblinx/trained", "weblinx/mindact"
"""Of the forms chat and instruct, and of MindAct's."""
UNUSED = {
    "own": ("template", "examples", "tokenizer"),
    "chat": ("template",),
    "instruct": ("template",),
    "mindact": ("template", "examples"),
    "template": ("prompt", "examples"),
    "picture": (
        *("prompt", "template", "examples", "picture", "tokenizer"),
        *("candidate_tokens", "utterance_tokens", "history_tokens", "page_tokens"),
    ),
}
"""Options that change nothing in a form: agents that are told apart by one would do the same."""
_LONGEST = 2000
_VERBS = ("say", "click", "textinput", "load", "submit", "change", "scroll", "hover")


class ZeroShotOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of WebLINX' agent; the budgets are the paper's, in tokens counted as `token_count` does."""

    prompt: Annotated[str, Meta(description="Prompt to fill in", extra=PROMPT)] = "weblinx/predict"
    candidate_tokens: Annotated[int, Meta(ge=0, description="Tokens of all candidates")] = 650
    utterance_tokens: Annotated[int, Meta(ge=0, description="Tokens of the instructor's utterances")] = 200
    history_tokens: Annotated[int, Meta(ge=0, description="Tokens of the latest turns")] = 250
    page_tokens: Annotated[int, Meta(ge=0, description="Tokens of the page; 0: it isn't shown")] = 700
    picture: Annotated[bool, Meta(description="Send the screenshot along")] = False
    tries: Annotated[
        int, Meta(ge=1, le=MOST_TRIES, description="Times that the model is asked for one turn")
    ] = 2
    form: Annotated[
        Form,
        Meta(
            description="own: short ids and our words; as published models were trained: chat, instruct, "
            "template (a published file, filled in), picture (the text above the screenshot), mindact"
        ),
    ] = "own"
    template: Annotated[str, Meta(description="File of the form template, such as templates/llama.txt")] = ""
    tokenizer: Annotated[
        str, Meta(description="The model's tokenizer.json, by which budgets are counted; else about")
    ] = ""
    examples: Annotated[
        bool, Meta(description="Describe each action, with an example from the training demonstrations")
    ] = False


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """How often a turn had been tried in vain before the proposal that this is recorded with."""

    turn: Annotated[int, Meta(ge=0)]
    tries: Annotated[int, Meta(ge=0, le=MOST_TRIES)] = 0


class ZeroShotAgent:
    """One question a turn; asked again where the reply holds no action or its element isn't on the page.

    How often is recorded with each proposal, so that one that is made anew asks no more often.
    """

    def __init__(
        self,
        name: str,
        asker: Asker,
        prompt: Prompt,
        options: ZeroShotOptions = ZeroShotOptions(),
        trained: Callable[[AgentView], list[Message]] | None = None,
    ) -> None:
        """`trained` words a turn as published models know it; None: in the words of the prompt."""
        self.name = name
        self._asker = asker
        self._prompt = prompt
        self._options = options
        self._trained = trained
        self._look = Look(observation="none", verbs=_VERBS, picture=options.picture)
        self._turn = -1
        self._tries = 0
        self._replied = False
        self._fresh = True

    async def propose(self, view: AgentView) -> Proposal:
        """The prediction for the turn. Raises as `Asker.ask` and `Prompt.messages` do."""
        if self._fresh:
            self._take_up(view)
        proposal = await self._next(view)
        tried = Tried(turn=self._turn, tries=self._tries)
        return msgspec.structs.replace(proposal, state=msgspec.to_builtins(tried))

    def _take_up(self, view: AgentView) -> None:
        self._fresh = False
        tried = taken_up(view, self.name, Tried)
        if tried is not None:
            self._turn, self._tries, self._replied = tried.turn, tried.tries, True

    async def _next(self, view: AgentView) -> Proposal:
        turn = len(view.observation.dialogue)
        if turn != self._turn:
            self._turn, self._tries = turn, 0
        elif self._replied and not view.rejected:
            self._tries += 1
        self._replied = False
        most = self._options.tries
        if self._tries >= most:
            told = f"no usable reply at try {most} of {most}: this turn is given up"
            return Proposal(text=GIVEN_UP, reasoning=told)
        call = await self._asker.ask(await asyncio.to_thread(self._messages, view))
        self._replied = True
        return proposal_of(read_prediction(call), self._asker.taken())

    def _messages(self, view: AgentView) -> list[Message]:
        options = self._options
        if self._trained is not None:
            return self._trained(view)
        own = turn_fields(view.observation, options)
        fields = {**view_fields(view, self._look), **own, "problem": view.last_error if self._tries else ""}
        return self._prompt.messages(fields, pictures_of(view, self._look))

    async def close(self) -> None:
        await self._asker.close()


def turn_fields(observation: Observation, options: ZeroShotOptions) -> dict[str, object]:
    """`viewport`, and lists of lines, each within its budget: `candidates`, `utterances`, `turns`, `page`."""
    earlier, recent = window(observation.dialogue)
    nodes = observation.by_id()
    candidates = [_candidate_text(one, nodes.get(one.node)) for one in observation.candidates]
    size = observation.viewport
    return {
        "viewport": f"{size.width} x {size.height}",
        "candidates": truncated(candidates, options.candidate_tokens),
        "utterances": truncated([_utterance_line(turn) for turn in earlier], options.utterance_tokens),
        "turns": truncated([_done(turn) for turn in recent], options.history_tokens),
        "page": lines_around(observation, options.page_tokens) if options.page_tokens else [],
    }


def read_prediction(call: ModelCall) -> Reading:
    """The first `intent(key=value, ...)` of the reply, as the published reader of outputs finds it."""
    try:
        intent, args = parse_output(call.reply, quoted_text=True)
    except BadData as error:
        return malformed(call, error.message)
    if intent == intents.UNKNOWN:
        return malformed(call, "the reply begins with no call of a known action")
    args = {name: value for name, value in args.items() if name != "intent"}  # of `action(intent=…, …)`
    uid = args.get("uid")
    if isinstance(uid, str) and uid.isascii() and uid.isdecimal():
        args = {**args, "uid": int(uid)}
    said = call.reply.partition(f"{intent}(")[0].strip()
    return Reading(text=written(intent, args), reasoning="\n\n".join(filter(None, (call.thinking, said))))


def _candidate_text(candidate: Candidate, node: AccessibilityNode | None) -> str:
    box = ""
    if node is not None and node.box is not None:
        box = f" at {node.box.x:.0f},{node.box.y:.0f} {node.box.width:.0f}x{node.box.height:.0f}"
    text = " ".join(plain_text(candidate.text.replace("\n", " "), limit=_LONGEST).split())
    return f"uid={candidate.node}: {text}{box}"


def _utterance_line(turn: DialogueTurn) -> str:
    return f"[{clock(turn.seconds)}] {plain_text(turn.text, limit=_LONGEST)}"


def _done(turn: DialogueTurn) -> str:
    about = f" ({plain_text(turn.about, limit=_LONGEST)})" if turn.about else ""
    return f"{turn.speaker}: {plain_text(turn.text, limit=_LONGEST)}{about}"


def _make(name: str, request: AgentRequest, options: ZeroShotOptions, asker: Asker) -> ZeroShotAgent:
    _refuse_unused(options)
    own = ZeroShotOptions().prompt
    trained_prompt = MINDACT_PROMPT if options.form == "mindact" else TRAINED_PROMPT
    called = trained_prompt if options.form != "own" and options.prompt == own else options.prompt
    prompt = load_prompt(called, prompts_of(options))
    trained = None if options.form == "own" else _trained(options, prompt, request)
    return ZeroShotAgent(name, asker, prompt, options, trained)


def _refuse_unused(options: ZeroShotOptions) -> None:
    """Raises `UsageError` for options that change nothing in the form, and for tries that can't differ."""
    usual = ZeroShotOptions()
    unused = [name for name in UNUSED[options.form] if getattr(options, name) != getattr(usual, name)]
    if unused:
        fitting = [form for form, names in UNUSED.items() if unused[0] not in names]
        raise UsageError(
            f"form={options.form} makes no use of {' and '.join(unused)}",
            f"{unused[0]} is for form={' and form='.join(fitting)}",
        )
    if options.form != "own" and options.temperature == 0 and options.tries > 1:
        raise UsageError(
            f"form={options.form} asks the same again in a further try, and temperature=0 answers the same",
            "tries=1, or a temperature above 0",
        )


def _trained(
    options: ZeroShotOptions, prompt: Prompt, request: AgentRequest
) -> Callable[[AgentView], list[Message]]:
    """What it gives raises `UsageError` without WebLINX' benchmark; itself, for an unusable template."""
    benchmark = request.benchmark
    template = read_template(options.template) if options.form == "template" else ""
    budgets = Budgets(
        page=options.page_tokens,
        utterances=options.utterance_tokens,
        turns=options.history_tokens,
        candidates=options.candidate_tokens,
        pieces=pieces_of(options.tokenizer) if options.tokenizer else about,
    )
    look = Look(picture=options.picture)
    shown: list[str] = []

    def messages(view: AgentView) -> list[Message]:
        if not isinstance(benchmark, WebLINXBenchmark):
            raise UsageError(f"the form {options.form} needs WebLINX' demonstrations", "run weblinx")
        if options.examples and not shown:
            shown.append(examples(benchmark, view.task.name))
            if not shown[0]:
                view.notices.append("no other demonstration is at hand: the actions have no examples")
        turn = turn_in_hand(benchmark, view, budgets, mindact=options.form == "mindact")
        told = (shown or [""])[0]
        return trained_messages(
            options.form,
            prompt,
            turn,
            view,
            template=template,
            described=options.examples,
            examples=told,
            pictures=pictures_of(view, look),
        )

    return messages


create = AgentKind("weblinx", ZeroShotOptions, _make, benchmarks=("weblinx",))
