"""BrowserGym's loop over our environment: an answer goes in as text, an `obs` comes out.

The answer is read, and the `obs` made, by the very code of agents in BrowserGym's style; only their process
is left out, which has tests of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from webbench.core.agent import AgentView
from webbench.core.agents.browsergym.agent_process import Conversation
from webbench.core.agents.browsergym.installed_agent import ForeignAgent, Loaded
from webbench.core.agents.browsergym.obs import Observer
from webbench.core.agents.browsergym.refused_call import why_refused
from webbench.core.agents.command.protocol import observation_line
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.dialects.dialect import ParseError, find_dialect
from webbench.core.environment import EnvironmentSetup
from webbench.core.json_types import JsonObject
from webbench.core.observation import Viewport
from webbench.core.task import Task

DIALECT = find_dialect("browsergym")
VERBS = frozenset(verb.form.partition("(")[0] for verb in DIALECT.verbs())
GOAL = "Do as the test says"
TASK = Task(benchmark="page", name="page", intent=GOAL)


class Element(NamedTuple):
    """An element of `dom_object`: its tag in lower case, its attributes, and the texts inside it."""

    tag: str
    attributes: dict[str, str]
    text: str
    document: int

    @property
    def bid(self) -> str:
        return self.attributes.get("bid", "")

    @property
    def checked(self) -> bool:
        return "checked" in self.attributes

    @property
    def value(self) -> str | None:
        return self.attributes.get("value")


class Scripted:
    """An agent that answers what it was told to."""

    answer = ""

    def get_action(self, obs: JsonObject) -> str:
        return self.answer


class Gym:
    """An environment as BrowserGym's agents know it."""

    def __init__(self, world: BrowserEnvironment) -> None:
        self.world = world
        self.obs: JsonObject = {}
        self._agent = Scripted()
        self._talk = self._talking()
        self._error = ""

    def _talking(self) -> Conversation:
        self._observer = Observer(GOAL)
        return Conversation(Loaded(cast("ForeignAgent", self._agent), None), self._observer, VERBS)

    def choose(self, *names: str, strict: bool = False, several: bool = True) -> None:
        """Have the agent an action set of these functions."""
        chosen = type("HighLevelActionSet", (), {})()
        vars(chosen).update(action_set=dict.fromkeys(names, "..."), strict=strict, multiaction=several)
        self._agent.action_set = chosen  # type: ignore[attr-defined]  # looked for where an agent has one
        self._talk = self._talking()

    async def reset(self, url: str, width: int = 1280, height: int = 720) -> JsonObject:
        self._error = ""
        await self.world.reset(EnvironmentSetup(start_urls=(url,), viewport=Viewport(width, height)))
        return await self._see("")

    async def step(self, answer: str) -> JsonObject:
        """Carry the answer out, one call after the other, until one has no effect."""
        self._agent.answer = answer
        line = await self._line()
        while True:
            said = self._talk.answer(line)
            self._error = said.get("malformed", "") or await self._carry_out(said["action"])
            if self._error or not self._talk._pending:
                break
            line = {**line, "last_action": said["action"], "last_error": ""}
        self._talk._pending.clear()
        return await self._see(answer)

    async def _carry_out(self, call: str) -> str:
        """Why the call has no effect, or ""."""
        action = DIALECT.parse(call)
        if isinstance(action, ParseError):
            return why_refused(call) or action.reason
        done = await self.world.act(action)
        return done.error

    async def _line(self, picture: bool = False) -> JsonObject:
        seen = await self.world.observe()
        shot = await self.world.screenshot() if picture else None
        view = AgentView(task=TASK, step=0, dialect="browsergym", observation=seen, screenshot=shot)
        return {**observation_line(view, screenshot=True), "last_error": self._error}

    async def _see(self, answer: str) -> JsonObject:
        self.obs = self._observer.obs(await self._line(picture=not answer), answer)
        return self.obs

    @property
    def error(self) -> str:
        return str(self.obs["last_action_error"])

    def elements(self) -> Iterator[Element]:
        """Those of all documents of `dom_object`, in the order of the documents."""
        strings = self.obs["dom_object"]["strings"]
        for number, document in enumerate(self.obs["dom_object"]["documents"]):
            nodes = document["nodes"]
            for place, kind in enumerate(nodes["nodeType"]):
                if kind == 1:
                    row = [strings[index] for index in nodes["attributes"][place]]
                    attributes = dict(zip(row[::2], row[1::2], strict=True))
                    tag = strings[nodes["nodeName"][place]].lower()
                    yield Element(tag, attributes, _text(nodes, strings, place), number)

    def find(self, tag: str, **wanted: str) -> Element:
        """The first element of this tag with these attributes."""
        for one in self.elements():
            if one.tag == tag and wanted.items() <= one.attributes.items():
                return one
        raise AssertionError(f"no <{tag}> with {wanted} in {[one[:2] for one in self.elements()]}")

    def centre(self, bid: str) -> tuple[float, float]:
        """The middle of an element's `bbox`, in CSS px of the viewport."""
        x, y, width, height = self.obs["extra_element_properties"][bid]["bbox"]
        return x + width / 2, y + height / 2

    def lines(self) -> list[str]:
        """Those of the tree's text, without indent and ids."""
        return [re.sub(r"^\s*(\[\w+\] )?", "", line) for line in self.obs["axtree_txt"].splitlines()]


def _text(nodes: JsonObject, strings: list[str], place: int) -> str:
    found: list[str] = []
    inside = {place}
    for index, parent in enumerate(nodes["parentIndex"]):
        if parent in inside:
            inside.add(index)
            if nodes["nodeType"][index] == 3:
                found.append(strings[nodes["nodeValue"][index]])
    return " ".join(found)


def roles(obs: JsonObject) -> list[Any]:
    return [node["role"]["value"] for node in obs["axtree_object"]["nodes"]]
