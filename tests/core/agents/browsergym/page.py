"""A page as an observation of ours, and as the line that a program gets of it."""

from __future__ import annotations

import msgspec

from webbench.core.agent import AgentView
from webbench.core.agents.command.protocol import observation_line
from webbench.core.json_types import JsonObject
from webbench.core.observation import AccessibilityNode, Box, Observation, Screenshot, Tab, Viewport
from webbench.core.task import Task

TASK = Task(benchmark="demo", name="form", intent="Tick them", gold={"answer": "secret-gold"})
NODES = (
    AccessibilityNode(id=1, role="RootWebArea", name="Form", box=Box(0, 0, 1280, 3000)),
    AccessibilityNode(id=2, role="heading", name="Boxes", depth=1, tag="h1", box=Box(10, 10, 100, 20)),
    AccessibilityNode(id=3, role="StaticText", name="Boxes", depth=2, box=Box(10, 10, 50, 20)),
    AccessibilityNode(
        id=4,
        role="checkbox",
        name="First",
        depth=1,
        tag="input",
        interactive=True,
        states={"checked": False},
        attributes={"name": "a", "type": "checkbox"},
        box=Box(10, 710, 20, 20),
    ),
    AccessibilityNode(id=5, role="generic", depth=1, box=Box(0, 40, 10, 10)),
    AccessibilityNode(
        id=6,
        role="textbox",
        name="Name",
        value="x<y",
        depth=2,
        tag="input",
        interactive=True,
        box=Box(0, 40, 4, 4),
    ),
    AccessibilityNode(
        id=7,
        role="link",
        name="Far",
        depth=1,
        tag="a",
        interactive=True,
        offscreen=True,
        box=Box(0, 2000, 9, 9),
    ),
)
PAGE = Observation(
    url="http://e.org/form",
    title="Form",
    tabs=(Tab(0, "Other", "http://e.org/"), Tab(1, "Form", "http://e.org/form", active=True)),
    nodes=NODES,
    viewport=Viewport(1280, 720, 0.0, 0.0),
    focused=6,
)


def view(page: Observation = PAGE, **more: object) -> AgentView:
    """What an agent sees of it in an episode of the demo's language."""
    seen = AgentView(task=TASK, step=0, dialect="webarena", observation=page)
    return msgspec.structs.replace(seen, **more)


def line(page: Observation = PAGE, picture: Screenshot | None = None, **more: object) -> JsonObject:
    """The same as a program gets it in BrowserGym's language."""
    seen = view(page, dialect="browsergym", screenshot=picture, **more)
    return observation_line(seen, screenshot=True)
