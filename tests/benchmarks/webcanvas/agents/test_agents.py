"""WebCanvas' agent: its modules, each by itself and in an episode over a scripted model."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.core.models.conversation import conversation
from tests.core.models.endpoint import Endpoint, refused, running_endpoint, said
from webbench.benchmarks.webcanvas.agents.golden import in_words
from webbench.benchmarks.webcanvas.agents.modular import controls_of
from webbench.benchmarks.webcanvas.agents.reward import Verdict, read_verdict
from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode
from webbench.core.action.action import Stop
from webbench.core.agent import Agent, AgentView, Kept, PastAction
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.launch import Browser
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import AgentFailed, UsageError
from webbench.core.observation import AccessibilityNode, Box, Observation
from webbench.core.store.store import Store
from webbench.core.task import Task

TASK = "a-book-about-birds"
ACT = said("The link leads on.\n```\nclick [7]\n```")
DOING = said('{"status": "doing", "score": 0.2, "reason": "nothing is open yet"}')


@pytest.mark.browser
async def test_an_episode_ends_when_the_reward_module_holds_it_finished(
    chromium: Browser, tmp_path: Path
) -> None:
    benchmark = find_benchmark("webcanvas")
    (task,) = benchmark.tasks(names=(TASK,))
    with conversation("birds") as (endpoint, script):
        async with Engine(Store(tmp_path), browser=chromium) as engine:
            run = engine.store.start_run(benchmark="webcanvas", agent="webcanvas-golden-reward", planned=1)
            agent = make_agent(f"webcanvas-golden-reward model=m url={endpoint.url}", benchmark, task)
            request = EpisodeRequest(
                benchmark=benchmark,
                task=task,
                run=run,
                actor=agent.name,
                options=EpisodeOptions(html=False, live_score=False),
            )
            async with engine.episode(request) as episode:
                await episode.start()
                await agent_turns.run(episode, agent)
            await agent.close()
            recorded = engine.store.load(episode.header.episode)
    assert (script.faults, script.left) == ([], 0)
    assert recorded.header.score is not None
    assert recorded.header.score.reason == "a judge has to answer for 2 of 3 key nodes", (
        "what it reached counts"
    )
    assert recorded.header.actor == "webcanvas-golden-reward (m) (shown the key nodes)"
    assert [[call.purpose for call in step.calls] for step in recorded.steps[1:]] == [
        ["act"],
        ["reward", "act"],
        ["reward"],
    ]
    golden = recorded.steps[2].calls[0].messages[0].text
    assert "Every way of doing this task passes these states" in golden
    assert "Every way" not in recorded.steps[2].calls[1].messages[0].text, "only the reward module is told"
    assert "finished" in recorded.steps[3].reasoning


def view(steps: int) -> AgentView:
    (task,) = find_benchmark("webcanvas").tasks(names=(TASK,))
    shown = Observation(
        url="http://www.tidewater.example/",
        nodes=(
            AccessibilityNode(id=1, role="RootWebArea", name="Library"),
            AccessibilityNode(id=5, role="StaticText", name="Open till six", depth=1, box=Box(0, 0, 9, 9)),
            AccessibilityNode(
                id=7, role="link", name="Catalogue", depth=1, interactive=True, box=Box(0, 9, 9, 9)
            ),
        ),
    )
    done = tuple(PastAction(text=f"click [{at}]") for at in range(steps))
    return AgentView(task=task, step=steps, observation=shown, history=done, dialect="webarena")


def agent(endpoint: Endpoint, preset: str) -> Agent:
    benchmark = find_benchmark("webcanvas")
    (task,) = benchmark.tasks(names=(TASK,))
    spec = f"{preset} model=m url={endpoint.url} retries=0"
    return create_agent(spec, AgentRequest(task=task, benchmark=benchmark))


async def asked(preset: str) -> list[str]:
    """The prompts of the agent's second step: those of its modules."""
    with running_endpoint() as endpoint:
        endpoint.script = [ACT, *([] if preset == "webcanvas-no-reward" else [DOING]), ACT, ACT]
        one = agent(endpoint, preset)
        await one.propose(view(0))
        await one.propose(view(1))
        await one.close()
        return [request.prompt for request in endpoint.requests[1:]]


