"""A form is answered without the names of its fields being told."""

from __future__ import annotations

import msgspec
import pytest

from tests.core.models.endpoint import running_endpoint, said
from webbench.benchmarks.turkingbench.benchmark import create
from webbench.core.action.action import GetHtml, Stop
from webbench.core.agent import AgentView, PastAction
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import UsageError
from webbench.core.observation import Observation

FORM = '<form><p>Why?<textarea name="why"></textarea></p><p>Who?<textarea name="who"></textarea></p></form>'
TASK = create().tasks("desk-forms", ["Tone of a message"], 1)[0]
VIEW = AgentView(task=TASK, step=1, dialect="turkingbench", observation=Observation())


async def test_the_model_finds_the_fields_in_the_html_and_submits() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [
            said('```\nmodify_text("why", "so")\nmodify_text("who", "me")\n```'),
            said("```\nsubmit()\n```"),
        ]
        spec = f"turkingbench-text hint=none html=full demonstrations=0 model=m url={endpoint.url} retries=0"
        agent = create_agent(spec, AgentRequest(task=TASK))
        look = await agent.propose(VIEW)
        first = await agent.propose(msgspec.structs.replace(VIEW, last_proposal=look, last_output=FORM))
        second = await agent.propose(msgspec.structs.replace(VIEW, last_proposal=first))
        again = await agent.propose(msgspec.structs.replace(VIEW, last_proposal=second))
        history = (PastAction(text="get_html()"), PastAction(text=first.text), PastAction(text=second.text))
        last = await agent.propose(
            msgspec.structs.replace(VIEW, last_proposal=again, last_output=FORM, history=history)
        )
        await agent.close()
    assert (look.action, again.action) == (GetHtml(), GetHtml())
    assert [first.text, second.text, last.text] == [
        'modify_text("why", "so")',
        'modify_text("who", "me")',
        "submit()",
    ]
    assert first.state["hint"] == "none"
    asked = [request.prompt for request in endpoint.requests]
    assert not any("FIELD:" in prompt for prompt in asked)
    assert "DONE SO FAR" not in asked[0]
    assert 'modify_text("who", "me")' in asked[1]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("html=relevant", "html=relevant"),
        ("demonstrations=7", "demonstrations"),
        ("demonstration_seed=1", "demonstration_seed"),
        ("tries=1", "tries"),
    ],
)
def test_what_would_have_no_effect_is_refused(words: str, named: str) -> None:
    spec = f"turkingbench-text-unhinted {words} model=m url=http://127.0.0.1:9"
    with pytest.raises(UsageError, match=f"; {named} would have no effect"):
        create_agent(spec, AgentRequest(task=TASK))
    create_agent(spec.replace("-unhinted", ""), AgentRequest(task=TASK))


async def test_what_failed_is_told_and_a_form_that_can_not_be_read_is_given_up() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [said('```\nmodify_text("what", "so")\nsubmit()\n```'), said("```\nsubmit()\n```")]
        spec = f"turkingbench-text-unhinted model=m url={endpoint.url} retries=0"
        agent = create_agent(spec, AgentRequest(task=TASK))
        look = await agent.propose(VIEW)
        first = await agent.propose(msgspec.structs.replace(VIEW, last_proposal=look, last_output=FORM))
        error = "there is no field what"
        again = await agent.propose(msgspec.structs.replace(VIEW, last_proposal=first, last_error=error))
        history = (PastAction(text=first.text, error=error),)
        await agent.propose(
            msgspec.structs.replace(VIEW, last_proposal=again, last_output=FORM, history=history)
        )
        anew = create_agent(spec, AgentRequest(task=TASK))
        look = await anew.propose(VIEW)
        given_up = await anew.propose(msgspec.structs.replace(VIEW, last_proposal=look, last_error="gone"))
        await agent.close()
        await anew.close()
    assert again.action == GetHtml()
    assert f"which failed: {error}" in endpoint.requests[1].prompt
    assert isinstance(given_up.action, Stop)
