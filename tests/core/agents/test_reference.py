"""The oracle over a written list of actions: waits, repeats, gives up with a reason."""

import msgspec
import pytest

from webbench.core.action.action import Click, ElementRef, Noop, Stop
from webbench.core.agent import AgentView, Carried, Kept, PastAction, Proposal
from webbench.core.agents.reference import PATIENCE, Reference
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.task import Task

BUY = Click(target=ElementRef(role="button", name="Buy"))


def seen(*names: str, last: Proposal = Proposal(), error: str = "") -> AgentView:
    nodes = tuple(AccessibilityNode(id=10 + at, role="button", name=name) for at, name in enumerate(names))
    observation = Observation(nodes=nodes)
    return AgentView(
        task=Task(benchmark="b", name="t"),
        step=1,
        observation=observation,
        last_proposal=last,
        last_error=error,
    )


async def test_an_exact_name_is_preferred_to_one_that_only_begins_so() -> None:
    proposal = await Reference([BUY]).propose(seen("Buy now", "Buy"))

    assert proposal.action == Click(target=ElementRef(id=11, role="button", name="Buy"))


async def test_it_goes_on_only_when_its_own_action_was_carried_out() -> None:
    agent = Reference([BUY, Stop(answer="done")])
    first = await agent.propose(seen("Buy"))

    again = await agent.propose(seen("Buy"))
    after = await agent.propose(seen("Buy", last=again))

    assert again.action == first.action
    assert after.action == Stop(answer="done")


async def test_it_keeps_its_place_whatever_a_person_does_in_between() -> None:
    agent = Reference([BUY, Stop(answer="done")])
    first = await agent.propose(seen("Buy"))
    by_person = (PastAction(text="click [10]"), *[PastAction(text="scroll", actor="human")] * 2)
    view = msgspec.structs.replace(
        seen(error="the person's own"), before=Carried(proposal=first, action=0), history=by_person
    )

    assert (await agent.propose(view)).action == Stop(answer="done")


async def test_a_failed_action_is_repeated() -> None:
    agent = Reference([BUY, Stop(answer="done")])
    first = await agent.propose(seen("Buy"))

    assert (await agent.propose(seen("Buy", last=first, error="covered"))).action == first.action


async def test_it_waits_for_an_element_and_then_stops_with_the_reason() -> None:
    agent = Reference([BUY])

    waits = [await agent.propose(seen("Sell")) for _ in range(PATIENCE)]
    end = await agent.propose(seen("Sell"))

    assert all(isinstance(wait.action, Noop) for wait in waits)
    assert end.action == Stop()
    assert end.reasoning == "no button 'Buy' on the page"


async def test_an_element_found_by_the_beginning_of_its_name_is_told_by_all_of_it() -> None:
    proposal = await Reference([BUY]).propose(seen("Buy now"))

    assert proposal.action == Click(target=ElementRef(id=10, role="button", name="Buy now"))


@pytest.mark.parametrize(
    ("done", "next_action"),
    [
        (PastAction(text="buy"), Stop(answer="done")),
        (PastAction(text="buy", error="covered"), BUY),
        (PastAction(text="sell", actor="operator"), BUY),
    ],
    ids=["done", "failed", "replaced by a person"],
)
async def test_one_that_is_made_anew_goes_on_behind_what_was_carried_out(
    done: PastAction, next_action: Click | Stop
) -> None:
    first = await Reference([BUY, Stop(answer="done")]).propose(seen("Buy"))
    kept = {"oracle": Kept(state=first.state, action=1)}
    history = (PastAction(text="look"), done, PastAction(text="scroll", actor="human"))
    view = msgspec.structs.replace(seen("Buy"), kept=kept, history=history)

    action = (await Reference([BUY, Stop(answer="done")]).propose(view)).action

    assert isinstance(action, type(next_action))


async def test_a_wait_that_is_recorded_is_no_action_of_the_list() -> None:
    wait = await Reference([BUY]).propose(seen("Sell"))
    kept = {"oracle": Kept(state=wait.state, action=0)}
    view = msgspec.structs.replace(seen("Sell"), kept=kept, history=(PastAction(text="noop"),))

    waits = [await agent.propose(view) for agent in [Reference([BUY])] for _ in range(PATIENCE)]

    assert [type(one.action) for one in waits] == [Noop] * (PATIENCE - 1) + [Stop]
