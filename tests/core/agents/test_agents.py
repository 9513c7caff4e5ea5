"""The agents that ask no model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from webbench.core.action.action import (
    Action,
    AnswerDialog,
    Check,
    Click,
    ElementRef,
    Goto,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
    target_of,
)
from webbench.core.agent import Agent, AgentView, Carried, Kept, PastAction, Proposal
from webbench.core.agents.agent_spec import create_agent
from webbench.core.agents.replay import recorded_actions
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import BadData, UsageError
from webbench.core.observation import AccessibilityNode, Box, Dialog, Observation
from webbench.core.task import Task

TASK = Task(benchmark="demo", name="form")
PAGE = Observation(
    url="http://form.test/",
    nodes=(
        AccessibilityNode(id=1, role="RootWebArea", name="Form", interactive=True),
        AccessibilityNode(id=2, role="StaticText", name="Describe the picture in your own words", depth=1),
        AccessibilityNode(id=3, role="textbox", name="Words", depth=1, interactive=True, tag="textarea"),
        AccessibilityNode(id=4, role="combobox", name="Colour", depth=1, interactive=True, tag="select"),
        AccessibilityNode(id=5, role="option", name="Red", depth=2, interactive=True),
        AccessibilityNode(id=6, role="option", name="Green", depth=2, interactive=True),
        AccessibilityNode(
            id=7, role="checkbox", depth=1, interactive=True, states={"checked": True}, tag="input"
        ),
        AccessibilityNode(id=8, role="radio", depth=1, interactive=True, tag="input"),
        AccessibilityNode(
            id=9, role="slider", depth=1, interactive=True, states={"valuemin": 2, "valuemax": 5}
        ),
        AccessibilityNode(id=10, role="button", name="Send", depth=1, interactive=True),
        AccessibilityNode(id=11, role="button", depth=1, interactive=True, states={"disabled": True}),
    ),
)


def request(*options: str, seed: int = 0, oracle: Agent | None = None) -> AgentRequest:
    return AgentRequest(task=TASK, seed=seed, options=options, oracle=oracle)


def view(observation: Observation = PAGE, step: int = 0) -> AgentView:
    return AgentView(task=TASK, step=step, observation=observation, dialect="webarena")


async def actions_of(agent: Agent, count: int, observation: Observation = PAGE) -> list[Action | None]:
    """What it does where each of its proposals is carried out."""
    done, actions = Proposal(), []
    for step in range(count):
        done = await agent.propose(msgspec.structs.replace(view(observation, step), last_proposal=done))
        actions.append(done.action)
    return actions


async def test_do_nothing_stops_at_once() -> None:
    assert await actions_of(create_agent("do-nothing", request()), 1) == [Stop()]
    with pytest.raises(UsageError, match="no options"):
        create_agent("do-nothing fast", request())


async def test_the_same_seed_gives_the_same_steps_and_another_seed_others() -> None:
    first = await actions_of(create_agent("random", request(seed=1)), 15)
    assert first == await actions_of(create_agent("random", request(seed=1)), 15)
    assert first == await actions_of(create_agent("random seed=1", request(seed=7)), 15)
    assert first != await actions_of(create_agent("random", request(seed=2)), 15)


async def test_random_does_to_each_element_what_suits_it() -> None:
    tried = await actions_of(create_agent("random steps=300", request()), 300)
    by_id: dict[int | None, set[type]] = {}
    for action in tried:
        target = target_of(action) if action else None
        by_id.setdefault(target.id if target else None, set()).add(type(action))
    assert by_id[3] == {Type}
    assert by_id[4] == {Select}
    assert by_id[7] == {Check}
    assert by_id[8] == {Check}
    assert by_id[9] == {SetRange}
    assert by_id[10] == {Click}
    assert set(by_id) == {3, 4, 7, 8, 9, 10, None}
    assert {action.options for action in tried if isinstance(action, Select)} == {("Red",), ("Green",)}
    assert {action.checked for action in tried if isinstance(action, Check) and action.target.id == 7} == {
        False
    }
    assert all(2 <= action.value <= 5 for action in tried if isinstance(action, SetRange))


async def test_random_ends_by_submitting_then_stopping() -> None:
    assert (await actions_of(create_agent("random steps=2", request()), 4))[2:] == [Submit(), Stop()]


async def test_random_answers_dialogs_and_survives_an_empty_page() -> None:
    asked = Observation(dialog=Dialog("confirm", "Sure?"))
    answers = await actions_of(create_agent("random", request()), 5, asked)
    assert all(isinstance(answer, AnswerDialog) for answer in answers)
    assert None not in await actions_of(create_agent("random", request()), 10, Observation())


@pytest.mark.parametrize("option", ["steps=-1", "steps=x", "speed=3", "steps"])
def test_random_names_its_options(option: str) -> None:
    with pytest.raises(UsageError, match="steps=20, seed=0"):
        create_agent(f"random {option}", request())


def write_steps(file: Path, actions: Sequence[Action], *, tail: str = "") -> None:
    lines = [json.dumps({"index": 0, "at": "", "url": "http://e.test/"})]
    lines += [
        json.dumps({"index": i, "action": msgspec.to_builtins(action), "ok": not isinstance(action, Goto)})
        for i, action in enumerate(actions, 1)
    ]
    file.write_text("\n".join(lines) + "\n" + tail)


RECORDED = (
    Click(target=ElementRef(id=10, role="button", name="Send", selector="#send", box=Box(1, 2, 3, 4))),
    Click(target=ElementRef(id=11, role="radio", path="form[0]/input[2]", box=Box(5, 6, 7, 8))),
    Goto(url="http://failed.test/"),
    Type(target=ElementRef(id=3), text="bare id"),
    Type(target=ElementRef(field="summary"), text="x"),
)


async def test_replay_hands_out_fingerprints_and_leaves_out_what_failed(tmp_path: Path) -> None:
    write_steps(tmp_path / "steps.jsonl", RECORDED, tail='{"index": 6, "action": {"verb": "cl')
    agent = create_agent(f"replay '{tmp_path}'", request())
    assert await actions_of(agent, 6) == [
        Click(target=ElementRef(role="button", name="Send", selector="#send")),
        Click(target=ElementRef(role="radio", path="form[0]/input[2]", box=Box(5, 6, 7, 8))),
        Type(target=ElementRef(id=3), text="bare id"),
        Type(target=ElementRef(field="summary"), text="x"),
        Stop(),
        Stop(),
    ]


def made_anew(name: str, before: Proposal) -> AgentView:
    """What an agent sees that is made after this proposal of one of its name."""
    kept = {name: Kept(state=before.state, action=0)}
    return msgspec.structs.replace(view(), kept=kept, history=(PastAction(text="it"),))


async def test_replay_keeps_its_place_whatever_a_person_does_in_between(tmp_path: Path) -> None:
    """A step of the person's own costs it nothing; what was replaced or rejected is still to be done."""
    write_steps(tmp_path / "steps.jsonl", RECORDED)
    agent = create_agent(f"replay '{tmp_path}'", request())
    first = await agent.propose(view())
    assert (await agent.propose(view())).action == first.action, "nobody carried it out"
    done = await agent.propose(view())
    by_person = (PastAction(text="click [1]"), PastAction(text="scroll [down]", actor="human"))
    after = msgspec.structs.replace(view(), before=Carried(proposal=done, action=0), history=by_person)
    second = await agent.propose(after)
    assert second.reasoning.startswith("recorded action 2 of")
    assert (await agent.propose(after)).action == second.action