async def test_each_module_can_be_switched_off() -> None:
    reward, act = await asked("webcanvas-all")
    assert "Open till six" in reward
    assert "Open till six" in act
    assert "YOUR PLAN: The link leads on." in act
    assert "HOW FAR IT IS: doing, 0.20 of 1: nothing is open yet" in act
    (alone,) = await asked("webcanvas-no-reward")
    assert "HOW FAR" not in alone
    _, blind = await asked("webcanvas-no-observation")
    assert "Open till six" not in blind
    assert "WHAT CAN BE ACTED ON:\n[7] link 'Catalogue'" in blind
    _, unplanned = await asked("webcanvas-no-planning")
    assert "The link leads on." not in unplanned


async def test_the_reward_module_asks_a_model_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Calls of both stay in their order, also of a turn that fails; no key goes to the other one's host."""
    monkeypatch.setenv("WEBBENCH_MODEL_KEY", "planning-key")
    file = tmp_path / "key"
    file.write_text("reward-key\n")
    with running_endpoint() as plans, running_endpoint() as judges:
        plans.script = [ACT, ACT, refused(500), ACT, ACT]
        judges.script = [DOING, DOING, DOING]
        with_key = agent(
            plans, f"webcanvas-all reward_model=j reward_url={judges.url} reward_key_file={file}"
        )
        assert with_key.name == "webcanvas-all (m) (reward by j)"
        await with_key.propose(view(0))
        second = await with_key.propose(view(1))
        assert [(call.purpose, call.model) for call in second.calls] == [("reward", "j"), ("act", "m")]
        with pytest.raises(AgentFailed) as failed:
            await with_key.propose(view(2))
        assert [call.purpose for call in failed.value.calls] == ["reward", "act"]
        await with_key.close()
        without = agent(plans, f"webcanvas-all reward_model=j reward_url={judges.url}")
        await without.propose(view(0))
        await without.propose(view(1))
        await without.close()
    assert {request.key for request in plans.requests} == {"planning-key"}
    assert [request.key for request in judges.requests] == ["reward-key"] * 2 + [""]
    assert {request.body["model"] for request in judges.requests} == {"j"}


def test_a_reward_model_without_the_reward_module_is_refused() -> None:
    with running_endpoint() as endpoint, pytest.raises(UsageError, match="the reward module is off"):
        agent(endpoint, "webcanvas-no-reward reward_model=j")


async def test_one_that_is_made_anew_has_plan_thoughts_and_verdicts() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [ACT, DOING, said("So to the list.\n```\nclick [7]\n```"), DOING, ACT]
        before = agent(endpoint, "webcanvas-all")
        first = await before.propose(view(0))
        done = await before.propose(msgspec.structs.replace(view(1), last_proposal=first))
        await before.close()
        anew = agent(endpoint, "webcanvas-all")
        kept = {anew.name: Kept(state=done.state, action=1)}
        await anew.propose(msgspec.structs.replace(view(2), last_proposal=done, kept=kept))
        await anew.close()
    verdict = "[doing, 0.20 of 1: nothing is open yet]"
    told = (
        f"YOUR PLAN: So to the list.\nDONE SO FAR:\n- click [0] {verdict}\n  thought: The link leads on.\n"
        f"- click [1] {verdict}\n  thought: So to the list.\n"
    )
    assert told in endpoint.requests[-1].prompt


async def test_actions_are_remembered_in_words_and_those_of_no_use_not_offered() -> None:
    past = PastAction(text="click [7]", words='click link "Catalogue"')
    with running_endpoint() as endpoint:
        endpoint.script = [DOING, ACT, ACT]
        blind, seeing = agent(endpoint, "webcanvas-all"), agent(endpoint, "webcanvas-no-reward picture=yes")
        for one in (blind, seeing):
            await one.propose(msgspec.structs.replace(view(1), history=(past,)))
            await one.close()
        reward, act, with_picture = endpoint.requests
    assert all('- click link "Catalogue"' in request.prompt for request in (reward, act))
    told = [request.body["messages"][0]["content"] for request in (act, with_picture)]
    assert not any("get_html" in text or "screenshot:" in text for text in told)
    for verb in ("click_at", "click_in"):
        assert [verb in text for text in told] == [False, True]


