"""What an agent has to keep: it answers in its protocol, whatever it sees, and can be made anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import cast

import msgspec

from webbench.core.action.action import Action
from webbench.core.agent import Agent, AgentView, Kept, PastAction, Proposal
from webbench.core.agents.resumed_state import unfit
from webbench.core.benchmark.agent_request import AgentFactory, AgentRequest
from webbench.core.conformance.dialect_contract import PAGE
from webbench.core.conformance.rule import Broken, Ledger, LeftOut, Rule, raised, require
from webbench.core.dialects.dialect import ParseError, find_dialect
from webbench.core.errors import AgentFailed, WebbenchError
from webbench.core.observation import Dialog, Observation
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import AGENTS
from webbench.core.task import Task
from webbench.core.time_limit import time_limit

CONTRACT = "core/agent.py::Agent"
ANSWER_SECONDS = 30.0
TASK = Task(benchmark="demo", name="mugs", intent="Order the blue mugs.", gold={"answer": "blue"})

MADE = Rule(
    name="agent-made",
    expected="it is made from an `AgentRequest`, and has `name`, `propose` and `close`",
    why="that is all that an episode knows of it",
    contract="core/benchmark/agent_request.py::AgentFactory",
)
ANSWERS = Rule(
    name="agent-answers",
    expected=f"`propose` gives within {ANSWER_SECONDS:.0f} s a `Proposal` with an action, a text in "
    "the episode's "
    "language, or `malformed`",
    why="a step is made of it, and nothing else is understood",
    contract="core/agent.py::Proposal",
)
VIEW = Rule(
    name="agent-leaves-the-view",
    expected="it changes nothing in the view but `notices`",
    why="the view is recorded, and shown to people",
    contract="core/agent.py::AgentView",
)
TROUBLE = Rule(
    name="agent-survives-trouble",
    expected="a page that crashed, is empty, is offline or has a dialog open, and an action that had "
    "no effect, are answered",
    why="each of them happens in a long run; an agent that raises ends its episode unscored",
    contract="core/agent.py::AgentView",
)
LIMIT = Rule(
    name="agent-last-step",
    expected="it answers when the limits leave it a single step, or nothing",
    why="the episode ends by the limit, not by the agent's failure",
    contract="core/agent.py::AgentView.left",
)
STATE = Rule(
    name="agent-state",
    expected="its `state` is JSON that can be recorded, and one that is made anew with it answers, "
    "also where it is "
    "another's",
    why="episodes are gone on with in another process, and forked",
    contract="core/agent.py::Proposal.state",
)
CLOSES = Rule(
    name="agent-close",
    expected="`close` may be called twice, also before the first proposal",
    why="an episode may end at any point",
    contract=f"{CONTRACT}.close",
)

TROUBLED: tuple[tuple[str, Observation, str], ...] = (
    ("an action without effect", PAGE, "there is no element 99"),
    ("an empty page", Observation(), ""),
    ("a crashed page", Observation(condition="crashed", problem="the page crashed"), ""),
    ("a page that is offline", Observation(condition="offline", problem="the site can't be reached"), ""),
    ("an open dialog", msgspec.structs.replace(PAGE, dialog=Dialog("confirm", "Sure?")), ""),
)


async def check(name: str, ledger: Ledger, options: Sequence[str] = ()) -> None:
    """All rules; those that need an agent are left out where it can't be made without options."""
    factory = cast("AgentFactory", entry_points.load(AGENTS)[name]())
    request = AgentRequest(task=TASK, options=tuple(options))
    if not ledger.ask(MADE, lambda: made(factory, request)):
        return
    maker = Maker(factory, request)
    ledger_asks = (
        (ANSWERS, maker.answers),
        (VIEW, maker.leaves_the_view),
        (TROUBLE, maker.survives),
        (LIMIT, maker.last_step),
        (STATE, maker.goes_on),
        (CLOSES, maker.closes),
    )
    for rule, asked in ledger_asks:
        await ledger.ask_live(rule, asked)


def made(factory: AgentFactory, request: AgentRequest) -> str:
    """Raises `Broken`, and `LeftOut` where it asks for options."""
    require(callable(factory), f"{type(factory).__name__} can't be called")
    try:
        agent = factory(request)
    except WebbenchError as error:
        raise LeftOut(f"it isn't made with these options: {error}") from error
    require(bool(str(agent.name).strip()), "its name is blank")
    missing = [name for name in ("propose", "close") if not callable(getattr(agent, name, None))]
    require(not missing, f"it has no {' and no '.join(missing)}")
    return str(agent.name)


