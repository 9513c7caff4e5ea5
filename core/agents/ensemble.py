"""The agent that is two: the first one works, and where it abstains the second one takes over.

Source: AssistantBench, section 4, where an agent that browses is followed by a model that answers from what
it knows. To abstain is to end the episode with an empty answer; with `at_limit=yes` also to have none when
one step is left. The second agent goes on from the page that the first one left; both are recorded, and what
both spent counts. Whose turn it is is recorded, with what that agent keeps: one that is made anew goes on
there.

Written `ensemble 'first=AGENT option=value' 'second=AGENT option=value'`; further options go to both.
"""

from __future__ import annotations

from contextvars import ContextVar

import msgspec

from webbench.core.action.action import Action, Stop
from webbench.core.agent import Agent, AgentView, Carried, Kept, Proposal, reach_of
from webbench.core.agents.agent_spec import create_agent
from webbench.core.agents.resumed_state import last_own, taken_up
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.dialects.dialect import find_dialect
from webbench.core.errors import AgentFailed, UsageError, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.text.plain_text import plain_clip

DEEPEST = 8
"""Ensembles may be parts of each other so often."""

_PARTS = ("first", "second")
_AT_LIMIT = "at_limit"
_OWN = (*_PARTS, _AT_LIMIT)
_HINT = "write: ensemble 'first=AGENT option=value' 'second=AGENT option=value' [at_limit=yes]"
_above: ContextVar[int] = ContextVar("_above", default=0)


class Turn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whose turn it is, and what that agent keeps."""

    abstained: bool = False
    state: JsonObject = {}


class Ensemble:
    """Asks the first agent until it abstains, and the second one from that very step on.

    Args:
        at_limit: the second one gets the last step where the first one would not end with it.
    """

    def __init__(self, name: str, first: Agent, second: Agent, *, at_limit: bool = False) -> None:
        self.name = name
        self._first = first
        self._second = second
        self._at_limit = at_limit
        self._abstained = False
        self._before: Proposal | None = None
        self._fresh = True
        self._told = (Proposal(), Proposal())
        """The last proposal, and the one of the part that it is from."""
        self.reach = "; ".join(dict.fromkeys(filter(None, map(reach_of, (first, second)))))

    async def propose(self, view: AgentView) -> Proposal:
        """The proposal of whoever's turn it is. Raises as that agent does."""
        if self._fresh:
            self._take_up(view)
        if not self._abstained:
            proposal = await self._first.propose(self._for(self._first, view))
            if not self._gives_way(proposal, view):
                return self._tell(proposal, proposal)
            self._abstained, self._before = True, proposal
            view = msgspec.structs.replace(
                view, rejected="", last_proposal=Proposal(), before=Carried(), kept={}
            )
        return await self._followed(view)

    def _take_up(self, view: AgentView) -> None:
        self._fresh = False
        turn = taken_up(view, self.name, Turn) or Turn()
        self._abstained = turn.abstained
        last = last_own(view, self.name)
        if last is not None:
            self._told = last, msgspec.structs.replace(last, state=turn.state)

    def _for(self, part: Agent, view: AgentView) -> AgentView:
        """The view as the part would have it by itself."""
        whole, own = self._told
        turn, kept = taken_up(view, self.name, Turn), {}
        if turn is not None and turn.abstained == self._abstained:
            kept = {part.name: Kept(state=turn.state, action=view.kept[self.name].action)}
        last = own if view.last_proposal is whole else view.last_proposal
        before = view.carried
        if before.proposal is whole:
            before = msgspec.structs.replace(before, proposal=own)
        return msgspec.structs.replace(view, last_proposal=last, before=before, kept=kept)

    def _tell(self, proposal: Proposal, own: Proposal) -> Proposal:
        """The proposal with whose turn it is."""
        turn = {"abstained": self._abstained, "state": own.state}
        state = {name: value for name, value in turn.items() if value}
        self._told = msgspec.structs.replace(proposal, state=state) if state else proposal, own
        return self._told[0]

    def _gives_way(self, proposal: Proposal, view: AgentView) -> bool:
        if abstains(proposal, view.dialect):
            return True
        last = self._at_limit and view.last_step
        return last and not isinstance(_action(proposal, view.dialect), Stop)

    async def _followed(self, view: AgentView) -> Proposal:
        """The second one's proposal; what the first one's last took is told with it, or with its failure."""
        try:
            proposal = await self._second.propose(self._for(self._second, view))
        except AgentFailed as error:
            calls, self._before = self._before.calls if self._before else (), None
            raise AgentFailed(error.message, error.hint, (*calls, *error.calls)) from error
        before, self._before = self._before, None
        whole = proposal if before is None else _joined(before, proposal, self._first.name)
        return self._tell(whole, proposal)

    async def close(self) -> None:
        try:
            await self._first.close()
        finally:
            await self._second.close()


