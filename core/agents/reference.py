"""An oracle that carries out a written list of actions, its elements named by role and accessible name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.core.action.action import Action, ElementRef, Noop, Stop
from webbench.core.action.references import map_references
from webbench.core.agent import Agent, AgentView, Proposal
from webbench.core.agents.replay import Replay
from webbench.core.agents.resumed_state import taken_up
from webbench.core.benchmark.bundle import Bundle
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.task import Task

REFERENCE_ACTIONS = "reference_actions"
"""Where the gold of a task that was made of a demonstration keeps what that did."""
PATIENCE = 6
"""How often it looks again for an element that isn't there yet, and repeats an action that failed."""
PAUSE = 0.25


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where in its list an oracle was when it proposed.

    Attributes:
        next: which action is to be done, from 0.
        tries: how often it was waited for, or failed, before.
        acts: the proposal is that action.
    """

    next: Annotated[int, Meta(ge=0)] = 0
    tries: Annotated[int, Meta(ge=0, le=PATIENCE)] = 0
    acts: bool = False


class Reference:
    """Proposes the actions in order; one that was rejected, or failed, is proposed again.

    One that is made anew in mid-episode goes on behind what was carried out.

    Attributes:
        actions: may be changed before the first proposal.
    """

    name = "oracle"

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = list(actions)
        self._next = 0
        self._tries = 0
        self._proposed: Proposal | None = None
        self._fresh = True

    async def propose(self, view: AgentView) -> Proposal:
        self.note(view)
        if self._next >= len(self.actions):
            return Proposal(action=Stop(), reasoning="the reference list ends here")
        action = self.actions[self._next]
        missing = [ref for ref in references(action) if ref.role and find(view.observation, ref) is None]
        if missing:
            return self._wait(missing[0])
        found = map_references(action, lambda ref: _with_id(view.observation, ref))
        told = f"reference action {self._next + 1} of {len(self.actions)}"
        self._proposed = Proposal(action=found, reasoning=told, state=self._state(acts=True))
        return self._proposed

    def note(self, view: AgentView) -> None:
        """Go on where the last proposal was carried out, whatever a person has done since.

        One that was replaced by a person's own is open.
        """
        if self._fresh:
            self._take_up(view)
        if self._proposed is not None and view.carried.proposal is self._proposed:
            self._go_on(failed=bool(view.carried.error))
        self._proposed = None

    async def close(self) -> None:
        """Nothing to give back."""

    def _take_up(self, view: AgentView) -> None:
        self._fresh = False
        place = taken_up(view, self.name, Place)
        if place is None:
            return
        self._next, self._tries = place.next, place.tries
        done = view.history[view.kept[self.name].action]
        if place.acts and done.actor == "agent":
            self._go_on(failed=bool(done.error))

    def _state(self, *, acts: bool = False) -> JsonObject:
        place: JsonObject = msgspec.to_builtins(Place(next=self._next, tries=self._tries, acts=acts))
        return place

    def _go_on(self, *, failed: bool) -> None:
        if failed and self._tries < PATIENCE:
            self._tries += 1
            return
        self._tries = 0
        self._next += 1

    def _wait(self, ref: ElementRef) -> Proposal:
        self._tries += 1
        missing = f"no {ref.role} {ref.name!r} on the page"
        if self._tries > PATIENCE:
            return Proposal(action=Stop(), reasoning=missing)
        return Proposal(action=Noop(seconds=PAUSE), reasoning=f"{missing} yet", state=self._state())


def references(action: Action) -> list[ElementRef]:
    """The elements an action names."""
    named = (getattr(action, field, None) for field in ("source", "target"))
    return [ref for ref in named if isinstance(ref, ElementRef)]


def find(observation: Observation, ref: ElementRef) -> AccessibilityNode | None:
    """The first node with this role and name; one whose name only begins so is second best."""
    same_role = [node for node in observation.nodes if node.role == ref.role]
    exact = (node for node in same_role if node.name.strip() == ref.name)
    similar = (node for node in same_role if node.name.strip().startswith(ref.name))
    return next(exact, None) or next(similar, None)


def _with_id(observation: Observation, ref: ElementRef) -> ElementRef:
    node = find(observation, ref) if ref.role else None
    return ref if node is None else msgspec.structs.replace(ref, id=node.id, name=node.name)


def reference_oracle(task: Task, bundle: Bundle | None) -> Agent:
    """The oracle of a bundled task, or of one that was made of a demonstration.

    Raises `UsageError` where nobody wrote down how the task is solved, `BadData` where that can't be read.
    """
    actions = bundle.reference(task.name) if bundle is not None else ()
    if actions:
        return Reference(actions)
    written = task.gold.get(REFERENCE_ACTIONS)
    if not written:
        raise UsageError(
            f'The task "{task.id}" of {task.benchmark} has no oracle: nobody wrote down how it is solved',
            "bundled tasks have one; solve this one and replay the episode, or choose another agent",
        )
    try:
        return Replay(msgspec.convert(written, tuple[Action, ...]), Reference.name)
    except (msgspec.ValidationError, OverflowError, ValueError) as error:
        raise BadData(f"{task.id}: its {REFERENCE_ACTIONS} can't be read: {error}") from error
