"""The agent of modules: planning, observation, memory and reward, each of which can be switched off.

Source: WebCanvas, section 4 (the framework) and table 12 (its ablation).

- planning: the model thinks and refines a plan before its action; without it, it names the action alone.
- observation: the accessibility tree of the page; without it, only what can be acted on, and no other text.
- memory: everything that was done with the thoughts and verdicts behind it; without it, the last action.
- reward: a call of its own judges after each action how far the task is; its words stand in the next prompt,
  and "finished" ends the episode. With the golden reference it is told the key nodes that the evaluator looks
  for; the agent's recorded name says so, for its score can't be compared with others.

An episode ends at the latest after 1.5 times the annotated number of actions. Plan and memory are recorded
with each proposal, and taken up again by an agent that is made anew.
"""

from __future__ import annotations

import math
from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.benchmarks.webcanvas.agents.golden import Reference, reference_of
from webbench.benchmarks.webcanvas.agents.reward import Verdict, read_verdict
from webbench.core.action.action import Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.model.accepted_options import PROMPT, ModelOptions
from webbench.core.agents.model.ask_model import Asker, asker_for
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompt_fields import Look, pictures_of, verb_fields, view_fields
from webbench.core.agents.model.prompts import Prompt, load_prompt
from webbench.core.agents.model.replies import proposal_of, read_fenced
from webbench.core.agents.resumed_state import last_own, taken_up
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.dialects.dialect import find_dialect, verb_word
from webbench.core.errors import UsageError
from webbench.core.observation import Observation
from webbench.core.text.plain_text import plain_clip

MOST_CONTROLS = 200
MOST_MEMORIES = 100
LONGEST_THOUGHT = 2000
"""Characters of one thought that are kept: it is told again at every step."""

SHOWN = "(shown the key nodes)"
"""Behind the name of an agent whose reward module was told them."""

_UNSEEN = frozenset({"get_html", "screenshot", "say", "noop"})
"""Actions that would tell this agent nothing and change nothing, and are not offered."""


class ModularOptions(ModelOptions, frozen=True, kw_only=True):
    """Options of WebCanvas' agent; the four modules first."""

    planning: Annotated[bool, Meta(description="Think and keep a plan before each action")] = True
    observation: Annotated[bool, Meta(description="Show the accessibility tree")] = True
    memory: Annotated[bool, Meta(description="Tell everything that was done, not only the last action")] = (
        True
    )
    reward: Annotated[bool, Meta(description="Judge after each action how far the task is")] = True
    reward_model: Annotated[
        str, Meta(description="Model of the reward module; empty: the one that plans")
    ] = ""
    reward_url: Annotated[
        str, Meta(description="Base address of its endpoint; empty: the planning model's")
    ] = ""
    reward_key_file: Annotated[
        str, Meta(description="File with its endpoint's key; empty: the planning model's")
    ] = ""
    golden: Annotated[bool, Meta(description="Tell the reward module the key nodes of the task")] = False
    act: Annotated[str, Meta(description="Prompt of the action", extra=PROMPT)] = "webcanvas/act"
    judge: Annotated[str, Meta(description="Prompt of the reward module", extra=PROMPT)] = "webcanvas/reward"
    observation_tokens: Annotated[int, Meta(ge=0, description="Tokens of the page, about; 0: all")] = 4000
    picture: Annotated[bool, Meta(description="Send the screenshot along")] = False
    length_factor: Annotated[
        float, Meta(ge=0, description="Times the annotated length, the most actions; 0: no such limit")
    ] = 1.5


