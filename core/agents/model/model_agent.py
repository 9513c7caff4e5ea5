"""The model agent asks a model: one prompt and one call a step, the plainest there is.

With the prompts and presets of a benchmark it is the baseline of that benchmark's paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from webbench.core.agent import AgentView, Candidate, Proposal
from webbench.core.agents.model.accepted_options import PROMPT, ModelOptions
from webbench.core.agents.model.ask_model import Asker
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompt_fields import Look, pictures_of, view_fields
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import ACT, READERS, Reading, ReadReply, proposal_of, read_tool
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.dialects.dialect import Dialect, ParseError, find_dialect
from webbench.core.model_call import AGAIN
from webbench.core.models.chat import Message, Tool

Observed = Literal["dialect", "tree", "viewport", "webarena", "browsergym", "html", "none"]
Replied = Literal["fenced", "last-fenced", "whole", "json", "tool"]


class OneCallOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of the plainest agent."""

    prompt: Annotated[str, Meta(description="Prompt to fill in", extra=PROMPT)] = "core/act"
    observation: Annotated[Observed, Meta(description="How the page is written")] = "dialect"
    observation_tokens: Annotated[
        int, Meta(ge=0, description="Tokens of the page that are shown, about; 0: all")
    ] = 0
    picture: Annotated[bool, Meta(description="Send the screenshot along")] = False
    reply: Annotated[Replied, Meta(description="Where the action stands in the reply")] = "fenced"
    verbs: Annotated[
        tuple[str, ...], Meta(description="Actions that are explained, between | signs; empty: all")
    ] = ()
    hint: Annotated[bool, Meta(description="Tell that a task may be unachievable")] = False
    history: Annotated[int, Meta(ge=0, description="Earlier actions that are told")] = 1
    candidates: Annotated[
        int,
        Meta(ge=1, le=20, description="Calls for each step; the different actions they give are proposed"),
    ] = 1
    tries: Annotated[
        int,
        Meta(ge=1, le=20, description="Times to ask in a step until a reply holds an action of the language"),
    ] = 1


class OneCallAgent:
    """Fills in the prompt, asks, and reads the reply.

    The fields of the prompt are those of `view_fields`, and `hint`, `tool` (whether the reply shall call
    one), `html` (whether the page is shown as HTML), and `history`: the latest actions with `text`, `error`
    and `actor`, the last one at the end.
    """

    def __init__(
        self, name: str, asker: Asker, prompt: Prompt, options: OneCallOptions = OneCallOptions()
    ) -> None:
        self.name = name
        self._asker = asker
        self._prompt = prompt
        self._options = options
        self._look = Look(
            observation=options.observation,
            most_tokens=options.observation_tokens,
            verbs=options.verbs,
            picture=options.picture,
        )

    async def propose(self, view: AgentView) -> Proposal:
        """The next action, or what the model said in place of one; with several calls others to pick from.

        Raises:
            AgentFailed: the model gave no reply.
            BadData: the prompt can't be filled in.
        """
        messages = self._prompt.messages(self._fields(view), pictures_of(view, self._look))
        first, *others = different(await self._readings(messages, view))
        proposal = proposal_of(first, self._asker.taken())
        more = tuple(Candidate(text=other.text, reasoning=other.reasoning) for other in others)
        return msgspec.structs.replace(proposal, alternatives=more)

    async def _readings(self, messages: Sequence[Message], view: AgentView) -> list[Reading]:
        """What the replies say; asked again with the same prompt while none of them holds a valid action.

        Source: WebArena's published agent, whose loop asks up to `max_retry` times. Every call is kept.
        """
        dialect, several = find_dialect(view.dialect), self._options.candidates
        readings: list[Reading] = []
        for number in range(self._options.tries):
            purpose = f"{AGAIN}{number + 1}" if number else ""
            calls = await self._asker.ask_often(
                messages, several, tools=self._tools, purpose=purpose, before=number * several
            )
            readings = [self._read(call) for call in calls]
            valid = [one for one in readings if not one.malformed and is_action(dialect, one.text)]
            if valid:
                return valid if self._options.tries > 1 else readings
        return readings

    async def close(self) -> None:
        await self._asker.close()

    @property
    def _read(self) -> ReadReply:
        return READERS[self._options.reply]

    @property
    def _tools(self) -> tuple[Tool, ...]:
        return (ACT,) if self._read is read_tool else ()

    def _fields(self, view: AgentView) -> dict[str, object]:
        most = self._options.history
        latest = [msgspec.to_builtins(past) for past in view.history[-most:]] if most else []
        own = {"hint": self._options.hint, "history": latest, "tool": bool(self._tools)}
        own["html"] = self._options.observation == "html"
        return {**view_fields(view, self._look), **own}


def is_action(dialect: Dialect, text: str) -> bool:
    """Whether the language has it; whether its element is there is found out by doing it."""
    return not isinstance(dialect.parse(text), ParseError)


def different(readings: Sequence[Reading]) -> list[Reading]:
    """Those that hold an action, each action once, in order; the first reading where none does."""
    usable = {reading.text: reading for reading in reversed(readings) if not reading.malformed}
    return [reading for reading in readings if usable.get(reading.text) is reading] or list(readings[:1])


def _make(name: str, request: AgentRequest, options: OneCallOptions, asker: Asker) -> OneCallAgent:  # noqa: ARG001 - kinds are made alike
    return OneCallAgent(name, asker, load_prompt(options.prompt, prompts_of(options)), options)


create = AgentKind("model", OneCallOptions, _make)