@pytest.mark.parametrize(
    ("node", "told"),
    [
        (
            KeyNode(match_function="url_included_match", reference_answer="a.test/x", key=""),
            "the address holds a.test/x",
        ),
        (
            KeyNode(match_function="url_exactly_match", reference_answer="sunday", key="day"),
            'the parameter "day" of the address is sunday',
        ),
        (
            KeyNode(match_function="element_value_exactly_match", reference_answer="5"),
            "the value of a field or element is 5",
        ),
        (
            KeyNode(match_function="element_value_exactly_match", reference_answer="5", path="#n"),
            "the value of the element #n is 5",
        ),
    ],
)
def test_key_nodes_are_told_with_what_they_look_at(node: KeyNode, told: str) -> None:
    assert in_words(node) == told


def test_controls_are_told_with_what_stands_in_them() -> None:
    box = AccessibilityNode(id=3, role="textbox", name="Name", value="Ada", interactive=True)
    button = AccessibilityNode(id=4, role="button", name="Go", interactive=True)
    below = AccessibilityNode(id=5, role="button", name="Help", interactive=True, offscreen=True)
    lines = controls_of(Observation(nodes=(box, button, below)))
    assert lines == ["[3] textbox 'Name' = 'Ada'", "[4] button 'Go'"]


async def test_without_memory_only_the_last_action_is_told() -> None:
    told = {}
    for preset in ("webcanvas-all", "webcanvas-no-memory"):
        with running_endpoint() as endpoint:
            endpoint.script = [ACT, DOING, ACT, DOING, ACT]
            one = agent(endpoint, preset)
            for steps in range(3):
                await one.propose(view(steps))
            await one.close()
            told[preset] = [
                text for text in ("click [0]", "click [1]") if text in endpoint.requests[-1].prompt
            ]
    assert told == {"webcanvas-all": ["click [0]", "click [1]"], "webcanvas-no-memory": ["click [1]"]}


async def test_each_action_is_remembered_once_whoever_did_it_and_however_often_it_is_asked() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [refused(400), ACT, ACT]
        one = agent(endpoint, "webcanvas-no-reward")
        with pytest.raises(AgentFailed):
            await one.propose(view(1))
        await one.propose(view(1))
        await one.propose(view(3))
        await one.close()
    prompts = [request.prompt for request in endpoint.requests[1:]]
    assert [[prompt.count(f"- click [{at}]") for at in range(3)] for prompt in prompts] == [
        [1, 0, 0],
        [1, 1, 1],
    ]


async def test_what_a_model_reasons_beside_its_reply_is_not_told_it_again() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [said("On.\n```\nclick [7]\n```", reasoning_content="hm " * 99), ACT]
        one = agent(endpoint, "webcanvas-no-reward")
        first = await one.propose(view(0))
        await one.propose(msgspec.structs.replace(view(1), last_proposal=first))
        await one.close()
    assert "hm hm" in first.reasoning
    assert "YOUR PLAN: On.\n" in endpoint.requests[1].prompt
    assert "hm hm" not in endpoint.requests[1].prompt


def test_key_nodes_that_nobody_knows_are_not_said_to_be_shown() -> None:
    task = Task(benchmark="webcanvas", name="unknown")
    preset = "webcanvas-golden-reward model=m url=http://localhost:9/v1"
    assert create_agent(preset, AgentRequest(task=task)).name == "webcanvas-golden-reward (m)"
    with pytest.raises(UsageError, match="has no key nodes"):
        create_agent(preset, AgentRequest(task=task, benchmark=find_benchmark("webcanvas")))


async def test_it_stops_after_one_and_a_half_times_the_annotated_length() -> None:
    (task,) = find_benchmark("webcanvas").tasks(names=(TASK,))
    most = -int(-1.5 * task.gold["reference_length"] // 1)
    with running_endpoint() as endpoint:
        endpoint.script = [ACT]
        one = agent(endpoint, "webcanvas-no-reward")
        going_on = await one.propose(view(most - 1))
        over = await one.propose(view(most))
        await one.close()
    assert (going_on.text, over.action) == ("click [7]", Stop())
    assert f"{most} actions" in over.reasoning


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ('{"status": "loop", "score": 7}', Verdict(status="loop", score=1.0)),
        ('so: {"status": "doing", "score": "high", "reason": 3}', Verdict(status="doing")),
        ('{"status": "won"}', Verdict()),
        ("finished", Verdict()),
        ('{"status": "finished"', Verdict()),
        (f'{{"status": "doing", "score": -{"9" * 400}}}', Verdict(status="doing", score=0.0)),
    ],
)
def test_what_is_no_verdict_judges_nothing(reply: str, verdict: Verdict) -> None:
    assert read_verdict(reply) == verdict