async def test_replay_goes_on_where_one_before_was_but_not_in_another_record(tmp_path: Path) -> None:
    write_steps(tmp_path / "steps.jsonl", RECORDED, tail="")
    first = await create_agent(f"replay '{tmp_path}'", request()).propose(view())
    second = await create_agent(f"replay '{tmp_path}'", request()).propose(made_anew("replay", first))
    assert second.reasoning == "recorded action 2 of 4"
    write_steps(tmp_path / "steps.jsonl", RECORDED[:2], tail="")
    other = await create_agent(f"replay '{tmp_path}'", request()).propose(made_anew("replay", first))
    assert other.reasoning == "recorded action 1 of 2"


async def test_random_keeps_count_of_its_steps_where_it_is_made_anew() -> None:
    first = create_agent("random steps=2", request())
    done = [await first.propose(view()) for _ in range(2)]
    again = create_agent("random steps=2", request())
    assert (await again.propose(made_anew("random", done[-1]))).action == Submit()
    seen = made_anew("random", msgspec.structs.replace(done[0], state={"taken": -1}))
    await create_agent("random", request()).propose(seen)
    assert seen.notices == [
        "What random kept with action 1 is left, and it begins anew: Expected `int` >= 0 - at `$.taken`"
    ]


def test_a_plain_list_of_actions_can_be_replayed(tmp_path: Path) -> None:
    file = tmp_path / "actions.jsonl"
    file.write_text('{"verb": "click", "target": {"id": 4}}\n\n{"verb": "stop", "answer": "42"}\n')
    assert recorded_actions(file) == (Click(target=ElementRef(id=4)), Stop(answer="42"))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{"verb": "fly"}\n', ":1 holds no action"),
        ('[1]\n{"verb": "noop"}\n', ":1 is neither"),
        ('{"verb": "noop"}\nrubbish\n{"verb": "noop"}\n', ":2 is not JSON"),
        ("[" * 100_000 + "\n\n", ":1 is not JSON"),
        ("\xff\n\n", ":1 is not JSON"),
    ],
)
def test_a_bad_record_is_named_with_its_line(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "actions.jsonl"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(BadData, match=complaint):
        create_agent(f"replay {file}", request())


def test_a_missing_record_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no record"):
        create_agent(f"replay {tmp_path}/none", request())
    with pytest.raises(UsageError, match="needs one path"):
        create_agent("replay", request())


class Knowing:
    name = "knowing"

    async def propose(self, view: AgentView) -> Proposal:
        return Proposal(action=Stop(answer="42"))

    async def close(self) -> None: ...


def test_the_oracle_is_the_benchmarks_own() -> None:
    oracle = Knowing()
    assert create_agent("oracle", request(oracle=oracle)) is oracle
    with pytest.raises(UsageError, match="has no oracle"):
        create_agent("oracle", request())
