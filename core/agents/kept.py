"""Taking up in mid-episode what an agent of the same name kept before: plan, memory, lookups.

An agent is made anew where an episode is resumed or forked, and where it comes back after another one. It
recorded its state with each of its proposals; the new one finds it in its first view.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from webbench.core.agents.contract import AgentView, Proposal

State = TypeVar("State", bound=msgspec.Struct)


def taken_up(view: AgentView, name: str, kind: type[State]) -> State | None:
    """The state that the agent of this name recorded last; None where it did not, or what it can't read."""
    kept = view.kept.get(name)
    if kept is None:
        return None
    try:
        return msgspec.convert(kept.state, kind)
    except msgspec.ValidationError:
        return None


def last_own(view: AgentView, name: str) -> Proposal | None:
    """What was carried out last, where it is a proposal of the agent of this name."""
    kept = view.kept.get(name)
    own = kept is not None and kept.action == len(view.history) - 1 and view.last_proposal.state
    return view.last_proposal if own else None
