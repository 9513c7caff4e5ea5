"""Resumed state: what an agent of the same name kept before is taken up in mid-episode.

An agent is made anew where an episode is resumed or forked, and where it comes back after another one. It
recorded its state with each of its proposals; the new one finds it in its first view. A record may come from
somebody else: what does not have the form that the agent gives it is left, and that is told.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from webbench.core.agent import AgentView, Proposal
from webbench.core.json_types import JsonObject
from webbench.core.store.records import codec
from webbench.core.text import bounded_json
from webbench.core.text.plain_text import plain_clip

LARGEST_STATE = 1024 * 1024
"""Bytes of JSON: a state is recorded whole with each step."""

State = TypeVar("State", bound=msgspec.Struct)


def taken_up(view: AgentView, name: str, kind: type[State]) -> State | None:
    """The state that the agent of this name recorded last; None where it did not.

    None, too, for one that is no such state: the view's notices tell why.
    """
    kept = view.kept.get(name)
    if kept is None:
        return None
    try:
        return msgspec.convert(kept.state, kind)
    except msgspec.ValidationError as error:
        leave(view, name, str(error))
        return None


def leave(view: AgentView, name: str, why: str) -> None:
    """Tell that the agent of this name goes on without the state that was recorded of it."""
    action = view.kept[name].action + 1
    told = f"What {name} kept with action {action} is left, and it begins anew: {plain_clip(why, 300)}"
    if told not in view.notices:
        view.notices.append(told)


def last_own(view: AgentView, name: str) -> Proposal | None:
    """The last proposal that was carried out, where it is one of the agent of this name."""
    kept, carried = view.kept.get(name), view.carried
    own = kept is not None and kept.action == carried.action and carried.proposal.state
    return carried.proposal if own else None


def unfit(state: object) -> str:
    """Why a state can't be recorded, or a recorded one can't be taken up; "" where it can."""
    if not isinstance(state, dict):
        return "it is no object of JSON"
    if not state:
        return ""
    try:
        data = codec.encode(state)
        if len(data) > LARGEST_STATE:
            return f"it is larger than {LARGEST_STATE:,} bytes"
        bounded_json.decode(data)
    except RecursionError:
        return f"it is nested deeper than {bounded_json.DEEPEST} levels"
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        return f"it is no JSON: {plain_clip(str(error), 200)}" if isinstance(error, TypeError) else str(error)
    return ""


def recordable(state: JsonObject) -> JsonObject:
    """The state, or {} for one that is unfit."""
    return {} if unfit(state) else state
