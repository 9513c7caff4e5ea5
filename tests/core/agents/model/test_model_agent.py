"""The plainest agent over a real endpoint: what it sends, what it makes of failures, options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.core.models.endpoint import Endpoint, called, refused, running_endpoint, said
from webbench.core.agent import Agent, AgentView, PastAction
from webbench.core.agents.agent_spec import create_agent
from webbench.core.agents.model.accepted_options import read_model_options
from webbench.core.agents.model.model_agent import OneCallOptions
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import AgentFailed, BadData, UsageError
from webbench.core.model_call import invalid_tries
from webbench.core.observation import AccessibilityNode, Dialog, Observation, Screenshot
from webbench.core.task import Task

TASK = Task(benchmark="demo", name="lamp", intent="Buy the lamp")
VIEW = AgentView(
    task=TASK,
    step=4,
    shown=3,
    dialect="webarena",
    observation=Observation(
        url="http://shop.test/",
        nodes=(
            AccessibilityNode(id=1, role="RootWebArea", name="Shop"),
            AccessibilityNode(id=7, role="button", name="Buy", depth=1, interactive=True),
        ),
    ),
    screenshot=Screenshot(b"\x89PNG", "png", 4, 2),
    history=(PastAction(text="click [3]"), PastAction(text="click [4]", error="it is covered")),
    rejected="click [9]: that is an advertisement",
)


@pytest.fixture(scope="module")
def running() -> Iterator[Endpoint]:
    with running_endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(running: Endpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Endpoint:
    for name in ("CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    running.requests.clear()
    return running


def an_agent(endpoint: Endpoint, words: str = "", seed: int = 0) -> Agent:
    spec = f"model model=m url={endpoint.url} retries=0 {words}"
    return create_agent(spec, AgentRequest(task=TASK, seed=seed))


async def test_what_it_sees_is_in_the_prompt(endpoint: Endpoint) -> None:
    endpoint.script = [said("The button.\n```\nclick [7]\n```")]
    agent = an_agent(endpoint, "history=2 picture=yes seed= stop='###|END'", seed=5)
    proposal = await agent.propose(VIEW)
    await agent.close()
    assert (proposal.text, proposal.reasoning, agent.name) == ("click [7]", "The button.", "model (m)")
    request = endpoint.requests[0]
    for text in (
        "TASK: Buy the lamp",
        "[7] button 'Buy'",
        "ACTION BEFORE: click [3]\nACTION BEFORE: click [4] (no effect: it is covered)",
        "YOUR LAST PROPOSAL: click [9]: that is an advertisement",
    ):
        assert text in request.prompt
    assert (request.body["seed"], request.body["stop"], len(request.pictures)) == (5, ["###", "END"], 1)
    assert proposal.calls[0].messages[-1].pictures[0].step == 3
    assert proposal.spent["prompt_tokens"] == 100


@pytest.mark.parametrize("observation", ["tree", "viewport", "dialect"])
async def test_a_dialog_is_told_however_the_page_is_written(endpoint: Endpoint, observation: str) -> None:
    endpoint.script = [said("```\ndialog [dismiss]\n```")]
    agent = an_agent(endpoint, f"observation={observation} observation_tokens=60")
    shown = msgspec.structs.replace(VIEW.observation, dialog=Dialog("confirm", "Really buy?"))
    await agent.propose(msgspec.structs.replace(VIEW, observation=shown))
    await agent.close()
    prompt = endpoint.requests[0].prompt
    assert "Dialog open: confirm 'Really buy?'" in prompt
    if observation != "dialect":
        assert "to dismiss: dialog [dismiss]" in prompt


async def test_the_page_as_html_with_the_ids_of_actions(endpoint: Endpoint) -> None:
    """WebArena's other observation; an episode that keeps no HTML is told, not passed over."""
    html = "<html><body><p>A lamp</p><button class=big>Buy</button><script>x()</script></body></html>"
    nodes = (VIEW.observation.nodes[0], msgspec.structs.replace(VIEW.observation.nodes[1], tag="button"))
    shown = msgspec.structs.replace(VIEW.observation, nodes=nodes)
    endpoint.script = [said("```stop```"), said("```stop```")]
    agent = an_agent(endpoint, "observation=html")
    await agent.propose(msgspec.structs.replace(VIEW, observation=shown, html=html))
    without = msgspec.structs.replace(VIEW, notices=[])
    await agent.propose(without)
    await agent.close()
    assert '[7] <button class="big">Buy</button>' in endpoint.requests[0].prompt
    assert "x()" not in endpoint.requests[0].prompt
    assert len(without.notices) == 1
    assert "this episode doesn't keep" in without.notices[0]


async def test_an_answer_by_a_tool(endpoint: Endpoint) -> None:
    endpoint.script = [called("act", action="click [7]", reasoning="The button.")]
    agent = an_agent(endpoint, "reply=tool")
    proposal = await agent.propose(VIEW)
    await agent.close()
    assert (proposal.text, proposal.reasoning) == ("click [7]", "The button.")
    assert endpoint.requests[0].body["tools"][0]["function"]["name"] == "act"


