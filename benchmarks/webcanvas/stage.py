"""A WebCanvas task made live: what the key nodes need is noted before and after every action."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import msgspec

from webbench.benchmarks.common.blocked import PageSigns, Walls, read_signs
from webbench.benchmarks.webcanvas.acted import (
    AT_POINT,
    POINTED,
    acted_event,
    element_references,
    has_element,
    on_element,
    point_of,
)
from webbench.benchmarks.webcanvas.scoring.judge_replies import semantic_question
from webbench.benchmarks.webcanvas.scoring.key_nodes import (
    Alternative,
    KeyNode,
    is_recorded,
    task_alternatives,
    task_nodes,
)
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PUBLISHED, Event
from webbench.benchmarks.webcanvas.scoring.outcomes import VerdictMissing
from webbench.benchmarks.webcanvas.scoring.progress import outcomes
from webbench.benchmarks.webcanvas.scoring.urls import site_label
from webbench.benchmarks.webcanvas.served_addresses import Addresses
from webbench.core.action.action import Action, ClickAt, Stop
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment, EnvironmentSetup, StepResult, refuse_all
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.task import Task

READ_HTML = "() => document.documentElement.outerHTML"
ALL_REACHED = "every key node is reached"


class WebCanvasStage(Stage):
    """One episode's record of addresses, elements acted on, and walls that were met.

    Args:
        nodes: the task's key nodes.
        setup: how the browser opens it.
        hosts: names of the task's own sites.
        addresses: where bundled sites answer, by the address that the task file writes; events have the
            latter, so that they are the same wherever the sites are served.
        alternatives: other ways past the key nodes.
    """

    def __init__(
        self,
        nodes: Sequence[KeyNode],
        setup: EnvironmentSetup,
        hosts: Sequence[str] = (),
        addresses: Mapping[str, str] = {},
        alternatives: Sequence[Alternative] = (),
    ) -> None:
        self.nodes = tuple(nodes)
        self.alternatives = tuple(alternatives)
        looked_for = (*self.nodes, *(node for one in self.alternatives for node in one.nodes))
        self.setup = setup
        self.harmless = setup.request_filter is refuse_all
        self._labels = {site_label(f"https://{host}/") for host in hosts}
        self.addresses = Addresses(addresses)
        self._references = element_references(looked_for)
        self._reads_elements = any(node.target in ("path", "value") for node in looked_for)
        self._events: list[Event] = []
        self._walls = Walls(self._is_own)
        self._taken = 0
        self._stopped = False
        self._before: tuple[str, str | None] | None = None
        self._at_point: Json = None

    @classmethod
    def of(cls, task: Task, setup: EnvironmentSetup, addresses: Mapping[str, str] = {}) -> WebCanvasStage:
        """The stage of a task. Raises `BadData` where it has no key nodes and isn't being recorded."""
        recorded = is_recorded(task)
        nodes = () if recorded else task_nodes(task)
        alternatives = () if recorded else task_alternatives(task)
        return cls(nodes, setup, task.data.get("hosts", ()), addresses, alternatives)

    async def acting(self, environment: Environment, action: Action) -> None:
        self._stopped = isinstance(action, Stop)
        self._before, self._at_point = None, None
        signs = await read_signs(environment)
        if signs is None:
            return
        self._arrived(signs)
        html, point = None, point_of(action)
        if self._reads_elements and (point or has_element(action)):
            with contextlib.suppress(EnvironmentDown):
                html = str(await environment.probe(READ_HTML))
                self._at_point = await environment.probe(AT_POINT, list(point)) if point else None
        self._before = signs.url, html

    async def acted(self, environment: Environment, result: StepResult) -> None:
        self._taken += 1
        if self._before is not None:
            url, html = self._before
            action = await self._on_element(environment, result.action)
            event = await asyncio.to_thread(self._event, action, url, html)
            if event.path is not None and result.ok:
                self._events.append(event)
        signs = await read_signs(environment)
        if signs is not None:
            self._arrived(signs)
            self._walls.stepped(signs)

    async def _on_element(self, environment: Environment, action: Action) -> Action:
        """An action at a point, or where the focus is, as one on its element; any other as it is."""
        found = self._at_point
        if found is None:
            return action
        if isinstance(action, ClickAt):
            with contextlib.suppress(EnvironmentDown):
                found = await environment.probe(POINTED) or found
        return on_element(action, found)

    def _event(self, action: Action, url: str, html: str | None) -> Event:
        return acted_event(action, self._taken, self.addresses.published(url), html, self._references)

    def _arrived(self, signs: PageSigns) -> None:
        """Note the page in front; nothing is noted twice for one step."""
        event = Event(url=self.addresses.published(signs.url), number=self._taken)
        last = self._events[-1] if self._events else None
        if last is None or (last.number, last.url, last.path) != (event.number, event.url, None):
            self._events.append(event)
        self._walls.arrived(signs, urlsplit(str(event.url)).netloc, str(event.url))

    @property
    def wall(self) -> str:
        """The wall that keeps the task from being done, "" where none does; see `Walls`."""
        return self._walls.wall

    def _is_own(self, host: str) -> bool:
        """Whether the host is one of the task's; every one is, where the task names none."""
        return bool(host) and (not self._labels or site_label(f"https://{host}/") in self._labels)

    async def evidence(self, environment: Environment, answer: str) -> JsonObject:
        """What has happened so far, with the page as it is now."""
        signs = await read_signs(environment)
        if signs is not None:
            self._arrived(signs)
        events = [*self._events]
        if answer:
            events.append(Event(number=self._taken, url=events[-1].url if events else "", text=answer))
        served = {"served": self.addresses.by_published} if self.addresses.by_published else {}
        return {
            **served,
            "steps": [_compact(event) for event in events],
            "taken": self._taken,
            "signal": self._stopped,
            "wall": self.wall,
        }

    async def ended(self, observation: Observation) -> str:
        if self._walls.over:
            return self._walls.over
        return ALL_REACHED if self._all_reached() else ""

    def _all_reached(self) -> bool:
        """As far as rules can tell: the framework stops then, too."""

        def unasked(answer: str, requirement: str) -> float:
            raise VerdictMissing(semantic_question(answer, requirement))

        found = outcomes(self.nodes, self._events, unasked, PUBLISHED, self.alternatives)
        return bool(found) and all(one.value >= 1 for one in found)


def _compact(event: Event) -> JsonObject:
    return {name: value for name, value in msgspec.to_builtins(event).items() if value is not None}