class Memory(msgspec.Struct, kw_only=True):
    """One action, in words where it was one, with the thought before it and the verdict after it."""

    action: str
    thought: str = ""
    error: str = ""
    verdict: str = ""


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Plan and memory before an action, and the thought behind it."""

    plan: str = ""
    thought: str = ""
    memory: list[Memory] = []


class ModularAgent:
    """One or two calls a step; see the module.

    Args:
        reference: annotated length, and what the reward module is told of the solution.
        rewarder: what asks the reward module's model, where that is another one.
    """

    def __init__(
        self,
        name: str,
        asker: Asker,
        prompts: tuple[Prompt, Prompt],
        options: ModularOptions = ModularOptions(),
        reference: Reference = Reference(),
        rewarder: Asker | None = None,
    ) -> None:
        told = options.reward and options.golden and reference.key_nodes
        self.name = f"{name} {SHOWN}" if told else name
        self._asker = asker
        self._rewarder = rewarder or asker
        self._act, self._judge = prompts
        self._options = options
        self._reference = reference
        whole = "viewport" if options.observation else "none"
        self._look = Look(observation=whole, most_tokens=options.observation_tokens, picture=options.picture)
        self._plan = self._thought = ""
        self._memory: list[Memory] = []
        self._known = 0
        self._fresh = True
        self._proposed: Proposal | None = None

    async def propose(self, view: AgentView) -> Proposal:
        """The next action, or the end. Raises as `Asker.ask` and `Prompt.messages` do."""
        if self._fresh:
            self._take_up(view)
        self._remember(view)
        fields = self._fields(view)
        if self._judgeable and (await self._verdict(fields, view)).finished:
            return self._stop(f"the reward module holds the task {self._memory[-1].verdict}")
        if self._over(view):
            return self._stop(f"{self._most} actions, the most for this task, were taken")
        told = {
            "verdict": self._memory[-1].verdict if self._memory else "",
            "memory": self._remembered_steps(),
        }
        messages = self._act.messages(fields | told, pictures_of(view, self._look))
        call = await self._asker.ask(messages, purpose="act")
        reading = read_fenced(call)
        self._thought = reading.said[:LONGEST_THOUGHT] if self._options.planning else ""
        self._plan = self._thought or self._plan
        kept = Kept(plan=self._plan, thought=self._thought, memory=self._memory)
        proposal = proposal_of(reading, self._asker.taken())
        self._proposed = msgspec.structs.replace(proposal, state=msgspec.to_builtins(kept))
        return self._proposed

    async def close(self) -> None:
        await self._asker.close()
        if self._rewarder is not self._asker:
            await self._rewarder.close()

    @property
    def _most(self) -> int:
        """Actions that may be taken; 0 for any number."""
        return math.ceil(self._reference.length * self._options.length_factor)

    def _over(self, view: AgentView) -> bool:
        return bool(self._most) and len(view.history) >= self._most

    def _stop(self, why: str) -> Proposal:
        return Proposal(action=Stop(), reasoning=why, calls=self._asker.taken())

    async def _verdict(self, fields: dict[str, object], view: AgentView) -> Verdict:
        """What the reward module says of the last action; a reply that can't be read judges nothing."""
        more = {
            "memory": self._remembered_steps(),
            "key_nodes": self._reference.key_nodes if self._options.golden else (),
        }
        messages = self._judge.messages(fields | more, pictures_of(view, self._look))
        verdict = read_verdict((await self._rewarder.ask(messages, purpose="reward")).reply)
        self._memory[-1].verdict = verdict.told
        return verdict

    def _take_up(self, view: AgentView) -> None:
        """What was kept with the last own action is from before it; the history has what was done since."""
        self._fresh = False
        kept = taken_up(view, self.name, Kept)
        if kept is not None:
            self._plan, self._thought, self._memory = kept.plan, kept.thought, kept.memory
            self._known = view.kept[self.name].action
            self._proposed = last_own(view, self.name)

    def _remember(self, view: AgentView) -> None:
        """Keep everything that was done since, by a person too; its own last action with the thought."""
        done = [
            Memory(action=past.words or past.text, error=past.error) for past in view.history[self._known :]
        ]
        own = view.carried.action - self._known
        if own in range(len(done)) and view.carried.proposal is self._proposed:
            done[own].thought = self._thought
        self._known = len(view.history)
        self._memory = [*self._memory, *done][-MOST_MEMORIES:]

    @property
    def _judgeable(self) -> bool:
        """There is an action that had an effect, and no verdict on it yet."""
        last = self._memory[-1] if self._memory else None
        return self._options.reward and last is not None and not last.error and not last.verdict

    def _remembered_steps(self) -> list[dict[str, str]]:
        kept = self._memory if self._options.memory else self._memory[-1:]
        return [msgspec.to_builtins(one) for one in kept]

    def _fields(self, view: AgentView) -> dict[str, object]:
        controls = [] if self._options.observation else controls_of(view.observation)
        return {
            **view_fields(view, self._look),
            "verbs": verb_fields(view.dialect, offered(view.dialect, self._look)),
            "planning": self._options.planning,
            "plan": self._plan,
            "controls": controls,
        }


def offered(dialect: str, look: Look) -> list[str]:
    """The verbs of the dialect that are of use; those by coordinates only to an agent that sees the page."""
    words = [verb_word(verb) for verb in find_dialect(dialect).verbs()]
    seen = look.picture
    return [
        word for word in words if word not in _UNSEEN and (seen or not word.endswith(("_at", "click_in")))
    ]


def controls_of(observation: Observation) -> list[str]:
    """What can be acted on, as lines "[12] textbox 'Name' = 'Ada'", without the rest of the page."""
    nodes = [node for node in observation.nodes if node.interactive and not node.offscreen][:MOST_CONTROLS]
    return [
        f"{node.id_text}{node.role} {plain_clip(node.name or node.looks, 120)!r}"
        + (f" = {plain_clip(node.value, 120)!r}" if node.value else "")
        for node in nodes
    ]


def _make(name: str, request: AgentRequest, options: ModularOptions, asker: Asker) -> ModularAgent:
    folder, reference = prompts_of(options), reference_of(request)
    if options.reward and options.golden and request.benchmark and not reference.key_nodes:
        raise UsageError(
            f"{request.task.id} has no key nodes that the reward module could be told",
            "golden=no judges without them",
        )
    prompts = load_prompt(options.act, folder), load_prompt(options.judge, folder)
    rewarder = _rewarder(options, request, asker)
    called = f"{name} (reward by {rewarder.client.endpoint.model})" if rewarder else name
    return ModularAgent(called, asker, prompts, options, reference, rewarder)


def _rewarder(options: ModularOptions, request: AgentRequest, planner: Asker) -> Asker | None:
    """What asks the reward module's own model; None where the planning model is asked, or nothing is judged.

    Sampling and timeouts are the planning model's. The planning model's key goes to no other host.

    Raises `UsageError` for a reward model where the reward module is off, and as `asker_for` does.
    """
    wished = options.reward_model or options.reward_url or options.reward_key_file
    if not wished:
        return None
    if not options.reward:
        raise UsageError("A reward model is named, but the reward module is off", "reward=yes asks it")
    planning = planner.client.endpoint
    own = msgspec.structs.replace(
        options,
        model=options.reward_model or planning.model,
        url=options.reward_url or planning.url,
        key_file=options.reward_key_file or options.key_file,
    )
    return asker_for(own, request, beside=planner, own_key=bool(options.reward_key_file))


create = AgentKind("webcanvas", ModularOptions, _make, benchmarks=("webcanvas",))