async def test_it_is_asked_again_until_a_reply_holds_an_action_of_the_language(endpoint: Endpoint) -> None:
    """WebArena's retry: what was no action costs no step and is kept; each try has a seed of its own."""
    endpoint.script = [said("Hm."), said("```fly [7]```"), said("```click [7]```")]
    agent = an_agent(endpoint, "tries=10 seed=5")
    proposal = await agent.propose(VIEW)
    await agent.close()
    assert (proposal.text, proposal.malformed) == ("click [7]", "")
    assert [(call.purpose, call.reply) for call in proposal.calls] == [
        ("", "Hm."),
        ("try 2", "```fly [7]```"),
        ("try 3", "```click [7]```"),
    ]
    assert [request.body["seed"] for request in endpoint.requests] == [5, 6, 7]
    assert invalid_tries(proposal.calls) == 2


async def test_after_the_last_try_it_is_an_invalid_action(endpoint: Endpoint) -> None:
    endpoint.script = [said("Hm."), said("```fly [7]```")]
    agent = an_agent(endpoint, "tries=2")
    proposal = await agent.propose(VIEW)
    await agent.close()
    assert (proposal.text, len(proposal.calls)) == ("fly [7]", 2)
    endpoint.script = [said("Hm.")]
    once = an_agent(endpoint)
    assert len((await once.propose(VIEW)).calls) == 1
    await once.close()


async def test_a_long_page_is_cut(endpoint: Endpoint) -> None:
    endpoint.script = [said("```stop```")]
    nodes = tuple(AccessibilityNode(id=n, role="link", name=f"Lamp number {n}") for n in range(500))
    agent = an_agent(endpoint, "observation=tree observation_tokens=100")
    await agent.propose(msgspec.structs.replace(VIEW, observation=Observation(nodes=nodes)))
    await agent.close()
    assert "the rest of the page is left out" in endpoint.requests[0].prompt
    assert "number 30" not in endpoint.requests[0].prompt


async def test_a_model_that_gives_nothing_fails_with_its_calls(endpoint: Endpoint) -> None:
    endpoint.script = [refused(401)]
    agent = an_agent(endpoint)
    with pytest.raises(AgentFailed, match="gave no reply: the endpoint answered 401") as caught:
        await agent.propose(VIEW)
    await agent.close()
    assert caught.value.calls[0].messages[-1].text.startswith("TASK: Buy the lamp")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("temprature=1", r"no option \"temprature=1\" \(did you mean temperature=…"),
        ("temperature=hot", "can't take temperature=hot"),
        ("temperature=3", "can't take temperature=3"),
        ("picture=maybe", "can't take picture=maybe"),
        ("reply=shouted", "can't take reply=shouted"),
        ("retries=-1", "can't take retries=-1"),
        ("picture", "no option"),
        ("url=ftp://x", "no address of an endpoint"),
        ("prompts=/not/there", "no folder of prompts /not/there"),
    ],
)
def test_wrong_options(word: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        create_agent(f"model model=m url=http://localhost:9/v1 {word}", AgentRequest(task=TASK))


def test_options() -> None:
    words = ["picture=on", "picture=no", "temperature=0.5", "temperature=", "verbs=click|stop", "model=7"]
    options = read_model_options("model", words, OneCallOptions)
    assert options == OneCallOptions(picture=False, verbs=("click", "stop"), model="7")


def test_a_folder_without_prompts_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "act.txt").write_text("=== user\nhello")
    with pytest.raises(UsageError, match="holds no prompt"):
        create_agent(f"model model=m url=http://localhost:9/v1 prompts={tmp_path}", AgentRequest(task=TASK))


def test_no_model_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("WEBBENCH_MODEL_NAME", raising=False)
    with pytest.raises(UsageError, match="No model is set"):
        create_agent("model", AgentRequest(task=TASK))


async def test_an_agent_for_another_language_says_so_before_it_asks(endpoint: Endpoint) -> None:
    agent = an_agent(endpoint, "verbs=click|stop")
    with pytest.raises(BadData, match='"browsergym" has no stop'):
        await agent.propose(msgspec.structs.replace(VIEW, dialect="browsergym"))
    await agent.close()
    assert not endpoint.requests


async def test_several_calls_give_candidates_to_pick_from(endpoint: Endpoint) -> None:
    replies = {
        7: "I don't know.",
        8: "Buy.\n```\nclick [7]\n```",
        9: "It.\n```\nclick [7]\n```",
        10: "Or.\n```\nstop []\n```",
    }
    agent = an_agent(endpoint, "candidates=5 seed=7")
    endpoint.answers = lambda it: (
        said(replies[it.body["seed"]]) if it.body["seed"] in replies else refused(400)
    )
    try:
        proposal = await agent.propose(VIEW)
    finally:
        endpoint.answers = None
    await agent.close()
    assert (proposal.text, proposal.reasoning, proposal.malformed) == ("click [7]", "Buy.", "")
    assert [(other.text, other.reasoning) for other in proposal.alternatives] == [("stop []", "Or.")]
    assert [bool(call.error) for call in proposal.calls] == [False] * 4 + [True], "what was paid for is kept"


async def test_candidates_that_are_all_unusable_are_one_malformed_reply(endpoint: Endpoint) -> None:
    endpoint.script = [said("Hm.")]
    agent = an_agent(endpoint, "candidates=2")
    proposal = await agent.propose(VIEW)
    await agent.close()
    assert ("no action" in proposal.malformed, proposal.alternatives, len(proposal.calls)) == (True, (), 2)
