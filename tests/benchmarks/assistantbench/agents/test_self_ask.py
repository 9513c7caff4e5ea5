"""The retrieval-augmented agent, page by page, over a scripted model."""

from __future__ import annotations

import msgspec
import pytest

from tests.core.models.endpoint import Answer, Endpoint, running_endpoint, said
from webbench.benchmarks.assistantbench.agents.searching import links_elsewhere, page_text
from webbench.core.action.action import AnswerDialog, Goto, Search, Stop
from webbench.core.agent import Agent, AgentView, PastAction, Proposal
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.observation import AccessibilityNode, Dialog, Observation
from webbench.core.task import Task

TASK = Task(benchmark="assistantbench", name="q", intent="Which year?")
RESULTS = Observation(
    url="https://search.test/?q=shop",
    nodes=(
        AccessibilityNode(id=1, role="RootWebArea", name="Results"),
        AccessibilityNode(id=2, role="main", depth=1),
        *(
            AccessibilityNode(id=at, role="link", name=name, depth=2, attributes={"href": href})
            for at, name, href in (
                (3, "More like this", "https://www.search.test/more"),
                (4, "Five generations", "https://search.test/l?u=https%3A%2F%2Fbakery.test%2Fhistory"),
                (5, "Again", "https://bakery.test/history#top"),
                (6, "Mail us", "mailto:a@b.test"),
                (7, "Town news", "https://news.test/1978"),
            )
        ),
        AccessibilityNode(id=8, role="contentinfo", depth=1),
        AccessibilityNode(id=9, role="StaticText", name="Imprint", depth=2),
    ),
)
PAGE = Observation(
    url="https://bakery.test/history",
    nodes=(AccessibilityNode(id=9, role="StaticText", name="Opened in 1978."),),
)
SEARCH = said("FOLLOW UP: When?\nSEARCH: second shop")
ANSWER = said("ANSWER: 1978")
LOST = said("I am lost.")


def an_agent(endpoint: Endpoint, words: str = "") -> Agent:
    spec = f"assistantbench-self-ask model=m url={endpoint.url} retries=0 {words}"
    return create_agent(spec, AgentRequest(task=TASK))


def view(seen: Observation, done: Proposal = Proposal(), **more: object) -> AgentView:
    made = AgentView(task=TASK, step=1, observation=seen, dialect="assistantbench", last_proposal=done)
    return msgspec.structs.replace(made, **more)


async def test_the_best_pages_of_a_search_are_opened_before_it_is_asked_again() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [SEARCH, ANSWER]
        agent = an_agent(endpoint, "read=2")
        search = await agent.propose(view(PAGE))
        first = await agent.propose(view(RESULTS, search))
        second = await agent.propose(view(PAGE, first))
        end = await agent.propose(view(Observation(), second, last_error="no such host"))
        await agent.close()
    assert search.action == Search(query="second shop")
    assert [first.action, second.action] == [
        Goto(url="https://bakery.test/history"),
        Goto(url="https://news.test/1978"),
    ]
    assert (first.calls, end.action) == ((), Stop(answer="1978"))
    for told in (
        'THE PAGE "Five generations", https://bakery.test/history:\nOpened in 1978.',
        'THE PAGE "Town news", https://news.test/1978:\nno such host',
        "FOLLOW UP: When?",
    ):
        assert told in endpoint.requests[1].prompt


async def test_queries_may_begin_with_a_site() -> None:
    """Appendix A.6: for FanOutQA every query names Wikipedia."""
    with running_endpoint() as endpoint:
        endpoint.script = [SEARCH]
        agent = an_agent(endpoint, "before=en.wikipedia.com")
        assert (await agent.propose(view(PAGE))).action == Search(query="en.wikipedia.com second shop")
        await agent.close()


async def test_with_one_step_left_it_answers() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [SEARCH, ANSWER]
        agent = an_agent(endpoint, "read=2")
        search = await agent.propose(view(PAGE))
        end = await agent.propose(view(RESULTS, search, left={"steps": 1}))
        await agent.close()
    assert end.action == Stop(answer="1978")
    assert "There are no searches left" in endpoint.requests[1].prompt


@pytest.mark.parametrize("agent", ["closed-book", "self-ask"])
@pytest.mark.parametrize(
    ("left", "replies", "calls", "answer"),
    [
        (1, (LOST, LOST, ANSWER), 3, Stop(answer="1978")),
        (1, (LOST, LOST, LOST, ANSWER), 3, None),
        (2, (LOST, ANSWER), 1, None),
    ],
)
async def test_in_the_last_step_a_reply_without_an_answer_is_asked_for_again_at_once(
    agent: str, left: int, replies: tuple[Answer, ...], calls: int, answer: Stop | None
) -> None:
    with running_endpoint() as endpoint:
        endpoint.script = list(replies)
        spec = f"assistantbench-{agent} model=m url={endpoint.url} retries=0"
        one = create_agent(spec, AgentRequest(task=TASK))
        proposal = await one.propose(view(PAGE, left={"steps": left}))
        await one.close()
    prompts = [request.prompt for request in endpoint.requests]
    assert (len(prompts), len(proposal.calls)) == (calls, calls), "all that were made are recorded"
    assert (proposal.action, bool(proposal.malformed)) == (answer, answer is None)
    assert ["COULD NOT BE USED" in prompt for prompt in prompts] == [False, True, True][:calls]


async def test_an_answer_from_results_that_it_made_up_is_none() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [
            said("SEARCH: second shop\nFOUND:\nIt opened in 1950.\nANSWER: 1950"),
            said("SEARCH: shop\nANSWER: 1951"),
        ]
        agent = an_agent(endpoint)
        searches = [(await agent.propose(view(PAGE))).action for _ in range(2)]
        await agent.close()
    assert searches == [Search(query="second shop"), Search(query="shop")]


async def test_what_a_person_did_in_place_of_a_search_is_read_and_a_rejected_one_is_not() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [SEARCH]
        agent = an_agent(endpoint)
        for _ in range(2):
            await agent.propose(view(PAGE, rejected="search [second shop]: too vague"))
        await agent.propose(view(PAGE, history=(PastAction(text="search [bakery]", actor="human"),)))
        await agent.close()
    assert "SEARCHED FOR" not in endpoint.requests[1].prompt
    told = "SEARCHED FOR: second shop\nA PERSON DID THIS INSTEAD: search [bakery]\nFOUND:\nOpened in 1978."
    assert told in endpoint.requests[2].prompt


async def test_a_dialog_is_put_away_and_the_page_behind_it_read() -> None:
    asked = msgspec.structs.replace(RESULTS, dialog=Dialog("confirm", "Stay?"), nodes=())
    with running_endpoint() as endpoint:
        endpoint.script = [SEARCH, ANSWER]
        agent = an_agent(endpoint)
        search = await agent.propose(view(PAGE))
        away = await agent.propose(view(asked, search))
        await agent.propose(view(RESULTS, away))
        await agent.close()
    assert away.action == AnswerDialog(accept=False)
    assert "FOUND:\nMore like this\nFive generations" in endpoint.requests[1].prompt


def test_pages_that_were_found_are_links_to_other_hosts() -> None:
    assert [hit.title for hit in links_elsewhere(RESULTS)] == ["Five generations", "Town news"]
    assert "Imprint" not in page_text(RESULTS, 100)
