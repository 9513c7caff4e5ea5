"""Two agents as one: who is asked when, what is kept of both, and how it is made."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from webbench.core.action.action import Noop, Stop
from webbench.core.agent import IN_PROCESS, AgentView, Kept, PastAction, Proposal, reach_of
from webbench.core.agents.agent_spec import create_agent
from webbench.core.agents.command.isolation import NOT_ISOLATED
from webbench.core.agents.ensemble import Ensemble
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import AgentFailed, UsageError
from webbench.core.model_call import ModelCall
from webbench.core.observation import Observation
from webbench.core.task import Task

TASK = Task(benchmark="demo", name="x")
VIEW = AgentView(task=TASK, step=1, observation=Observation(), dialect="webarena")
ABSTAINS = Proposal(action=Stop(), calls=(ModelCall(model="one"),))
ACTS = Proposal(action=Noop(), calls=(ModelCall(model="one"),))
ANSWERS = Proposal(text="stop [5]", calls=(ModelCall(model="two"),))


class Said:
    """Gives one proposal or failure after the other, and keeps what it saw."""

    name = "said (m)"

    def __init__(self, *turns: Proposal | AgentFailed) -> None:
        self.turns = list(turns)
        self.views: list[AgentView] = []

    async def propose(self, view: AgentView) -> Proposal:
        self.views.append(view)
        turn = self.turns.pop(0)
        if isinstance(turn, AgentFailed):
            raise turn
        return turn

    async def close(self) -> None:
        self.turns.clear()


async def test_calls_before_a_failure_of_the_second_are_told_with_it() -> None:
    failure = AgentFailed("gone", calls=(ModelCall(model="two", error="500"),))
    both = Ensemble("both", Said(ABSTAINS), Said(failure, ANSWERS))
    with pytest.raises(AgentFailed, match="gone") as told:
        await both.propose(VIEW)
    again = await both.propose(VIEW)
    assert [call.model for call in told.value.calls] == ["one", "two"]
    assert [call.model for call in again.calls] == ["two"], "each call is paid once"


async def test_the_second_is_told_nothing_that_was_said_to_the_first() -> None:
    second = Said(ANSWERS)
    both = Ensemble("both", Said(ABSTAINS), second)
    seen = msgspec.structs.replace(VIEW, rejected="click [1]: an advertisement", last_proposal=ACTS)
    await both.propose(seen)
    assert (second.views[0].rejected, second.views[0].last_proposal) == ("", Proposal())


@pytest.mark.parametrize(
    ("at_limit", "steps", "models"),
    [
        (True, 1, ["one", "two"]),
        (True, 2, ["one"]),
        (False, 1, ["one"]),
    ],
)
async def test_the_last_step_is_the_seconds_where_that_is_wished(
    at_limit: bool, steps: int, models: list[str]
) -> None:
    both = Ensemble("both", Said(ACTS), Said(ANSWERS), at_limit=at_limit)
    proposal = await both.propose(msgspec.structs.replace(VIEW, left={"steps": steps}))
    assert [call.model for call in proposal.calls] == models


async def test_an_answer_in_the_last_step_is_the_firsts() -> None:
    both = Ensemble("both", Said(ANSWERS), Said(), at_limit=True)
    assert await both.propose(msgspec.structs.replace(VIEW, left={"steps": 1})) is ANSWERS


def after(proposal: Proposal) -> AgentView:
    """What an ensemble that is made anew sees after a proposal of the one before, as it was recorded."""
    kept = {"both": Kept(state=proposal.state, action=0)} if proposal.state else {}
    last = msgspec.json.decode(msgspec.json.encode(proposal), type=Proposal)
    history = (PastAction(text="it"),)
    return msgspec.structs.replace(VIEW, last_proposal=last, history=history, kept=kept)


async def test_one_that_is_made_anew_goes_on_with_whose_turn_it_was_and_its_state() -> None:
    plans = msgspec.structs.replace(ACTS, state={"plan": "look"})
    looked, gone_on = Said(plans), Said(ACTS)
    first = await Ensemble("both", looked, Said()).propose(VIEW)
    view = after(first)
    await Ensemble("both", gone_on, Said()).propose(view)
    assert gone_on.views[0].kept == {"said (m)": Kept(state={"plan": "look"}, action=0)}
    assert gone_on.views[0].last_proposal.state == {"plan": "look"}

    second, third = Said(plans), Said(ACTS, ACTS)
    taken_over = await Ensemble("both", Said(ABSTAINS), second).propose(view)
    assert second.views[0].kept == {}, "what the first one kept is not the second's"
    both = Ensemble("both", Said(), third)
    again = await both.propose(after(taken_over))
    assert third.views[0].kept == {"said (m)": Kept(state={"plan": "look"}, action=0)}
    assert again.state == {"abstained": True}
    await both.propose(msgspec.structs.replace(VIEW, last_proposal=again))
    assert third.views[1].last_proposal is ACTS


def test_its_name_tells_the_models_or_its_parts() -> None:
    request = AgentRequest(task=TASK, options=("url=http://localhost:9/v1",))
    one = create_agent("ensemble 'first=model model=a' 'second=model model=b'", request)
    assert one.name == "ensemble (model (a), else model (b))"
    assert create_agent("ensemble first=model second=model model=a", request).name == "ensemble (a)"


def test_an_ensemble_that_is_part_of_itself_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "webbench" / "agents"
    folder.mkdir(parents=True)
    (folder / "own.toml").write_text('agent = "ensemble"\nwords = ["first=own", "second=random"]')
    with pytest.raises(UsageError, match="part of itself"):
        create_agent("own", AgentRequest(task=TASK))
    with pytest.raises(UsageError, match="at_limit=maybe"):
        create_agent("ensemble first=random second=random at_limit=maybe", AgentRequest(task=TASK))


def test_what_its_parts_could_have_read_is_told_of_both(tmp_path: Path) -> None:
    program = tmp_path / "agent.sh"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    parts = create_agent(f"ensemble 'first=command {program}' second=do-nothing", AgentRequest(task=TASK))
    assert (reach_of(parts), reach_of(Ensemble("both", Said(), Said()))) == (NOT_ISOLATED, IN_PROCESS)
    assert reach_of(create_agent("do-nothing", AgentRequest(task=TASK))) == "", "none of it is foreign"
