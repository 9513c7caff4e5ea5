"""A recorded episode as key nodes see it: steps with their events, whoever recorded it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.common.demonstrated_task import performed
from webbench.benchmarks.webcanvas.acted import acted_event, element_references, has_element
from webbench.benchmarks.webcanvas.scoring.judge_replies import semantic_question
from webbench.benchmarks.webcanvas.scoring.key_nodes import Alternative, KeyNode
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PUBLISHED, Event
from webbench.benchmarks.webcanvas.scoring.outcomes import Outcome, Verdict, VerdictMissing
from webbench.benchmarks.webcanvas.scoring.progress import outcomes
from webbench.benchmarks.webcanvas.served_addresses import Addresses
from webbench.core.action.action import Action, Goto, NewTab, Select, Stop, Type, target_of, verb
from webbench.core.errors import WebbenchError
from webbench.core.json_types import Json
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory


class RecordedStep(msgspec.Struct, frozen=True, kw_only=True):
    """One action that had its effect.

    Attributes:
        number: of the action, from 1, as `Event.number` counts.
        index: of its step in the record.
        before, after: published addresses around it.
        html: of the page that it found, "" where it wasn't kept.
    """

    number: int
    index: int
    text: str
    action: Action
    before: str
    after: str
    title: str = ""
    html: str = ""

    @property
    def element(self) -> str:
        """Role and name of what the action is about, "" for an action on the page."""
        target = target_of(self.action)
        return f"{target.role or 'element'} “{target.name}”" if target is not None else ""

    @property
    def words(self) -> str:
        """The action for a reader: 'click link “Cart”', whatever language it was sent in."""
        if not self.element:
            return self.text or verb(self.action)
        if isinstance(self.action, Type):
            return f"type “{self.action.text}” into {self.element}"
        if isinstance(self.action, Select):
            return f"select “{', '.join(self.action.options)}” in {self.element}"
        return f"{verb(self.action)} {self.element}"

    @property
    def landing(self) -> Event:
        return Event(number=self.number, url=self.after)

    def event(self, references: Sequence[str] = ()) -> Event:
        """What the action acted on, held against these selectors."""
        return acted_event(self.action, self.number, self.before, self.html or None, references)


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """What an episode did.

    Attributes:
        episode: name of the record.
        start: published address of the first page.
        answer: what the actor said at the end.
    """

    episode: str
    start: str
    steps: tuple[RecordedStep, ...]
    answer: str = ""

    def actions(self) -> list[Json]:
        """What was done, as a task file keeps it, with the answer at the end."""
        done: list[Action] = [step.action for step in self.steps]
        return performed([*done, Stop(answer=self.answer)] if self.answer else done)

    def events(self, references: Sequence[str] = ()) -> list[Event]:
        """As the live stage would have noted them."""
        found = [Event(number=0, url=self.start)]
        for step in self.steps:
            if has_element(step.action):
                found.append(step.event(references))
            found.append(step.landing)
        if self.answer:
            found.append(Event(number=len(self.steps), url=found[-1].url, text=self.answer))
        return found

    def outcomes(
        self,
        nodes: Sequence[KeyNode],
        verdict: Verdict | None = None,
        alternatives: Sequence[Alternative] = (),
    ) -> list[Outcome]:
        """How far the recording reaches each node; semantic ones stay open where nobody judges."""
        every = (*nodes, *(node for one in alternatives for node in one.nodes))
        events = self.events(element_references(every))
        return outcomes(nodes, events, verdict or _nobody, PUBLISHED, alternatives)


def read_recording(trajectory: Trajectory, store: Store | None) -> Recording:
    """The actions of an episode that had their effect; pages where a store is given that holds them."""
    addresses = recorded_addresses(trajectory)
    steps: list[RecordedStep] = []
    seen, html, answer, start = "", "", "", None
    for step in trajectory.steps:
        url = addresses.published(step.url) if step.url else seen
        if start is None:
            start = url
        if isinstance(step.action, Stop):
            answer = step.action.answer
        elif step.action is not None and step.ok:
            steps.append(
                RecordedStep(
                    number=len(steps) + 1,
                    index=step.index,
                    text=step.text,
                    action=_with_published_address(step.action, addresses),
                    before=seen,
                    after=url,
                    title=step.title,
                    html=html,
                )
            )
        if step.url:
            seen = url
            html = _html(store, trajectory, step)
    return Recording(episode=trajectory.header.episode, start=start or "", steps=tuple(steps), answer=answer)


def recorded_addresses(trajectory: Trajectory) -> Addresses:
    """Where bundled sites answered when the episode was recorded."""
    for step in reversed(trajectory.steps):
        served = step.evidence.get("served")
        if isinstance(served, dict):
            return Addresses({str(written): str(now) for written, now in served.items()})
    return Addresses()


def _with_published_address(action: Action, addresses: Addresses) -> Action:
    """An action that names an address names the published one."""
    if isinstance(action, Goto | NewTab):
        return msgspec.structs.replace(action, url=addresses.published(action.url))
    return action


def _html(store: Store | None, trajectory: Trajectory, step: Step) -> str:
    if store is None or not step.html:
        return ""
    try:
        return store.html(trajectory, step)
    except WebbenchError:
        return ""


def _nobody(answer: str, requirement: str) -> float:
    raise VerdictMissing(semantic_question(answer, requirement))
