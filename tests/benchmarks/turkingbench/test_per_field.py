"""TurkingBench's model agent where something goes wrong between two fields."""

from __future__ import annotations

import msgspec
import pytest

from tests.core.models.endpoint import Endpoint, refused, running_endpoint, said
from webbench.benchmarks.turkingbench.benchmark import create
from webbench.core.action.action import ElementRef, GetHtml, ScrollTo, Stop
from webbench.core.agent import Agent, AgentView, Kept, PastAction
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import AgentFailed
from webbench.core.models.tokens import token_count
from webbench.core.observation import AccessibilityNode, Observation

FORM = '<form><p>Why?<textarea name="why"></textarea></p><p>Who?<textarea name="who"></textarea></p></form>'
TASK = create().tasks("desk-forms", ["Tone of a message"], 1)[0]
VIEW = AgentView(
    task=TASK,
    step=1,
    dialect="turkingbench",
    observation=Observation(
        nodes=tuple(
            AccessibilityNode(id=at, role="textbox", attributes={"name": name})
            for at, name in enumerate(("why", "who"))
        )
    ),
)


def an_agent(endpoint: Endpoint, words: str = "") -> Agent:
    spec = f"turkingbench-text-zero-shot model=m url={endpoint.url} retries=0 {words}"
    return create_agent(spec, AgentRequest(task=TASK))


async def test_a_field_is_asked_for_again_where_its_call_failed() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [refused(400), said('```\nmodify_text("why", "so")\n```')]
        agent = an_agent(endpoint)
        look = await agent.propose(VIEW)
        with pytest.raises(AgentFailed):
            await agent.propose(msgspec.structs.replace(VIEW, last_proposal=look, last_output=FORM))
        answer = await agent.propose(msgspec.structs.replace(VIEW, last_proposal=look, last_output=FORM))
        await agent.close()
    assert answer.text == 'modify_text("why", "so")'
    assert all("FIELD: why" in request.prompt for request in endpoint.requests)
    assert "FAILED" not in endpoint.requests[1].prompt


@pytest.mark.parametrize(("error", "field"), [("", "who"), ("covered", "why")])
async def test_one_that_is_made_anew_asks_for_no_field_that_was_answered(error: str, field: str) -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [said('```\nmodify_text("why", "so")\n```')] * 2
        before, anew = an_agent(endpoint), an_agent(endpoint)
        look = await before.propose(VIEW)
        done = await before.propose(msgspec.structs.replace(VIEW, last_proposal=look, last_output=FORM))
        await before.close()
        seen = msgspec.structs.replace(
            VIEW,
            history=(PastAction(text="get_html()"), PastAction(text=done.text, error=error)),
            kept={anew.name: Kept(state=done.state, action=1)},
            last_error=error,
        )
        again = await anew.propose(seen)
        seen = msgspec.structs.replace(seen, last_proposal=again, last_output=FORM, last_error="")
        await anew.propose(seen)
        await anew.close()
    assert again.action == GetHtml()
    assert f"FIELD: {field}" in endpoint.requests[1].prompt


async def test_a_form_that_could_not_be_read_is_not_submitted_empty() -> None:
    with running_endpoint() as endpoint:
        agent = an_agent(endpoint)
        first = await agent.propose(VIEW)
        again = await agent.propose(
            msgspec.structs.replace(VIEW, last_proposal=first, last_error="the page hangs")
        )
        end = await agent.propose(
            msgspec.structs.replace(VIEW, last_proposal=again, last_error="the page hangs")
        )
        await agent.close()
    assert [first.action, again.action, end.action] == [GetHtml(), GetHtml(), Stop()]
    assert "the page hangs" in end.reasoning


@pytest.mark.parametrize("picture", ["yes", "no"])
async def test_a_field_that_the_picture_would_not_show_is_scrolled_to_first(picture: str) -> None:
    why, who = VIEW.observation.nodes
    below = Observation(nodes=(why, msgspec.structs.replace(who, offscreen=True)))
    with running_endpoint() as endpoint:
        endpoint.script = [said('```\nmodify_text("who", "me")\n```')]
        agent = an_agent(endpoint, f"picture={picture}")
        look = await agent.propose(VIEW)
        seen = msgspec.structs.replace(VIEW, last_proposal=look, last_output=FORM)
        first = await agent.propose(seen)
        seen = msgspec.structs.replace(VIEW, observation=below, last_proposal=first)
        second = await agent.propose(seen)
        third = await agent.propose(msgspec.structs.replace(VIEW, last_proposal=second))
        await agent.close()
    if picture == "no":
        assert second.text == 'modify_text("who", "me")'
        return
    assert (second.action, second.calls) == (ScrollTo(target=ElementRef(field="who")), ())
    assert second.state == {"asked": ["why"]}, "it was not asked for yet"
    assert third.text == 'modify_text("who", "me")'
    assert "FIELD: who" in endpoint.requests[-1].prompt


async def test_a_field_at_the_end_of_a_long_page_is_in_its_html() -> None:
    form = f"<h1>Rate it</h1><p>{'so very long ' * 2000}</p>{FORM}"
    with running_endpoint() as endpoint:
        endpoint.script = [said("Hm.")]
        agent = an_agent(endpoint, "html=full html_tokens=300")
        look = await agent.propose(VIEW)
        await agent.propose(msgspec.structs.replace(VIEW, last_proposal=look, last_output=form))
        await agent.close()
    (request,) = endpoint.requests
    html = request.prompt.partition("HTML: ")[2].partition("FIELD:")[0]
    assert "Rate it" in html
    assert 'Why?<textarea name="why">' in html
    assert token_count(html) <= 310