def abstains(proposal: Proposal, dialect: str) -> bool:
    """Whether the proposal ends the episode without an answer."""
    action = _action(proposal, dialect)
    return isinstance(action, Stop) and not action.answer.strip()


def _action(proposal: Proposal, dialect: str) -> Action | None:
    if proposal.malformed or not proposal.text:
        return None if proposal.malformed else proposal.action
    try:
        parsed = find_dialect(dialect).parse(proposal.text)
    except WebbenchError:
        return None
    return parsed if isinstance(parsed, Stop) else None


def _joined(first: Proposal, second: Proposal, name: str) -> Proposal:
    """The second proposal, with what led the first agent to abstain."""
    why = "\n\n".join(filter(None, (first.reasoning, f"{name} gave no answer", second.reasoning)))
    usage = {} if first.calls and second.calls else _summed(first.spent, second.spent)
    calls = (*first.calls, *second.calls)
    prompt, reply = (
        "\n\n".join(filter(None, texts))
        for texts in ((first.prompt, second.prompt), (first.reply, second.reply))
    )
    return msgspec.structs.replace(
        second, reasoning=why, calls=calls, usage=usage, prompt=prompt, reply=reply
    )


def _summed(one: JsonObject, other: JsonObject) -> JsonObject:
    total = dict(one)
    for key, value in other.items():
        before = total.get(key)
        if isinstance(before, int | float) and isinstance(value, int | float):
            total[key] = before + value
        else:
            total[key] = value
    return total


def create(request: AgentRequest) -> Ensemble:
    """The entry point: `first=SPEC second=SPEC`, each a spec of its own, quoted where it has options.

    Further options, `model=…` for one, go to both. Raises `UsageError` where one is missing, where an
    ensemble is part of itself, and as `create_agent` does.
    """
    own: dict[str, str] = {}
    for_both: list[str] = []
    for word in request.options:
        name, _, value = word.partition("=")
        if name in _OWN:
            own[name] = value
        else:
            for_both.append(word)
    missing = [part for part in _PARTS if not own.get(part, "").strip()]
    if missing:
        raise UsageError(f'The agent "ensemble" lacks {" and ".join(missing)}', _HINT)
    at_limit = own.get(_AT_LIMIT, "no")
    if at_limit not in ("yes", "no"):
        raise UsageError(f'The agent "ensemble" can\'t take {_AT_LIMIT}={plain_clip(at_limit, 40)}', _HINT)
    first, second = _parts([own[part] for part in _PARTS], request, for_both)
    name = f"{request.called or 'ensemble'} ({_models(first.name, second.name)})"
    return Ensemble(name, first, second, at_limit=at_limit == "yes")


def _parts(specs: list[str], request: AgentRequest, for_both: list[str]) -> list[Agent]:
    above = _above.get()
    if above >= DEEPEST:
        raise UsageError(
            f'The ensemble "{plain_clip(request.called, 40)}" is part of itself, or has more than '
            f"{DEEPEST} others in it"
        )
    asked = msgspec.structs.replace(request, options=tuple(for_both), called="")
    token = _above.set(above + 1)
    try:
        return [create_agent(spec, asked) for spec in specs]
    finally:
        _above.reset(token)


def _models(first: str, second: str) -> str:
    """What is in brackets behind the names, where it is the same, else the names themselves."""
    ends = [name.partition(" (")[2].removesuffix(")") for name in (first, second)]
    return ends[0] if ends[0] and ends[0] == ends[1] else f"{first}, else {second}"
