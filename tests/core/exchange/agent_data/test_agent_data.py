"""Trajectories of the Agent Data Protocol, from other data sets and from our own export."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.core.exchange.reading import read
from webbench.core.action.action import (
    Action,
    Check,
    Click,
    ElementRef,
    Goto,
    Press,
    Say,
    Scroll,
    Select,
    Stop,
    Type,
)
from webbench.core.exchange.agent_data.actions import action_of_call, element_at
from webbench.core.exchange.agent_data.importer import AgentData
from webbench.core.exchange.export_format import find_exporter
from webbench.core.exchange.exporting import export
from webbench.core.exchange.importing import bring_in
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step


def api(function: str, **arguments: Any) -> dict[str, Any]:
    return {"class_": "api_action", "function": function, "kwargs": arguments, "description": None}


def text(content: str, source: str) -> dict[str, Any]:
    return {"class_": "text_observation", "content": content, "source": source}


def web(**more: Any) -> dict[str, Any]:
    return {"class_": "web_observation", "html": None, "axtree": None, "url": None} | more


def written(tmp_path: Path, content: list[Any], **details: Any) -> Path:
    file = tmp_path / "shop.sample_std.json"
    file.write_text(json.dumps([{"id": "buy__3", "content": content, "details": details}]))
    return file


BOX = ElementRef(id=3, role="textbox")
ASKED = ElementRef(selector="#q")
LIST = ElementRef(path="//select[1]")


@pytest.mark.parametrize(
    ("function", "arguments", "action"),
    [
        ("type", {"target": {"id": 3, "role": "textbox"}, "text": "x"}, Type(target=BOX, text="x")),
        ("goto", {"url": "http://s/"}, Goto(url="http://s/")),
        ("click", {"bid": "12"}, Click(target=ElementRef(id=12, role="link", name="Cart"))),
        ("select_option", {"xpath": "//select[1]", "options": ["a"]}, Select(target=LIST, options=("a",))),
        ("check", {"selector": "#q"}, Check(target=ASKED)),
        ("press", {"css": "#q", "key_comb": "Enter"}, Press(keys="Enter", target=ASKED)),
        ("fly", {"xpath": "//a"}, None),
    ],
)
def test_calls_in_the_ways_that_are_known(
    function: str, arguments: dict[str, Any], action: Action | None
) -> None:
    seen = Observation(nodes=(AccessibilityNode(id=12, role="link", name="Cart"),))

    assert action_of_call(function, arguments, seen) == action


def test_an_xpath_of_attributes_becomes_a_selector() -> None:
    element = element_at("""//input[@name="q" and @type='radio' and @value="a\\"]""")

    assert (element.field, element.option, element.role) == ("q", "a\\", "radio")
    assert element.selector == r'input[name="q"][type="radio"][value="a\\"]'
    assert element_at("//input[" + "  @a='1'  " * 2000 + "!").selector == ""


def test_what_is_observed_belongs_to_the_action_before(tmp_path: Path) -> None:
    content = [
        text("Buy a lamp", "user"),
        web(url="http://s/", axtree="[1] RootWebArea 'S'\n\t[4] link 'Lamp'"),
        api("click", bid="4") | {"reasoning_content": "there", "reward": 0.5},
        text("not found", "environment"),
        text("The red one", "user"),
        {"class_": "code_action", "language": "python", "content": "rm()"},
        {"class_": "message_action", "content": "Done."},
    ]

    ((episode, steps),) = read(AgentData(), written(tmp_path, content, task="buy", actor="agent-x"))

    header = episode.header
    assert (header.task.benchmark, header.task.id, header.task.intent) == ("shop", "buy#3", "Buy a lamp")
    assert (header.actor, header.end_reason) == ("agent-x", "the actor stopped")
    assert [one.step.actor for one in steps] == ["operator", "agent", "operator", "agent", "agent"]
    assert steps[0].observation is not None
    assert steps[0].step.url == "http://s/"
    clicked = steps[1].step
    assert clicked.action == Click(target=ElementRef(id=4, role="link", name="Lamp"))
    assert (clicked.output, clicked.reasoning, clicked.note) == ("not found", "there", "reward 0.5")
    assert [one.step.action for one in steps[2:]] == [Say(text="The red one"), None, Stop(answer="Done.")]
    assert episode.lost == ["code that was run is kept as text"]


NAMED, PROSE, VIEW = "[1] button 'A'", "a page in prose", [1280, 720]


