"""The agent that is two: the first one works, and where it abstains the second one takes over.

Source: AssistantBench, section 4, where an agent that browses is followed by a model that answers from what
it knows. To abstain is to end the episode with an empty answer. The second agent goes on from the page that
the first one left; both are recorded, and what both spent counts.
"""

from __future__ import annotations

import msgspec

from webbench.core import registry
from webbench.core.action import Action, Stop
from webbench.core.agents.contract import Agent, AgentRequest, AgentView, Proposal
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.json_types import JsonObject

_PARTS = ("first", "second")


class Ensemble:
    """Asks the first agent until it abstains, and the second one from that very step on."""

    def __init__(self, name: str, first: Agent, second: Agent) -> None:
        self.name = name
        self._first = first
        self._second = second
        self._abstained = False
        self._taken_over = (Proposal(), Proposal())

    async def propose(self, view: AgentView) -> Proposal:
        """The proposal of whoever's turn it is. Raises as that agent does."""
        if self._abstained:
            joined, own = self._taken_over
            seen = msgspec.structs.replace(view, last_proposal=own) if view.last_proposal is joined else view
            return await self._second.propose(seen)
        proposal = await self._first.propose(view)
        if not abstains(proposal, view.dialect):
            return proposal
        self._abstained = True
        own = await self._second.propose(view)
        self._taken_over = _joined(proposal, own, self._first.name), own
        return self._taken_over[0]

    async def close(self) -> None:
        try:
            await self._first.close()
        finally:
            await self._second.close()


def abstains(proposal: Proposal, dialect: str) -> bool:
    """Whether the proposal ends the episode without an answer."""
    action = None if proposal.malformed else _action(proposal, dialect)
    return isinstance(action, Stop) and not action.answer.strip()


def _action(proposal: Proposal, dialect: str) -> Action | None:
    if not proposal.text:
        return proposal.action
    try:
        parsed = registry.dialect(dialect).parse(proposal.text)
    except WebbenchError:
        return None
    return parsed if isinstance(parsed, Stop) else None


def _joined(first: Proposal, second: Proposal, name: str) -> Proposal:
    """The second proposal, with what led the first agent to abstain."""
    why = "\n\n".join(filter(None, (first.reasoning, f"{name} abstained", second.reasoning)))
    usage = {} if first.calls and second.calls else _summed(first.spent, second.spent)
    calls = (*first.calls, *second.calls)
    return msgspec.structs.replace(second, reasoning=why, calls=calls, usage=usage)


def _summed(one: JsonObject, other: JsonObject) -> JsonObject:
    total = dict(one)
    for key, value in other.items():
        before = total.get(key)
        both = isinstance(before, int | float) and isinstance(value, int | float)
        total[key] = before + value if both else value
    return total


def create(request: AgentRequest) -> Ensemble:
    """The entry point: `first=SPEC second=SPEC`, each a spec of its own, quoted where it has options.

    Further options, `model=…` for one, go to both. Raises `UsageError` where one is missing, and as
    `registry.agent` does.
    """
    specs: dict[str, str] = {}
    for_both: list[str] = []
    for word in request.options:
        part, _, spec = word.partition("=")
        if part in _PARTS:
            specs[part] = spec
        else:
            for_both.append(word)
    missing = [part for part in _PARTS if not specs.get(part, "").strip()]
    if missing:
        raise UsageError(
            f'The agent "ensemble" lacks {" and ".join(missing)}',
            "write: ensemble 'first=AGENT option=value' 'second=AGENT option=value'",
        )
    own = msgspec.structs.replace(request, options=tuple(for_both), called="")
    first, second = (registry.agent(specs[part], own) for part in _PARTS)
    return Ensemble(request.called or "ensemble", first, second)
