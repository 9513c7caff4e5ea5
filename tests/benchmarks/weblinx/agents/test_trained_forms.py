"""Turns as the published models were trained to read them: page, candidates, history, templates, header."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.benchmarks.weblinx.folders import browser, chat, write_demonstration
from tests.core.models.endpoint import running_endpoint, said
from webbench.benchmarks.weblinx.agents.described_actions import examples
from webbench.benchmarks.weblinx.agents.mindact_text import mindact_text
from webbench.benchmarks.weblinx.agents.optimal_text import (
    Budgets,
    candidate_lines,
    fitted,
    history,
    page_text,
    pruned,
    trained_text,
    utterance_text,
)
from webbench.benchmarks.weblinx.agents.trained_forms import flattened, merged, read_template
from webbench.benchmarks.weblinx.agents.zero_shot import read_prediction
from webbench.benchmarks.weblinx.benchmark import create
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText
from webbench.benchmarks.weblinx.pages.accessibility_tree import parsed
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.agent import AgentView
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.errors import UsageError
from webbench.core.model_call import ModelCall
from webbench.core.models.tokens import token_count
from webbench.core.observation import DialogueTurn, Observation
from webbench.core.store.store import Store

PAGE = f"""<html {ID}="h"><head><title>t</title></head><body {ID}="b" class="all">
<div {ID}="d1"><ul {ID}="u" class="list" data-x="1" id="menu">
<li {ID}="l1">one</li><li {ID}="l2">two</li><li {ID}="l3">three</li>
<li {ID}="want" ng-if="a" title="Fish &amp; chips">four <b {ID}="bold">hot</b></li>
<li {ID}="l5">five</li><li {ID}="l6">six</li><li {ID}="l7">seven</li></ul></div>
<div {ID}="far" class="far"><input {ID}="i" name="q"></div></body></html>"""


def test_a_page_is_pruned_around_its_candidates_and_only_they_keep_their_ids() -> None:
    root = parsed(PAGE)
    assert root is not None
    text = page_text(root, ["want"], 700)
    # Two on each side stay; what has no attribute and one child at most gives way, and loses its text.
    assert text == f'(html(body class="all" (ul class="list" (li {ID}="want" title="Fish & chips"four ))))'
    assert root.get(ID) == "h", "the page itself is as it was"
    assert page_text(root, ["i"], 700).endswith(f'(div class="far"(input {ID}="i" name="q")))'), (
        "what HTML doesn't close isn't closed"
    )


class Counted(list[str]):
    """Knows how often it was gone through."""

    times = 0

    def __iter__(self) -> Iterator[str]:
        self.times += 1
        return super().__iter__()


def test_the_candidates_are_gone_through_once_and_not_for_each_element_of_the_page() -> None:
    root = parsed(PAGE)
    assert root is not None
    uids = Counted(["want"])
    assert pruned(root, uids).get(ID) is None
    assert uids.times == 1


def test_a_page_that_is_too_long_loses_the_longest_values_first_and_no_tag() -> None:
    words = "many words " * 60
    root = parsed(
        f'<html><body class="x"><p {ID}="a" title="short" class="{words}">{words}</p></body></html>'
    )
    assert root is not None
    text = page_text(root, ["a"], 90)
    assert token_count(text) <= 90
    assert 'title="short"' in text
    assert f'{ID}="a"' in text
    assert text.count("...") == 2


def candidate(uid: str, **parts: str) -> CandidateText:
    return CandidateText(uid=uid, tag="a", xpath="/html/body/a", bbox="x=1 y=2 width=3 height=4", **parts)


def test_candidates_are_told_by_uid_and_cut_without_their_tag_and_box() -> None:
    short = candidate("u-1", text="Home", attributes="href='/'")
    assert candidate_lines([short], 650) == (
        "(uid = u-1) [[tag]] a [[xpath]] /html/body/a [[text]] Home [[bbox]] x=1 y=2 width=3 height=4 "
        "[[attributes]] href='/' [[children]] \n"
    )
    long = candidate("u-2", attributes="class='" + "wide " * 200 + "'")
    first, second = candidate_lines([short, long], 180).splitlines()
    assert first == (
        "(uid = u-1) [[tag]] a [[xpath]] /html/body/a [[text]] Home [[bbox]] x=1 y=2 width=3 height=4 "
        "[[attributes]] href='/' "
    )
    assert second.startswith(
        "(uid = u-2) [[tag]] a [[xpath]] /html/body/a [[bbox]] x=1 y=2 width=3 height=4 [["
    )
    assert "..." in second
    assert token_count(first + second) <= 185


def test_what_is_short_stays_whole() -> None:
    assert fitted(["a b", "c " * 50], 60, 29) == ["a b", "c c c c c c c c...c c c c c c c c "]
    assert fitted(["a", "b"], 2, 100) == ["a", "b"]


TURNS = [
    chat("instructor", "Hello", 5.0),
    chat("navigator", "Hi", 12.0),
    browser("load", page=None, properties={"url": "https://shop.example/" + "a" * 300}),
    browser("textInput", "field", text="two\nlines"),
    browser("click", "button"),
    browser("copy", "menu", properties={"selected": "some text"}),
    browser("submit", "field"),
    chat("instructor", "Thanks", 70.0),
    chat("navigator", "Bye", 71.0),
]


def test_turns_of_the_history_are_calls_as_the_models_know_them(tmp_path: Path) -> None:
    write_demonstration(tmp_path / "lamps", TURNS)
    course = create(tmp_path).course("lamps")
    calls = [text for _, text in history(course.turns, 10_000)]
    assert calls[1] == 'say(speaker="navigator", utterance="Hi")'
    assert calls[2] == f'load(url="https://shop.example/{"a" * 176}...")'
    assert calls[3:5] == ['text_input(text="two\\nlines", uid="field")', 'click(uid="button")']
    assert calls[6] == 'submit(uid="field")'
    cut = [text for _, text in history(course.turns, 160)]
    assert "..." in cut[2]
    assert cut[1] == calls[1]


def test_the_first_and_the_last_four_utterances_stand_before_the_latest_turns() -> None:
    turns = [DialogueTurn(index=n, speaker="instructor", text=f"say {n}", seconds=n) for n in range(12)]
    assert (
        utterance_text(turns, 200) == "[00:00] say 0 [00:03] say 3 [00:04] say 4 [00:05] say 5 [00:06] say 6"
    )
    assert utterance_text(turns[:3], 200) == "No instructor utterance"


def test_turns_of_one_speaker_are_one_message_and_the_user_begins_and_ends() -> None:
    messages = merged([("navigator", "a()"), ("navigator", "b()"), ("instructor", "c")], "Answer.")
    assert [(one.role, one.text) for one in messages] == [
        ("user", ""),
        ("assistant", "a() b()"),
        ("user", "c Answer."),
    ]
    assert flattened("S", messages) == "S\nAssistant: a() b()\nUser: c Answer.\n\nAssistant:"


def test_a_template_is_read_once_and_only_with_fields_that_are_filled(tmp_path: Path) -> None:
    file = tmp_path / "llama.txt"
    file.write_text("{clean_html}\n{candidates}")
    assert read_template(str(file)).startswith("{clean_html}")
    file.write_text("{clean_html} {secret}")
    with pytest.raises(UsageError, match="fields that nothing fills: secret"):
        read_template(str(file))
    file.write_text("nothing")
    with pytest.raises(UsageError, match="has no field"):
        read_template(str(file))
    with pytest.raises(UsageError, match="can't be read"):
        read_template(str(tmp_path / "none"))


async def played(
    tmp_path: Path, spec: str, turns: int = 4, reply: str = 'say(speaker="navigator", utterance="Yes.")'
) -> list[list[dict[str, object]]]:
    """What the model was sent in each call, while an agent predicts turns of the bundled dialogue."""
    benchmark = create(tmp_path / "data" if (tmp_path / "data").is_dir() else None)
    task = benchmark.tasks(names=("mugtrip",))[0]
    with running_endpoint() as endpoint:
        endpoint.script = [said(reply)] * turns
        async with Engine(Store(tmp_path / "store")) as engine:
            run = engine.store.start_run(benchmark="weblinx", agent="weblinx", planned=1)
            async with engine.episode(EpisodeRequest(benchmark=benchmark, task=task, run=run)) as episode:
                await episode.start()
                agent = make_agent(f"{spec} model=m url={endpoint.url}", benchmark, task)
                await agent_turns.run(episode, agent, steps=turns)
                await agent.close()
        return [request.body["messages"] for request in endpoint.requests]


async def test_a_chat_model_is_asked_with_the_turns_as_messages(tmp_path: Path) -> None:
    *_, last = await played(tmp_path, "weblinx-otr-chat")
    assert [one["role"] for one in last][:2] == ["system", "user"]
    system = str(last[0]["content"])
    assert system.startswith("(html")
    assert "Viewport size: 720h x 1280w ;" in system
    assert system.count("(uid = ") == 10
    assert "text_input(text=[str], uid=[str]) ;" in system
    assert str(last[-1]["content"]).endswith("with nothing else.")


async def test_an_instructed_model_goes_on_after_assistant(tmp_path: Path) -> None:
    (only,) = (await played(tmp_path, "weblinx-otr-instruct", 2))[-1]
    assert str(only["content"]).endswith("\n\nAssistant:")


async def test_mindact_reads_choices_of_mind2webs_format_and_answers_with_an_action(tmp_path: Path) -> None:
    (only,) = (await played(tmp_path, "weblinx-mindact", 2))[-1]
    text = str(only["content"])
    assert text.startswith("(html")
    assert text.count("(uid = ") == 10
    assert 'Assistant: action(intent="say", speaker=' in text
    assert text.endswith("\n\nAssistant:")
    call = ModelCall(model="m", reply='action(uid="67e2a5fb-8b1d-41a0", intent="click")')
    assert read_prediction(call).text == 'click(uid="67e2a5fb-8b1d-41a0")'


def test_elements_are_told_as_in_the_papers_sample() -> None:
    root = parsed(
        f"""<html><body><a {ID}="a" class="rc-link" href="/x"><span {ID}="s" class="text">EXPLORE</span>
        <i {ID}="i" class="fa ency-down"></i></a><form {ID}="f">
        <input {ID}="q" type="search" name="q" value="" placeholder="What do you want to learn today?"
        class="searchbox form-search form-input">
        <input {ID}="go" type="submit" value="Search" class="button js-form-submit form-submit"></form>
        <p class="copy https-is-much-too-long"><b {ID}="b" title="hidden">Read more</b> about it</p>
        </body></html>"""
    )
    assert root is not None
    order = ["q", "go", "s", "a", "i", "f", "b"]
    made = mindact_text([], [CandidateText(uid) for uid in order], root)
    assert made.choices.splitlines() == [
        "(uid = q) (input id=4 search q what do you want to searchbox",
        "(uid = go) (input id=5 submit search button js-form-submit form-submit )",
        "(uid = s) (span id=1 textEXPLORE)",
        "(uid = a) (a id=0 rc-link(span id=1 textEXPLORE)(i id=2 fa ency-down ))",
        "(uid = i) (i id=2 fa ency-down )",
        "(uid = f) (form id=3(input id=4 search q what do you want to",
        "(uid = b) (b id=6Read more) about it",
    ]
    assert "(input id=4 search q what do you want to searchbox form-search form-input )" in made.page
    assert "(p copy(b id=6Read more) about it)" in made.page
    short = mindact_text([], [CandidateText(uid) for uid in order], root, Budgets(page=8, candidates=40))
    assert token_count(short.page) == 8
    assert [line.partition(") ")[0] for line in short.choices.splitlines()] == [
        f"(uid = {uid}" for uid in order
    ]
    assert sum(token_count(line.partition(") ")[2]) for line in short.choices.splitlines()) <= 40


def test_parts_are_cut_by_the_tokens_of_the_models_own_tokeniser() -> None:
    def letters(text: str) -> list[tuple[int, int]]:
        return [(at, at + 1) for at in range(len(text))]

    words = " ".join(f"word{at}" for at in range(200))
    root = parsed(
        f'<html><body class="x"><p {ID}="a" title="{words}">{words}</p><p>{words}</p></body></html>'
    )
    assert root is not None
    candidates = [CandidateText("a", tag="p", text=words, attributes=f"title='{words}'")]
    budgets = Budgets(page=300, utterances=50, turns=50, candidates=200, pieces=letters)
    made = trained_text([], candidates, root, budgets)
    assert len(made.page) <= 300
    assert len(made.page) + len(made.candidates) + len(made.utterances) <= 600
    assert "..." in made.candidates
    whole = trained_text([], candidates, root, Budgets(page=300, utterances=50, turns=50, candidates=200))
    assert len(whole.page) > 300, "counted about, a token is a word"
    assert len(mindact_text([], candidates, root, budgets).page) <= 300


async def test_a_published_template_is_filled_and_its_page_can_fill_nothing(tmp_path: Path) -> None:
    file = tmp_path / "llama.txt"
    file.write_text("P{clean_html}\nU{utterances}\nV{viewport}\nC{candidates}\nH{action_history}")
    (only,) = (await played(tmp_path, f"weblinx form=template template={file}", 2))[-1]
    lines = str(only["content"]).splitlines()
    assert lines[0].startswith("P(html")
    assert "V720h x 1280w" in lines


async def test_a_model_of_pictures_gets_the_text_above_the_screenshot(tmp_path: Path) -> None:
    first, second = await played(tmp_path, "weblinx-pix2act", 2)
    sizes = []
    for (only,) in (first, second):
        content = only["content"]
        assert isinstance(content, list)
        assert content[0] == {"type": "text", "text": ""}
        data = content[1]["image_url"]["url"].partition("base64,")[2]
        with Image.open(io.BytesIO(__import__("base64").b64decode(data))) as picture:
            sizes.append(picture.size)
    assert sizes[0][1] < sizes[1][1], "the first turn has no page, so that the text stands alone"
    assert sizes[1][1] > sizes[1][0] * 720 / 1280


async def test_actions_are_described_with_examples_of_other_demonstrations(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_demonstration(data / "demonstrations" / "lamps", TURNS)
    write_demonstration(data / "demonstrations" / "chairs", TURNS)
    (data / "splits.json").write_text(json.dumps({"train": ["lamps"], "valid": ["chairs"]}))
    *_, last = await played(tmp_path, "weblinx-described", 2)
    system = str(last[0]["content"])
    assert "click(uid=[str]) - " in system
    assert 'Target:\ntext_input(text="two\\nlines", uid="field")' in system
    of_training = examples(create(data), "chairs")
    assert of_training.count("Target:") == 4, "say, load, text_input, submit; nobody predicts the click"
    assert "mug" not in of_training
    assert examples(create(data), "lamps").count("Target:") > 4, "no other of the split train is at hand"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("form=own examples=yes", "no use of examples"),
        ("form=template examples=yes template=x", "no use of examples"),
        ("form=picture examples=yes picture=yes", "no use of examples and picture"),
        ("form=picture page_tokens=10", "no use of page_tokens"),
        ("form=chat template=x", "no use of template"),
        ("template=x", "no use of template"),
        ("form=template prompt=weblinx/predict2", "no use of prompt"),
        ("form=instruct temperature=0", "asks the same again"),
    ],
)
def test_what_changes_nothing_in_a_form_is_refused(words: str, told: str) -> None:
    task = create().tasks(names=("mugtrip",))[0]
    with pytest.raises(UsageError, match=told):
        create_agent(f"weblinx {words} model=m url=http://127.0.0.1:9", AgentRequest(task=task))


@pytest.mark.parametrize("name", ["otr-chat", "otr-instruct", "described", "pix2act"])
async def test_models_as_they_were_trained_are_not_asked_the_same_twice(name: str, tmp_path: Path) -> None:
    asked = await played(tmp_path, f"weblinx-{name}", 2, reply="I would click.")
    assert len(asked) == 1, "the second step gives the turn up"


async def test_the_forms_are_for_weblinx_alone() -> None:
    task = create().tasks(names=("mugtrip",))[0]
    agent = create_agent("weblinx-otr-chat model=m url=http://127.0.0.1:9", AgentRequest(task=task))
    with pytest.raises(UsageError, match="needs WebLINX' demonstrations"):
        await agent.propose(AgentView(task=task, step=0, observation=Observation()))
    await agent.close()