@pytest.mark.parametrize(
    ("pages", "source", "recorded"),
    [
        ((web(axtree=NAMED), web(axtree=NAMED)), 2, 1),
        ((web(axtree=NAMED, viewport_size=VIEW), web(viewport_size=VIEW)), 1, 0),
        ((web(axtree=NAMED, viewport_size=VIEW), web(axtree=PROSE, viewport_size=VIEW)), 2, 0),
        ((web(axtree=NAMED), web(axtree=PROSE)), 2, 1),
        ((web(axtree=NAMED), web(axtree=[], html=[])), 1, 1),
    ],
)
def test_every_tree_that_is_not_kept_has_its_reason(
    tmp_path: Path, pages: tuple[dict[str, Any], ...], source: int, recorded: int
) -> None:
    """Two pages are seen after one action: the last one that tells anything is the step's."""
    file = written(tmp_path, [text("Buy", "user"), api("noop"), *pages])

    (told,) = bring_in(file, [AgentData()], None)

    (trees,) = (row for row in told.account if row.kind == "trees")
    reasons = [one.sort for one in trees.reasons]
    assert (trees.source, trees.recorded, reasons) == (source, recorded, ["left"] * len(reasons))
    assert sum(one.count for one in trees.reasons) == source - recorded
    assert not [line for line in told.lost if "unexplained" in line]


def test_pictures_come_from_files_beside_it_and_from_nowhere_else(tmp_path: Path) -> None:
    encoded = io.BytesIO()
    Image.new("RGB", (2, 2)).save(encoded, "PNG")
    folder = tmp_path / "export"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "a.png").write_bytes(encoded.getvalue())
    (tmp_path / "secret.png").write_bytes(encoded.getvalue())
    inline = "data:image/png;base64," + base64.b64encode(encoded.getvalue()).decode()
    names = ["images/a.png", inline, "../secret.png", "/etc/hostname", "data:image/png;base64,?"]
    content = [web(image_observation={"content": name}) for name in names]
    steps = [one for pair in content for one in (pair, api("goto", url="x"))]
    line = json.dumps({"id": "a", "content": steps, "details": {"score": {"value": 0.5}}})
    (folder / "trajectories.jsonl").write_text(line + "\n")

    ((episode, read_steps),) = read(AgentData(), folder)

    assert [one.picture is not None for one in read_steps] == [True, True, False, False, False, False]
    assert len(episode.lost) == 3
    assert episode.header.score is not None
    assert episode.header.score.value == 0.5


def test_a_line_that_is_cut_off_ends_the_file(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(json.dumps({"id": "a", "content": [api("goto", url="x")]}) + '\n{"id": "b", "cont')

    (told,) = bring_in(file, [AgentData()], None)

    assert (told.state, told.episodes) == ("partial", 1)
    assert "line 2, is no readable JSON" in told.lost[0]


def test_our_own_export_comes_back_with_its_actions(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    lamp = AccessibilityNode(id=4, role="link", name="Lamp", interactive=True)
    page = Observation(url="http://s/", nodes=(lamp,))
    task = Task(benchmark="shop", name="lamp", instance=2, intent="Buy a lamp")
    header = EpisodeHeader(run="", episode="", task=task, actor="agent-x", dialect="webarena")
    recorder = store.recorder(store.start_run("shop", "agent-x", 1), header, durable=False)
    actions = [
        Click(target=ElementRef(id=4, role="link", name="Lamp")),
        Type(target=ElementRef(id=4, role="link", name="Lamp"), text="x", enter=True),
        Scroll(dy=-1.0, unit="viewports"),
        Stop(answer="$5"),
    ]
    recorder.write(Step(index=0, at="", actor="operator", url="http://s/"), observation=page)
    for index, action in enumerate(actions, start=1):
        recorder.write(Step(index=index, at="", actor="agent", action=action), observation=page)
    recorder.finish(Score(status=Status.SCORED, value=1.0), "done")
    export(store, [recorder.folder], find_exporter("adp"), tmp_path / "out")
    store.close()

    ((episode, steps),) = read(AgentData(), tmp_path / "out")

    assert [one.step.action for one in steps[1:]] == actions
    assert [one.observation.nodes for one in steps if one.observation] == [page.nodes] * 5
    header = episode.header
    assert (header.task.benchmark, header.task.id, header.task.intent) == ("shop", "lamp#2", "Buy a lamp")
    assert (header.actor, header.score and header.score.value) == ("agent-x", 1.0)