class Maker:
    """Makes a fresh agent for each rule, and closes it."""

    def __init__(self, factory: AgentFactory, request: AgentRequest) -> None:
        self._factory = factory
        self._request = request

    async def answers(self) -> str:
        """Raises `Broken`."""
        return await self._with_fresh_agent(lambda agent: self._answer(agent, view(), "a page"))

    async def leaves_the_view(self) -> str:
        """Raises `Broken`."""

        async def looked(agent: Agent) -> str:
            shown = view()
            before = msgspec.json.encode(msgspec.structs.replace(shown, notices=[]))
            await self._answer(agent, shown, "a page")
            after = msgspec.json.encode(msgspec.structs.replace(shown, notices=[]))
            require(before == after, "the view is another after it was looked at")
            return "one view"

        return await self._with_fresh_agent(looked)

    async def survives(self) -> str:
        """Raises `Broken`."""
        for what, page, error in TROUBLED:
            shown = view(page, last_error=error)
            await self._with_fresh_agent(partial(self._answer, shown=shown, what=what))

        async def in_a_row(agent: Agent) -> str:
            for number, (what, page, error) in enumerate(TROUBLED):
                await self._answer(agent, view(page, step=number, last_error=error), what)
            return ""

        await self._with_fresh_agent(in_a_row)
        return ", ".join(what for what, _, _ in TROUBLED)

    async def last_step(self) -> str:
        """Raises `Broken`."""
        for left in (1.0, 0.0):
            shown = view(left={"steps": left, "seconds": left, "tokens": left, "cost": left})
            await self._with_fresh_agent(partial(self._answer, shown=shown, what="its last step"))
        return "one step left, and none"

    async def goes_on(self) -> str:
        """Raises `Broken`."""
        kept: list[Kept] = []
        names: list[str] = []

        async def first(agent: Agent) -> str:
            proposal = await self._propose(agent, view(), "a page")
            require(not unfit(proposal.state), f"its state can't be recorded: {unfit(proposal.state)}")
            kept.append(Kept(state=proposal.state, action=0))
            names.append(agent.name)
            return ""

        await self._with_fresh_agent(first)
        past = (PastAction(text="click [7]", words="click on Order now"),)
        for state in (kept[0].state, {"what": ["nobody", 3]}, {}):
            shown = view(history=past, step=1, kept={names[0]: Kept(state=state, action=0)})
            await self._with_fresh_agent(partial(self._answer, shown=shown, what="made anew"))
        return f"{len(msgspec.json.encode(kept[0].state))} bytes of state, another's, and none"

    async def closes(self) -> str:
        """Raises what closing raises."""
        agent = self._factory(self._request)
        await agent.close()
        await agent.close()
        return "twice, before anything was proposed"

    async def _with_fresh_agent(self, play: Callable[[Agent], Awaitable[str]]) -> str:
        agent = self._factory(self._request)
        try:
            return await play(agent)
        finally:
            await agent.close()

    async def _propose(self, agent: Agent, shown: AgentView, what: str) -> Proposal:
        try:
            async with time_limit(ANSWER_SECONDS):
                return await agent.propose(shown)
        except TimeoutError as error:
            raise Broken(f"{what}: no answer within {ANSWER_SECONDS:.0f} s") from error
        except AgentFailed as error:
            raise LeftOut(f"it needs what isn't here: {error}") from error
        except Exception as error:
            raise Broken(f"{what}: {raised(error)}") from error

    async def _answer(self, agent: Agent, shown: AgentView, what: str) -> str:
        proposal = await self._propose(agent, shown, what)
        require(isinstance(proposal, Proposal), f"{what}: it gives {type(proposal).__name__}")
        if proposal.text and not proposal.malformed:
            read = find_dialect(shown.dialect).parse(proposal.text)
            fine = not isinstance(read, ParseError)
            require(fine, f"{what}: {proposal.text[:80]!r} is no action of {shown.dialect}: {read}")
            return f"{what}: {proposal.text[:80]}"
        given = proposal.malformed or isinstance(proposal.action, Action)
        require(bool(given), f"{what}: neither an action nor a text: {proposal!r}")
        return f"{what}: {proposal.malformed or type(proposal.action).__name__}"


def view(page: Observation = PAGE, step: int = 0, **more: object) -> AgentView:
    """What an agent sees of a page."""
    task = msgspec.convert(msgspec.to_builtins(TASK), Task)
    seen = AgentView(task=task, step=step, dialect="webarena", observation=page)
    return msgspec.structs.replace(seen, **more)
