"""What a program keeps: recorded with its answers, and handed to one that is started anew in mid-episode."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from webbench.core.agent import AgentView
from webbench.core.agents.command.protocol import PROTOCOL, PROTOCOLS
from webbench.core.agents.resumed_state import leave, taken_up
from webbench.core.json_types import Json, JsonObject


class ProgramState(msgspec.Struct, frozen=True, kw_only=True):
    """The form in which it is recorded.

    Attributes:
        protocol: that the program spoke.
        program: which one it was, see `mark_of`: what another one kept is nothing to it.
        state: the program's own, any JSON.
    """

    protocol: int
    program: str
    state: Json = None


def mark_of(words: Sequence[str]) -> str:
    """Tells programs apart without recording their words, which may hold keys."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def to_record(given: JsonObject, program: str) -> JsonObject:
    """What is recorded of an answer's "state"; {} where it has none: the one before stays then."""
    return {"protocol": PROTOCOL, "program": program, **given} if given else {}


def handed_on(view: AgentView, name: str, program: str, form: type[ProgramState]) -> JsonObject:
    """The fields of `hello` that tell a program where it is: `step`, `state`, `state_action`.

    Args:
        form: of what this program keeps; a record of another form is left, and that is told.
    """
    fields: JsonObject = {"step": view.step, "state": None, "state_action": None}
    found = taken_up(view, name, form)
    if found is None:
        return fields
    if found.protocol not in PROTOCOLS:
        leave(view, name, f"it was written in protocol {found.protocol}, which isn't spoken here")
    elif found.program != program:
        leave(
            view,
            name,
            "another program kept it, or this one with other words; a preset's name stands for both",
        )
    else:
        kept = view.kept[name]
        fields |= {"state": kept.state.get("state"), "state_action": kept.action}
    return fields
