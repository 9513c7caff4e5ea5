"""Agents in BrowserGym's style play here, from a process of their own."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.agents.browsergym.page import NODES, PAGE, TASK, view
from tests.core.agents.browsergym.theirs import AGENT
from webbench.core.action.action import Check, Click, ElementRef, Focus, MouseDown, Noop, Say, Stop, Type
from webbench.core.agent import AgentView, Kept, PastAction, Proposal
from webbench.core.agents.agent_spec import create_agent
from webbench.core.agents.browsergym.browsergym_agent import BrowserGymAgent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.dialects.dialect import find_dialect
from webbench.core.errors import AgentFailed, UsageError
from webbench.core.observation import DialogueTurn

EXAMPLE = Path(__file__).parents[4] / "examples" / "agents" / "browsergym_agent.py"
Make = Callable[..., BrowserGymAgent]


@pytest.fixture
async def make(tmp_path: Path) -> AsyncIterator[Make]:
    """Makes agents of the file above by name and options, and ends them."""
    made: list[BrowserGymAgent] = []
    (tmp_path / "theirs.py").write_text(AGENT)

    def build(
        name: str, *options: str, flags: str = "", benchmark: Benchmark | None = None
    ) -> BrowserGymAgent:
        words = " ".join(shlex.quote(option) for option in options)
        spec = f"browsergym {flags} {shlex.quote(str(tmp_path / 'theirs.py'))}:{name} {words}"
        agent = create_agent(spec, AgentRequest(task=TASK, seed=3, benchmark=benchmark))
        assert isinstance(agent, BrowserGymAgent)
        made.append(agent)
        return agent

    yield build
    for agent in made:
        await agent.close()


def after(proposal: Proposal, **more: Any) -> AgentView:
    """What is seen when the proposal was carried out."""
    assert proposal.action
    text = find_dialect("webarena").format(proposal.action)
    return view(last_proposal=proposal, last_action=text, **more)


async def test_the_example_ticks_and_answers() -> None:
    agent = create_agent(f"browsergym {EXAMPLE}:TickBoxes answer=all", AgentRequest(task=TASK))
    try:
        first = await agent.propose(view())
        assert (first.action, first.reasoning) == (Check(target=ElementRef(id=4)), "First isn't ticked yet")
        ticked = msgspec.structs.replace(NODES[3], states={"checked": True})
        page = msgspec.structs.replace(PAGE, nodes=(*NODES[:3], ticked, *NODES[4:]))
        assert (await agent.propose(after(first, observation=page))).action == Stop(answer="all")
    finally:
        await agent.close()


async def test_several_calls_of_one_answer_are_carried_out_one_by_one(make: Make) -> None:
    agent = make("Echo", """texts=["I type. fill('6', 'me')\\nclick('4')", "noop(500)", "no call"]""")
    first = await agent.propose(view())
    assert first.action == Type(target=ElementRef(id=6), text="me")
    assert first.usage == {"input_tokens": 3.0}
    second = await agent.propose(after(first))
    assert second.action == Click(target=ElementRef(id=4))
    third = await agent.propose(after(second, last_error="covered"))
    assert third.action == Noop(seconds=0.5)
    assert third.reasoning.startswith("[\"I type. fill('6', 'me')\\nclick('4')\", \"covered\"")
    none = await agent.propose(after(third))
    assert (none.text, none.action) == ("no call", None)
    assert none.malformed == "ValueError: Received an empty action."
    ended = await agent.propose(view(last_proposal=none, last_error="not an action: in another language"))
    assert (ended.action, ended.text) == (Stop(), "")
    assert json.loads(ended.reasoning)[1] == none.malformed, "what is wrong is told in its own language"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("click('4')\nscroll_to('9')\nkeyboard_type('x')", "NameError: Invalid action type 'scroll_to'."),
        ("click('4')\nfill('6')", "TypeError: fill() missing 1 required positional argument: 'value'"),
        (
            "click('4')\nclick('5', force=True)",
            "TypeError: click() got an unexpected keyword argument 'force'",
        ),
        ("click('4')\nmouse_click('here', 3)", "Error: x: expected float, got string"),
    ],
)
async def test_an_answer_with_something_wrong_in_it_does_nothing(make: Make, answer: str, told: str) -> None:
    agent = make("Echo", f"texts={json.dumps([answer, 'noop()'])}")
    wrong = await agent.propose(view())
    assert wrong.action is None
    assert wrong.malformed == told
    again = await agent.propose(view(last_proposal=wrong, last_error=f"not an action: {told}"))
    assert again.action == Noop(seconds=1.0)
    assert told in json.loads(again.reasoning)[1]


async def test_every_call_of_an_answer_is_carried_out_or_none(make: Make) -> None:
    lines = ("# click('7')", "focus ( '6' )", "keyboard_insert_text('me')  # the name", "mouse_down(1, 2)")
    agent = make("Echo", f"texts={json.dumps([chr(10).join(lines)])}")
    done = [await agent.propose(view())]
    while len(done) < 3:
        done.append(await agent.propose(after(done[-1])))
    assert [one.action for one in done] == [
        Focus(target=ElementRef(id=6)),
        Type(text="me", clear=False, at_once=True),
        MouseDown(x=1, y=2),
    ]
    left = await make("Echo", f"texts={json.dumps([chr(10).join(('click(6)', 'fill(4, it)'))])}").propose(
        view()
    )
    assert left.action == Click(target=ElementRef(id=6))
    assert "left out, as BrowserGym does with what it can't read:\nfill(4, it)" in left.reasoning


async def test_an_agents_own_action_set_decides(make: Make) -> None:
    refused = await make("Chosen", "text=goto('http://e.org')").propose(view())
    assert refused.malformed == "NameError: Invalid action type 'goto'."
    strict = await make("Chosen", "text=I click('4')", "strict=true").propose(view())
    assert strict.malformed.startswith("ParseException: Expected end of text")
    single = await make("Chosen", "text=click('4') noop()", "multiaction=false").propose(view())
    assert single.malformed.startswith("ValueError: Received a multi-action")


async def test_what_a_person_did_instead_is_told_in_its_language_and_ends_its_plan(make: Make) -> None:
    agent = make("Echo", """texts=["click('4') click('7')", "noop()"]""")
    await agent.propose(view())
    proposal = await agent.propose(view(last_action="type [6] [mine] [0]"))
    assert proposal.action == Noop(seconds=1.0)
    assert proposal.reasoning.startswith("[\"fill('6', 'mine')\", \"\"")


async def test_a_message_is_the_answer_but_in_a_dialogue(make: Make) -> None:
    options = """texts=["send_msg_to_user('42')"]"""
    assert (await make("Echo", options).propose(view())).action == Stop(answer="42")
    assert (await make("Echo", options, flags="--say").propose(view())).action == Say(text="42")
    turn = DialogueTurn(index=0, speaker="instructor", text="Hello")
    talking = view(msgspec.structs.replace(PAGE, dialogue=(turn,)))
    assert (await make("Echo", options).propose(talking)).action == Say(text="42")


def made_anew(proposal: Proposal, **changes: object) -> AgentView:
    """What an agent of the same name sees after the proposal of one before, as it was recorded."""
    state = {**proposal.state, **changes}
    history = (PastAction(text='say(utterance="m1")'),)
    last = msgspec.structs.replace(proposal, state=state)
    return view(
        step=2,
        dialect="weblinx",
        last_action='say(utterance="m1")',
        last_proposal=last,
        history=history,
        kept={"browsergym": Kept(state=state, action=0)},
    )


async def test_one_that_is_made_anew_finds_its_chat_its_clock_and_its_own_state(make: Make) -> None:
    first = await make("Remembering", flags="--say").propose(view())
    assert first.state["state"]["agent"] == {"count": 1}
    late = {**first.state["state"], "elapsed": 100.0}
    second = await make("Remembering", flags="--say").propose(made_anew(first, state=late))
    assert second.action == Say(text="m2")
    told = json.loads(second.reasoning)
    assert told == {"chat": [*told["chat"][:2], "m1"], "last": "send_msg_to_user('m1')", "late": True}
    assert [one["message"] for one in second.state["state"]["said"]] == ["m1", "m2"]
    assert second.state["state"]["elapsed"] > 50

    plain = await make("Echo", 'texts=["noop()"]').propose(made_anew(first))
    assert plain.state["state"]["agent"] is None, "another agent's state is not given to it"
    assert plain.state["state"]["said"] == []


@pytest.mark.parametrize(
    "state", [{"said": "m1"}, {"said": [{"role": "user", "timestamp": 0, "message": "x"}]}, [1], {}]
)
async def test_a_recorded_state_of_another_form_is_left_and_told(make: Make, state: object) -> None:
    first = await make("Remembering", flags="--say").propose(view())
    seen = made_anew(first, state=state)
    second = await make("Remembering", flags="--say").propose(seen)
    assert second.action == Say(text="m1"), "it begins anew"
    told = "What browsergym kept with action 1 is left, and it begins anew: "
    assert [notice.startswith(told) for notice in seen.notices] == ([True] if state else [])


async def test_a_state_that_is_no_json_or_is_not_taken_is_the_agents_failure(make: Make) -> None:
    with pytest.raises(AgentFailed, match=r"its save_state\(\) gave what is no JSON: .*set is not JSON"):
        await make("Unwritable").propose(view())
    first = await make("Remembering", flags="--say").propose(view())
    changed = {**first.state["state"], "agent": {"plan": "x"}}
    with pytest.raises(AgentFailed, match=r"failed: KeyError: 'count' \(at .*theirs\.py:\d+\)"):
        await make("Remembering").propose(made_anew(first, state=changed))


@pytest.mark.parametrize(("benchmark", "answer"), [("webarena", "N/A"), ("assistantbench", "")])
async def test_what_is_infeasible_ends_as_in_browsergyms_own_tasks(
    make: Make, benchmark: str, answer: str
) -> None:
    options = """texts=["report_infeasible('no such field')"]"""
    proposal = await make("Echo", options, benchmark=find_benchmark(benchmark)).propose(view())
    assert proposal.action == Stop(answer=answer)
    assert proposal.reasoning.endswith("reported as infeasible: no such field")


async def test_makers_objects_and_hooks_of_agentlab(make: Make) -> None:
    made = await make("Arguments", "text=noop()").propose(view())
    assert made.action == Noop(seconds=1.0)
    again = await make("ready").propose(view())
    assert made.reasoning == again.reasoning, "the seed is the run's"
    named = await make("Named").propose(view())
    assert named.action == Type(target=ElementRef(id=6), text="form")


async def test_an_agent_that_fails_is_the_reason(make: Make) -> None:
    failed = r" failed: RuntimeError: no model here \(at .*theirs\.py:\d+\)"
    with pytest.raises(AgentFailed, match=failed):
        await make("Failing").propose(view())
    with pytest.raises(AgentFailed, match="has no Nobody; it has"):
        await make("Nobody").propose(view())


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("browsergym", "needs an agent of yours"),
        ("browsergym module", "needs an agent of yours"),
        ("browsergym --loud m:C", 'no flag "--loud"'),
        ("browsergym --timeout soon m:C", "timeout"),
        ("browsergym --python /no/python m:C", "There is no Python"),
        ("browsergym nowhere/agent.py:Mine", 'no file "nowhere/agent.py"'),
        ("browsergym m:C fast", '"fast" is no option'),
    ],
)
def test_a_wrong_call_says_what_is_right(spec: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        create_agent(spec, AgentRequest(task=TASK))


def test_the_process_needs_nothing_of_ours_but_its_own_modules() -> None:
    import subprocess

    program = (
        "import sys; from webbench.core.agents.browsergym import agent_process;"
        "print([m for m in ('msgspec', 'playwright', 'numpy', 'PIL', 'typer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
