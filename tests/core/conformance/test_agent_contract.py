"""Faults planted into an agent are found, each by its own rule."""

from __future__ import annotations

from typing import Any

import pytest

from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.do_nothing import create as do_nothing
from webbench.core.agents.random import create as at_random
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.conformance import agent_contract
from webbench.core.conformance.rule import Finding, Ledger
from webbench.core.errors import UsageError
from webbench.core.plugins import entry_points


class Good:
    name = "good"

    def __init__(self) -> None:
        self.closed = 0

    async def propose(self, view: AgentView) -> Proposal:
        return Proposal(action=Stop(), state={"seen": view.step})

    async def close(self) -> None:
        self.closed += 1


class Babbling(Good):
    async def propose(self, view: AgentView) -> Proposal:
        return Proposal(text="I would rather not")


class Empty(Good):
    async def propose(self, view: AgentView) -> Proposal:
        return Proposal()


class Fragile(Good):
    async def propose(self, view: AgentView) -> Proposal:
        return Proposal(action=Click(target=ElementRef(id=view.observation.nodes[1].id)))


class Hasty(Good):
    async def propose(self, view: AgentView) -> Proposal:
        if view.left:
            return Proposal(action=Stop(answer=str(1 / view.left["steps"])))
        return Proposal(action=Stop())


class Trusting(Good):
    async def propose(self, view: AgentView) -> Proposal:
        kept = view.kept.get(self.name)
        return Proposal(action=Stop(answer=str(kept.state["plan"]) if kept else ""), state={"plan": 1})


class Unwritable(Good):
    async def propose(self, view: AgentView) -> Proposal:
        return Proposal(action=Stop(), state={"plan": object()})


class Meddling(Good):
    async def propose(self, view: AgentView) -> Proposal:
        view.task.gold["answer"] = "mine"
        return Proposal(action=Stop())


class Once(Good):
    async def close(self) -> None:
        await super().close()
        if self.closed > 1:
            raise RuntimeError("closed already")


class Wrong(Good):
    async def propose(self, view: AgentView) -> Any:
        return "click [7]"


async def broken(monkeypatch: pytest.MonkeyPatch, create: Any) -> dict[str, str]:
    told: list[Finding] = []
    monkeypatch.setattr(entry_points, "load", lambda group: {"mine": lambda: create})
    await agent_contract.check("mine", Ledger("agents", "mine", told.append))
    return {one.rule.removeprefix("agent-"): one.state for one in told if one.state != "kept"}


@pytest.mark.parametrize(
    ("agent", "rules"),
    [
        (Good, set()),
        (Babbling, {"answers", "leaves-the-view", "survives-trouble", "last-step", "state"}),
        (Empty, {"answers", "leaves-the-view", "survives-trouble", "last-step", "state"}),
        (Wrong, {"answers", "leaves-the-view", "survives-trouble", "last-step", "state"}),
        (Fragile, {"survives-trouble"}),
        (Hasty, {"last-step"}),
        (Trusting, {"state"}),
        (Unwritable, {"state"}),
        (Meddling, {"leaves-the-view"}),
        (Once, {"close"}),
    ],
)
async def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, agent: type[Good], rules: set[str]
) -> None:
    assert set(await broken(monkeypatch, lambda request: agent())) == rules


async def test_what_is_no_agent_and_what_needs_options_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await broken(monkeypatch, 3) == {"made": "broken"}

    def wants_options(request: AgentRequest) -> Good:
        raise UsageError("It needs a model", "model=NAME")

    assert await broken(monkeypatch, wants_options) == {"made": "left out"}


async def test_our_own_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await broken(monkeypatch, do_nothing) == {}
    assert await broken(monkeypatch, at_random) == {}
