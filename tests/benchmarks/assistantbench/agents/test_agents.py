"""AssistantBench's agents on the bundled small web, over a scripted model."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.core.models.conversation import conversation
from tests.core.models.endpoint import running_endpoint, said
from webbench.benchmarks.assistantbench.agents.grounding import SEEACT_DEEDS, Ungrounded, grounded
from webbench.benchmarks.assistantbench.agents.model_answer import read_answer
from webbench.benchmarks.assistantbench.agents.replies import labelled
from webbench.benchmarks.assistantbench.agents.searching import search_tool
from webbench.core.action.action import (
    AnswerDialog,
    Click,
    ElementRef,
    FocusTab,
    Goto,
    Scroll,
    Search,
    Stop,
    Type,
)
from webbench.core.agent import AgentView
from webbench.core.agents.agent_spec import create_agent
from webbench.core.agents.model.choices import Choice, letter
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.launch import Browser
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import UsageError
from webbench.core.observation import AccessibilityNode, Dialog, Observation, Tab
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import Trajectory

TASK = "ferry-of-the-second-shop"
CHOICES = (Choice(letter="A", node=4, text="button 'Go'"), Choice(letter="AB", node=9, text="textbox ''"))


async def played(chromium: Browser, store: Store, spec: str) -> Trajectory:
    benchmark = find_benchmark("assistantbench")
    (task,) = benchmark.tasks(names=(TASK,))
    async with Engine(store, browser=chromium) as engine:
        run = engine.store.start_run(benchmark="assistantbench", agent=spec.split()[0], planned=1)
        options = EpisodeOptions(html=False, live_score=False)
        agent = make_agent(spec, benchmark, task)
        request = EpisodeRequest(benchmark=benchmark, task=task, run=run, actor=agent.name, options=options)
        async with engine.episode(request) as episode:
            await episode.start()
            await agent_turns.run(episode, agent)
        await agent.close()
        return engine.store.load(episode.header.episode)


@pytest.mark.thorough
@pytest.mark.browser
async def test_follow_up_questions_are_searched_for(chromium: Browser, tmp_path: Path) -> None:
    with conversation("secondshop") as (endpoint, script):
        spec = f"assistantbench-retrieval-zero-shot model=m url={endpoint.url} searches=2"
        recorded = await played(chromium, Store(tmp_path), spec)
    assert (script.faults, script.left) == ([], 0)
    assert recorded.header.score is not None
    assert recorded.header.score.value == 1.0
    searches = [step.action for step in recorded.steps if isinstance(step.action, Search)]
    assert [one.query for one in searches] == [
        "Pell Daughters second shop opened",
        "Dunlin built",
    ]
    assert [step.ok for step in recorded.steps[1:]] == [True, False, True, True]


@pytest.mark.browser
async def test_one_sees_plans_and_acts_and_another_answers_where_it_abstains(
    chromium: Browser, tmp_path: Path
) -> None:
    with conversation("secondlook") as (endpoint, script):
        spec = f"assistantbench-spa-else-closed-book model=m url={endpoint.url}"
        recorded = await played(chromium, Store(tmp_path), spec)
    assert (script.faults, script.left) == ([], 0)
    assert (recorded.header.score and recorded.header.score.value, recorded.header.actor) == (
        1.0,
        "assistantbench-spa-else-closed-book (m)",
    )
    click, malformed, end = recorded.steps[1:]
    assert [call.purpose for call in click.calls] == ["see", "choose"]
    assert all(call.messages[-1].pictures for call in click.calls), "both calls see the page"
    assert (malformed.ok, click.action) != (True, None)
    assert isinstance(end.action, Stop)
    assert [call.purpose for call in end.calls] == ["see", "choose", ""]
    assert "assistantbench-spa (m) gave no answer" in end.reasoning


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("45", "45"),
        ("$1,234.50", "1234.50"),
        ("€ 12", "12"),
        ("1978 and 1981", "1978 and 1981"),
        ("- Artist Point\n- Lone Star Geyser", '["Artist Point", "Lone Star Geyser"]'),
        ("1. one\n2. two", '["one", "two"]'),
        ("- only one", "- only one"),
        ('```json\n{"name":  "Bun",\n "price": 2}\n```', '{"name": "Bun", "price": 2}'),
        ('{"a": 1}\n{"a": 2}', '{"a": 1}\n{"a": 2}'),
        ('"quoted"', "quoted"),
        ("[not json", "[not json"),
        ("I don\u2019t know.", ""),
        ("None", ""),
        ("", ""),
    ],
)
def test_answers_are_read_in_the_form_that_is_meant(said: str, answer: str) -> None:
    assert read_answer(said) == answer


def test_labels_are_found_through_what_models_write_around_them() -> None:
    said = labelled("so:\n**SEARCH:** a b\nmore\n> ANSWER : x\nOTHER: y", frozenset({"SEARCH", "ANSWER"}))
    assert said == {"": "so:", "SEARCH": "a b\nmore", "ANSWER": "x\nOTHER: y"}
    answer = frozenset({"ANSWER"})
    assert labelled("**ANSWER: 696**", answer)["ANSWER"] == "696"
    assert labelled("Answer: 696", answer)["ANSWER"] == "696"
    assert labelled("ANSWER: * a\n* b", answer)["ANSWER"] == "* a\n* b"


def test_a_reply_is_grounded_or_told_what_it_lacks() -> None:
    assert grounded("ELEMENT: (A).\nACTION: Click", CHOICES) == Click(target=ElementRef(id=4))
    typed = grounded("ELEMENT: ab\nACTION: TYPE AND ENTER\nVALUE: 'fares'", CHOICES)
    assert typed == Type(target=ElementRef(id=9), text="fares", enter=True)
    assert grounded("ACTION: SCROLL UP", CHOICES) == Scroll(dy=-1, unit="viewports")
    assert grounded("ACTION: TERMINATE\nVALUE: - a\n- b", CHOICES) == Stop(answer='["a", "b"]')
    for reply, lacking in (
        ("ACTION: CLICK\nELEMENT: Z", "no letter"),
        ("ACTION: TYPE\nELEMENT: A", "needs a line VALUE"),
        ("I would click", "names none of"),
        ("ACTION: SWITCH TAB\nVALUE: the shop", "number of a tab"),
    ):
        with pytest.raises(Ungrounded, match=lacking):
            grounded(reply, CHOICES)
    with pytest.raises(Ungrounded, match="names none of"):
        grounded("ACTION: SEARCH\nVALUE: x", CHOICES, SEEACT_DEEDS)


async def test_another_tab_is_offered_where_there_is_one() -> None:
    task = Task(benchmark="assistantbench", name="q", intent="Which year?")
    tabs = (Tab(0, "Search", "http://a.test/"), Tab(1, "Shop", "http://b.test/", active=True))
    both = AgentView(task=task, step=1, observation=Observation(tabs=tabs), dialect="assistantbench")
    one = msgspec.structs.replace(both, observation=Observation(tabs=tabs[1:]))
    with running_endpoint() as endpoint:
        endpoint.script = [said("NEXT: back to the search"), said("ACTION: SWITCH TAB\nVALUE: Tab 0")] * 3
        agents = [
            create_agent(f"{preset} model=m url={endpoint.url}", AgentRequest(task=task))
            for preset in ("assistantbench-spa", "assistantbench-see-act")
        ]
        done = [
            await agent.propose(seen)
            for agent, seen in zip((agents[0], agents[0], agents[1]), (both, one, both), strict=True)
        ]
        for agent in agents:
            await agent.close()
    see, choose, alone, *_ = (str(request.body) for request in endpoint.requests)
    assert done[0].action == FocusTab(index=0)
    assert all("names none of" in proposal.malformed for proposal in done[1:])
    for told in ("Tab 0: Search | Tab 1 (current): Shop", "SWITCH TAB: go to"):
        assert told in see
        assert told in choose
        assert told not in alone


def test_letters_go_on_after_z() -> None:
    assert [letter(at) for at in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_a_search_tool_is_the_tasks_own_or_an_address() -> None:
    assert search_tool("task").action("a b") == Search(query="a b")
    assert search_tool("http://x.test/?q={query}").action("a&b c") == Goto(url="http://x.test/?q=a%26b+c")
    with pytest.raises(UsageError, match="no search tool"):
        search_tool("file:///{query}")


async def test_without_a_picture_the_page_is_told_in_words_and_a_dialog_always() -> None:
    task = Task(benchmark="assistantbench", name="q", intent="Which year?")
    shown = Observation(
        nodes=(AccessibilityNode(id=9, role="StaticText", name="Opened in 1978."),),
        dialog=Dialog("alert", "Cookies!"),
    )
    with running_endpoint() as endpoint:
        endpoint.script = [said("NEXT: accept"), said("ACTION: ACCEPT")]
        spec = f"assistantbench-spa model=m url={endpoint.url}"
        agent = create_agent(spec, AgentRequest(task=task))
        proposal = await agent.propose(
            AgentView(task=task, step=1, observation=shown, dialect="assistantbench")
        )
        await agent.close()
    see, choose = (request.prompt for request in endpoint.requests)
    assert proposal.action == AnswerDialog(accept=True)
    assert "ITS TEXT:\nOpened in 1978." in see
    assert "Dialog open: alert 'Cookies!'" in see
    assert "Dialog open" in choose
