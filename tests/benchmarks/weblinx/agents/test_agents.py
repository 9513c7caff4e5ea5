"""WebLINX' zero-shot agent on the bundled dialogue, over a scripted model; truncation; reading of replies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.core.models.conversation import conversation
from tests.core.models.endpoint import refused, running_endpoint, said
from webbench.benchmarks.weblinx.agents.pruned_tree import lines_around
from webbench.benchmarks.weblinx.agents.zero_shot import ZeroShotOptions, read_prediction, turn_fields
from webbench.benchmarks.weblinx.benchmark import create
from webbench.core.agent import AgentView
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.errors import AgentFailed
from webbench.core.model_call import ModelCall
from webbench.core.models.tokens import token_count
from webbench.core.observation import AccessibilityNode, Candidate, DialogueTurn, Observation
from webbench.core.store.store import Store

PAGE = Observation(
    nodes=(
        AccessibilityNode(id=1, role="RootWebArea", name="Shop"),
        AccessibilityNode(id=2, role="banner", depth=1),
        AccessibilityNode(id=3, role="link", name="Home", depth=2),
        AccessibilityNode(id=4, role="main", depth=1),
        AccessibilityNode(id=5, role="link", name="Mug", depth=2),
        AccessibilityNode(id=6, role="StaticText", name="Mug", depth=3),
        *(AccessibilityNode(id=10 + n, role="link", name=f"Lamp {n}", depth=2) for n in range(6)),
    ),
    candidates=(Candidate(node=5, score=1.0, text="a Mug"),),
)


async def test_turns_are_predicted_one_by_one(tmp_path: Path) -> None:
    benchmark = create()
    task = benchmark.tasks("shop-talk")[0]
    with conversation("mugtrip") as (endpoint, script):
        async with Engine(Store(tmp_path)) as engine:
            run = engine.store.start_run(benchmark="weblinx", agent="weblinx-zero-shot", planned=1)
            async with engine.episode(EpisodeRequest(benchmark=benchmark, task=task, run=run)) as episode:
                await episode.start()
                for count in (4, 1, 2):  # made anew within the tries of one turn
                    agent = make_agent(f"weblinx-zero-shot model=m url={endpoint.url}", benchmark, task)
                    await agent_turns.run(episode, agent, steps=count)
                    await agent.close()
            steps = engine.store.load(episode.header.episode).steps
    assert (script.faults, script.left) == ([], 0)
    acted = [step for step in steps if step.actor == "agent"]
    assert [step.ok for step in acted] == [True, True, True, False, False, True, True]
    assert acted[3].error.startswith("not an action: the reply begins with no call")
    assert acted[4].text == "submit(uid=999999)"
    assert (acted[5].text, acted[5].calls) == ("copy()", ()), "given up after two tries"
    assert acted[5].output.startswith("turn ")
    assert [check.value for check in (episode.score.checks[-1], episode.score.checks[-2])] == [1.0, 1.0]


def test_the_part_of_a_page_around_its_candidates() -> None:
    shown = [line.strip() for line in lines_around(PAGE, 700)]
    assert shown == [
        "[1] RootWebArea 'Shop'",
        "[4] main",
        "[5] link 'Mug'",
        "[6] StaticText 'Mug'",
        "[10] link 'Lamp 0'",
        "[11] link 'Lamp 1'",
        "[12] link 'Lamp 2'",
    ]


def test_a_page_that_is_too_large_loses_texts_and_then_lines_but_no_half_of_an_id() -> None:
    nodes = (
        AccessibilityNode(id=1, role="RootWebArea", name="Shop"),
        *(AccessibilityNode(id=1000 + n, role="generic", depth=1 + n) for n in range(40)),
        AccessibilityNode(id=2000, role="link", name="Buy this mug today " * 20, depth=50),
        AccessibilityNode(id=3000, role="link", name="Home", depth=50),
    )
    page = Observation(nodes=nodes, candidates=(Candidate(node=2000, score=1.0, text="a"),))
    wide, narrow = lines_around(page, 600), lines_around(page, 60)
    assert len(wide) == len(nodes), "texts alone are cut"
    for lines, most in ((wide, 600), (narrow, 60)):
        assert token_count("\n".join(lines).replace("\n", "")) <= most
        assert all(re.match(r" *\[\d+\] (RootWebArea|generic|link)", line) for line in lines)
    told = [line.strip() for line in narrow]
    assert (told[0], told[-1]) == ("[1] RootWebArea 'Shop'", "[3000] link 'Home'")
    assert told[-2].startswith("[2000] link 'Buy this")
    assert sum("generic" in line for line in told) < 10


def test_each_part_keeps_its_budget() -> None:
    told = "I would like to have the red one, please. " * 40
    turns = tuple(
        DialogueTurn(index=n, speaker="instructor" if n % 2 else "navigator", text=told[: 60 * n])
        for n in range(12)
    )
    fields = turn_fields(Observation(dialogue=turns, candidates=PAGE.candidates), ZeroShotOptions())
    utterances, history = fields["utterances"], fields["turns"]
    assert isinstance(utterances, list)
    assert isinstance(history, list)
    assert 150 < token_count("".join(utterances)) <= 200
    assert token_count("".join(history)) <= 250
    assert len(history) == 5
    assert utterances[0] == f"[00:00] {told[:60]}".strip(), "what is short stays whole"


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('click(uid="12")', "click(uid=12)"),
        ('Sure! click(uid="ab-12")', 'click(uid="ab-12")'),
        ('text_input(uid=3, text="12")', 'textinput(uid=3, text="12")'),
        ('say(speaker="navigator", utterance="a, b (c)")', 'say(speaker="navigator", utterance="a, b (c)")'),
    ],
)
def test_replies(reply: str, text: str) -> None:
    assert read_prediction(ModelCall(model="m", reply=reply)).text == text


@pytest.mark.parametrize(
    "reply", ["", "I click it.", "maybe (yes) click(uid=1)", "jump(uid=1)", "click(uid=²)"]
)
def test_replies_without_an_action(reply: str) -> None:
    reading = read_prediction(ModelCall(model="m", reply=reply, finish="length"))
    assert reading.malformed
    assert "cut off" in reading.malformed
    assert reading.text == reply


async def test_a_turn_is_not_given_up_for_calls_that_failed() -> None:
    task = create().tasks("shop-talk")[0]
    turn = AgentView(task=task, step=1, dialect="weblinx", observation=PAGE)
    with running_endpoint() as endpoint:
        endpoint.script = [refused(400), refused(400), refused(400), said("click(uid=5)")]
        spec = f"weblinx-zero-shot model=m url={endpoint.url} retries=0"
        agent = create_agent(spec, AgentRequest(task=task))
        for _ in range(3):
            with pytest.raises(AgentFailed):
                await agent.propose(turn)
        proposals = [(await agent.propose(turn)).text for _ in range(3)]
        await agent.close()
    assert proposals == ["click(uid=5)", "click(uid=5)", "copy()"]
