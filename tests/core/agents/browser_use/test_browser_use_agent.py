"""browser-use plays: by its own package where a Python has it, and what is told where it can't."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import webbench
from tests.core.exchange.round_trip import folders
from tests.core.exchange.test_official_readers import python_with
from tests.core.models.endpoint import Answer, Endpoint, Request, running_endpoint, said
from webbench.core.action.action import Click, Goto, Noop, Stop
from webbench.core.agent import AgentView, DevTools
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import AgentFailed, UsageError
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.observation import Observation
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import Trajectory

TASK = Task(benchmark="demo", name="lamp", intent="Buy the lamp")
REQUEST = AgentRequest(task=TASK)
NOWHERE = DevTools(address="http://127.0.0.1:9", target="T")
SPEC = "browser-use model=m url=http://127.0.0.1:9/v1"


def test_what_has_no_effect_on_it_and_a_python_that_is_not_there_are_refused() -> None:
    with pytest.raises(UsageError, match="stop has no effect on browser-use"):
        create_agent(f"{SPEC} stop=END", REQUEST)
    with pytest.raises(UsageError, match='no Python "/no/python"'):
        create_agent(f"{SPEC} python=/no/python", REQUEST)
    assert create_agent(SPEC, REQUEST).name == "browser-use (m)"


async def test_a_browser_that_cant_be_joined_is_told() -> None:
    agent = create_agent(SPEC, REQUEST)
    with pytest.raises(AgentFailed, match="needs a browser of its own"):
        await agent.propose(AgentView(task=TASK, step=1, observation=Observation()))


async def test_a_python_without_the_package_is_told_with_what_to_do() -> None:
    if find_spec("browser_use") is not None:
        pytest.skip("browser_use is installed here")
    agent = create_agent(f"{SPEC} python={sys.executable}", REQUEST)
    view = AgentView(task=TASK, step=1, observation=Observation(), devtools=NOWHERE)
    with pytest.raises(AgentFailed, match=r"can't be imported by .*pip install browser-use"):
        await agent.propose(view)
    await agent.close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running_endpoint() as running:
        yield running


Play = Callable[..., Trajectory]


@pytest.fixture
def play(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """The real agent on a task, whose model says these actions, a list for each step of its own."""
    python = python_with("browser_use")
    monkeypatch.setenv("WEBBENCH_PRICES_M", "2.0 10.0")

    def played(task: str, *steps: list[dict[str, Any]], **more: Any) -> Trajectory:
        left = list(steps)

        def answer(request: Request) -> Answer:
            if "response_format" not in request.body:
                return said("It costs a lot.", prompt_tokens=1000, completion_tokens=100)
            thoughts = {"thinking": "so", "evaluation_previous_goal": "", "memory": "", "next_goal": "on"}
            actions = [_placed(one, request.prompt) for one in (left.pop(0) if len(left) > 1 else left[0])]
            text = json.dumps({**thoughts, "action": actions})
            return said(text, prompt_tokens=1000, completion_tokens=100)

        endpoint.answers = answer
        agent = f"browser-use model=m url={endpoint.url} python={python} wait=120"
        return webbench.play(task, agent, store=tmp_path / "store", **more)

    return played


def _placed(action: dict[str, Any], prompt: str) -> dict[str, Any]:
    """With the number that the page's text has before these words in place of `of`."""
    (name, arguments), *_ = action.items()
    if "of" not in arguments:
        return action
    before = prompt.rpartition("<browser_state>")[2].partition(arguments["of"])[0]
    number = int(re.findall(r"\[(\d+)\]<", before)[-1])
    return {name: {key: one for key, one in arguments.items() if key != "of"} | {"index": number}}


@pytest.mark.thorough
def test_each_of_its_actions_is_a_step_and_its_answer_is_scored(play: Play, tmp_path: Path) -> None:
    played = play(
        "demo/price-of-lantern",
        [{"click": {"of": "Fyr Storm Lantern"}}],
        [{"extract": {"query": "the price"}}],
        [{"done": {"text": "$64.00", "success": True}}],
    )
    acted = [step for step in played.steps if step.acted]
    assert [type(step.action) for step in acted] == [Click, Noop, Stop]
    click, extract, stop = acted
    assert isinstance(click.action, Click)
    assert click.action.target is not None
    assert (click.action.target.id is None, click.action.target.name) == (False, "Fyr Storm Lantern")
    assert "product/fyr-storm-lantern" in click.url
    assert click.reasoning.startswith("so")
    assert "It costs a lot." in extract.output
    assert (stop.usage["calls"], stop.usage["cost"]) == (2, pytest.approx(2 * 0.003))
    assert [step.note for step in played.steps if "extract" in step.note]
    assert "drove the browser by itself" in played.header.agent_reach
    assert played.header.score is not None

    store = Store(tmp_path / "store")
    own = store.root / played.header.run / played.header.episode / "files" / "browser-use-history.json"
    theirs = Store(tmp_path / "theirs")
    list(bring_in(own, known_formats(), theirs))
    (folder,) = folders(theirs)
    actions = [step.action for step in theirs.load(folder).steps if step.acted]
    assert [type(action) for action in actions] == [Click, type(None), Stop]


@pytest.mark.thorough
def test_what_the_guard_stops_is_not_done_and_the_model_is_told(
    play: Play, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_GUARD_ACTIONS", "on")
    played = play(
        "demo/open-product",
        [{"navigate": {"url": "http://elsewhere.test/buy"}}],
        [{"done": {"text": "", "success": False}}],
    )
    (goto, _stop) = [step for step in played.steps if step.acted]
    assert isinstance(goto.action, Goto)
    assert not goto.ok
    assert "it was not done: " in endpoint.requests[-1].prompt
