"""The contract between an episode and an agent."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

import msgspec

from webbench.core.action.action import Action
from webbench.core.json_types import JsonObject
from webbench.core.model_call import ModelCall, usage_of
from webbench.core.observation import Observation, Screenshot
from webbench.core.task import Task


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """Another action that an agent would take: text in the dialect, or an action; `text` wins.

    `score` is its own, the higher the better, None where it gives none.
    """

    text: str = ""
    action: Action | None = None
    reasoning: str = ""
    score: float | None = None


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent wants to do next: text in the episode's dialect, or an action itself.

    `text` wins where both are given.

    Attributes:
        malformed: why the reply holds no action at all; `text` is then what was said in place of one. It
            takes a turn and counts as an invalid action, and the agent finds it in its next view.
        calls: every call of a model that led here, in order, failed ones too.
        prompt, reply: of agents whose calls aren't known one by one.
        usage: tokens and cost; that of `calls` where it is empty (see `usage_of`).
        alternatives: what it would do otherwise, best first; a person may pick one of them.
        state: what it has to know to go on from here, in JSON: plan, memory. It is recorded with the step,
            and given to an agent of its name that is made anew (see `Kept`). One that is too large, or no
            JSON, is not recorded, and that is told (see `agents.kept.unfit`).

    Example:
        >>> wb.Proposal(text="click [12]", reasoning="the cart is there")
    """

    text: str = ""
    action: Action | None = None
    malformed: str = ""
    reasoning: str = ""
    prompt: str = ""
    reply: str = ""
    calls: tuple[ModelCall, ...] = ()
    usage: JsonObject = {}
    alternatives: tuple[Candidate, ...] = ()
    state: JsonObject = {}

    @property
    def spent(self) -> JsonObject:
        """`usage`, or the sums over `calls`."""
        return self.usage or usage_of(self.calls)


class DevTools(msgspec.Struct, frozen=True, kw_only=True):
    """Where an agent that acts in the browser by itself joins it (see `Drives`).

    Attributes:
        address: of Chromium's DevTools, http, on this machine.
        target: DevTools' id of the tab that the observation is of.
        files: what lies in this folder when a step ends is kept with the episode; None = nothing is.
    """

    address: str
    target: str
    files: Path | None = None


class Done(NamedTuple):
    """What an agent did by itself.

    Attributes:
        output: what it came to, in words.
        target: DevTools' id of the tab that it is on now, "" where it doesn't say.
    """

    output: str
    target: str = ""


Hands = Callable[[], Awaitable[Done]]
"""Does what was proposed last. Raises `ActionFailed`."""


class PastAction(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier action as its actor wrote it, and in words that outlive the ids of its page.

    `words` is "" for what was no action; `error` tells why it had no effect.
    """

    text: str
    words: str = ""
    error: str = ""
    actor: str = "agent"


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal that was carried out as an agent's own step, and what came of it then.

    Attributes:
        error, output: of that step.
        action: its index in the view's history; what follows was done by somebody else.
    """

    proposal: Proposal = Proposal()
    error: str = ""
    output: str = ""
    action: int = -1


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent that was here before kept with its last action.

    `action` is the index of that action in the view's history: what follows was done without the agent.
    """

    state: JsonObject
    action: int


class AgentView(msgspec.Struct, frozen=True, kw_only=True):
    """All that an agent gets to see at one step: what the human on the stepper screen sees.

    Example:
        >>> view.task.intent, view.step, len(view.observation.nodes), view.last_error
    """

    task: Task
    step: int
    observation: Observation
    screenshot: Screenshot | None = None
    last_action: str = ""
    last_error: str = ""
    last_output: str = ""
    last_proposal: Proposal = Proposal()
    """The very proposal that was carried out as the last action; an empty one where a person acted."""
    before: Carried | None = None
    """The last proposal that was carried out, whatever was done since; None where it isn't known."""
    rejected: str = ""
    """The agent's last proposal and why a person rejected it, or ""."""
    dialect: str = ""
    shown: int | None = None
    """Index of the step that the screenshot is kept with, None where it is kept with none."""
    history: tuple[PastAction, ...] = ()
    """Everything that was done in this episode, in order, invalid actions too."""
    memory: tuple[str, ...] = ()
    """What was remembered in this episode, in order."""
    kept: dict[str, Kept] = {}
    """By name of the agent; one that is made anew in mid-episode takes its own up (see `agents.kept`)."""
    notices: list[str] = msgspec.field(default_factory=list)
    """What the agent would have a person know of its state; it adds to it. Told and recorded once each."""
    html: str = ""
    """Of the main frame as it was observed; "" where the episode keeps none, or no page can be read."""
    devtools: DevTools | None = None
    """Only of an episode whose agent drives its browser by itself."""
    left: dict[str, float] = {}
    """What the limits leave of "steps", "seconds", "tokens", "cost" (US dollars); only those that are set."""

    @property
    def carried(self) -> Carried:
        """By what an agent that keeps its place in a plan goes on: the last proposal that was carried out.

        A person's step in between changes nothing about what the agent has done.
        """
        if self.before is not None:
            return self.before
        last = len(self.history) - 1
        return Carried(
            proposal=self.last_proposal, error=self.last_error, output=self.last_output, action=last
        )

    @property
    def last_step(self) -> bool:
        """No step is left after this one."""
        return self.left.get("steps", 2) <= 1


class Agent(Protocol):
    """Proposes one action per step; keeps its own memory; never touches the browser.

    One that runs code of its own may say by an attribute `reach` what of the answers that code could read
    (see `reach_of`).

    Example:
        >>> class Quitter:
        ...     name = "quitter"
        ...
        ...     async def propose(self, view: wb.AgentView) -> wb.Proposal:
        ...         return wb.Proposal(text="stop []")
        ...
        ...     async def close(self) -> None: ...
        ...
        >>> wb.play("demo/camp-mugs", Quitter())
    """

    name: str

    async def propose(self, view: AgentView) -> Proposal: ...

    async def close(self) -> None:
        """Give back processes and connections; idempotent."""
        ...


@runtime_checkable
class Drives(Protocol):
    """What an `Agent` may be besides: one that acts in the browser by itself, by `AgentView.devtools`.

    Its episode has a browser of its own. What it proposes is judged, limited and recorded as ever; what then
    is carried out as its own step, it does itself.
    """

    async def carry_out(self) -> Done:
        """Do what it proposed last. Raises `ActionFailed`."""
        ...


IN_PROCESS = "the agent's code is a plug-in that ran inside webbench-tui: it could have read the answers"


def reach_of(agent: Agent) -> str:
    """What of the reference answers an agent's own code could have read, in one sentence; "" for none."""
    ours = type(agent).__module__.partition(".")[0] == __name__.partition(".")[0]
    return str(getattr(agent, "reach", "" if ours else IN_PROCESS))


AGENT_OPTION, FLAG_GIVEN = "agent", "yes"


def options_in(spec: str) -> dict[str, str]:
    """The words of a spec by option: the first is called "agent", one without a value has "yes".

    A spec that can't be read is the agent's name as a whole.
    """
    try:
        called, *words = shlex.split(spec)
    except ValueError:
        return {AGENT_OPTION: spec}
    told = {AGENT_OPTION: called}
    for word in words:
        name, equals, value = word.partition("=")
        told[name] = value if equals else FLAG_GIVEN
    return told
