"""What each format's words become: actions, who acted, scores that somebody else gave."""

import gzip
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.core.exchange.reading import read
from webbench.core.action.action import (
    Action,
    Back,
    Click,
    ClickAt,
    ElementRef,
    Goto,
    Press,
    Say,
    Scroll,
    Stop,
    Type,
)
from webbench.core.exchange.formats.agentlab import AgentLab
from webbench.core.exchange.formats.webvoyager import WebVoyager, action_of_words
from webbench.core.exchange.formats.who_and_when import WhoAndWhen
from webbench.core.exchange.import_format import Format
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.mind2web.online_mind2web import OnlineMind2Web, action_of_sentence
from webbench.core.exchange.place import Place
from webbench.core.exchange.webarena.nnetnav import NNetNav
from webbench.core.score.score import Status


def written(folder: Path, name: str, value: Any) -> Path:
    file = folder / name
    file.write_text(json.dumps(value))
    return file


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("Click [5]", Click(target=ElementRef(id=5))),
        ("Type [3]; two words", Type(target=ElementRef(id=3), text="two words", enter=True)),
        ("Scroll [WINDOW]; up", Scroll(dy=-1.0, unit="viewports")),
        ("GoBack", Back()),
        ("ANSWER; It is 5; really", Stop(answer="It is 5; really")),
        ("Click here", None),
    ],
)
def test_webvoyagers_words(words: str, action: Action | None) -> None:
    assert action_of_words(words) == action


@pytest.mark.parametrize(
    ("sentence", "action"),
    [
        ("Click at (440, 371)", ClickAt(x=440, y=371)),
        ("Scroll (delta_x=0, delta_y=-400)", Scroll(dx=0, dy=-400)),
        ('Type "support services"', Type(text="support services", clear=False)),
        ("Press CONTROL+HOME", Press(keys="CONTROL+HOME")),
        ("Navigate to https://a.example/", Goto(url="https://a.example/")),
        ("Navigate back", Back()),
        ("Click at the top", None),
        ("Slider to the right", None),
    ],
)
def test_sentences_of_online_mind2web(sentence: str, action: Action | None) -> None:
    assert action_of_sentence(sentence) == action


def test_a_judged_result_keeps_the_judges_score_and_says_that_steps_are_missing(tmp_path: Path) -> None:
    folder = tmp_path / "agent" / "t1"
    folder.mkdir(parents=True)
    judged = {"task_id": "t1", "task": "Do", "final_result_response": "done", "judge": {"score": 100}}
    written(folder, "result.json", judged)

    ((episode, steps),) = read(OnlineMind2Web(), folder)

    assert episode.header.score is not None
    assert (episode.header.score.value, episode.header.score.evaluator) == (1.0, "the source's judge")
    assert episode.lost == ["the steps: the source holds none"]
    assert [one.step.action for one in steps] == [None, Stop(answer="done")]


def test_a_webvoyager_task_is_read_from_the_first_message(tmp_path: Path) -> None:
    folder = tmp_path / "taskShop--1"
    folder.mkdir()
    asked = "Now given a task: Find a lamp.  Please interact with https://s.example/ and get the answer."
    turns = ["Thought: look\n\nAction: Click [2]", "Thought: there\n\nAction: ANSWER; $5"]
    chat = [
        {"role": "system", "content": "..."},
        {"role": "user", "content": [{"type": "text", "text": asked}]},
        *({"role": "assistant", "content": turn} for turn in turns),
    ]
    written(folder, "interact_messages.json", chat)
    (folder / "screenshot1.png").write_bytes(b"not a picture")

    ((episode, steps),) = read(WebVoyager(), folder)

    assert (episode.header.task.name, episode.header.task.intent) == ("Shop--1", "Find a lamp.")
    assert episode.header.end_reason == "the actor stopped"
    assert [one.step.index for one in steps] == [0, 1, 2]
    assert (steps[0].picture is not None, steps[1].picture) == (True, None)
    assert steps[1].step.reasoning == "look"


def test_who_said_what_and_where_it_went_wrong(tmp_path: Path) -> None:
    run = {
        "history": [{"role": "human", "content": "How much?"}, {"role": "WebSurfer", "content": "5" * 300}],
        "question": "How much?",
        "question_ID": "q1",
        "ground_truth": "6",
        "is_corrected": False,
        "mistake_agent": "WebSurfer",
        "mistake_step": "1",
        "mistake_reason": "misread",
    }

    ((episode, steps),) = read(WhoAndWhen(), written(tmp_path, "1.json", run))

    assert episode.header.settings["mistake"] == {
        "agent": "WebSurfer",
        "step": 2,
        "told_step": "1",
        "reason": "misread",
    }
    assert episode.header.score is not None
    assert (episode.header.score.status, episode.header.score.value) == (Status.SCORED, 0.0)
    assert [one.step.actor for one in steps] == ["operator", "operator", "agent"]
    assert steps[2].step.action == Say(text="5" * 300)
    assert steps[2].step.text == f"WebSurfer: {'5' * 199}…"


def test_rows_with_one_id_are_one_episode(tmp_path: Path) -> None:
    def row(identity: str, words: str) -> dict[str, Any]:
        user = "OBSERVATION:\n[1] RootWebArea 'S'\n\t[4] link 'Lamp'\nURL: http://s/\nOBJECTIVE: Buy\n"
        return {
            "dataset": "webarena_NNetNav",
            "id": identity,
            "messages": [{"role": "system", "content": ""}, {"role": "user", "content": user}],
            "output": f"<|start_header_id|>assistant<|end_header_id|>\nGo on. ```{words}```<|eot_id|>",
        }

    rows = [row("a", "click [4]"), row("a", "scroll [direction=down]"), row("b", "so be it ```stop [x]```")]

    (first, steps), (second, _) = read(NNetNav(), written(tmp_path, "rows.json", rows))

    assert (first.header.task.intent, second.header.end_reason) == ("Buy", "the actor stopped")
    assert steps[1].step.action == Click(target=ElementRef(id=4, role="link", name="Lamp"))
    assert steps[1].step.reasoning == "Go on. ```click [4]```"
    assert steps[2].step.text == "scroll [down]"


@pytest.mark.parametrize("make", [AgentLab, NNetNav, OnlineMind2Web, WebVoyager, WhoAndWhen])
def test_no_format_takes_what_is_not_its_own(tmp_path: Path, make: Callable[[], Format]) -> None:
    assert make().claim(Place(written(tmp_path, "a.json", {"a": 1}), tmp_path)) is None
    assert make().claim(Place(tmp_path, tmp_path)) is None


class StepInfo:
    """Pickled as AgentLab pickles its own: a class with attributes."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


def view(tree: str) -> dict[str, Any]:
    return {"axtree_txt": tree, "url": "http://s/", "goal": "Play", "open_pages_urls": ("http://s/",)}


def test_an_agentlab_episode_is_read_without_running_its_pickles(tmp_path: Path) -> None:
    folder = tmp_path / "2025-01-01_00-00-00_agent-a_on_music.task_3_0"
    folder.mkdir()
    steps = [
        StepInfo(obs=view("RootWebArea 'S'\n\t[7] button 'Play'"), action="click('7')  # play it", reward=0),
        StepInfo(obs=view("RootWebArea 'T'"), action=None, reward=1.0),
    ]
    for number, info in enumerate(steps):
        (folder / f"step_{number}.pkl.gz").write_bytes(gzip.compress(pickle.dumps(info)))
    written(folder, "summary_info.json", {"terminated": True, "cum_reward": 9.0})

    ((episode, read_steps),) = read(AgentLab(), folder)

    assert (episode.header.actor, episode.lost) == ("agent-a", [])
    assert episode.header.score is not None
    assert (episode.header.score.value, episode.header.score.checks[0].actual) == (1.0, 9.0)
    assert [one.step.text for one in read_steps] == ["", "click('7')  # play it"]
    assert isinstance(read_steps[1].step.action, Click)
    assert read_steps[1].step.action.target.name == "Play"


def test_what_is_no_step_of_agentlab_is_told_and_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "x_on_music.task_3_0"
    folder.mkdir()
    infos = [StepInfo(obs=view("RootWebArea 'S'"), action="noop()", reward=0), {"foreign": 1}]
    for number, info in enumerate(infos):
        (folder / f"step_{number}.pkl.gz").write_bytes(gzip.compress(pickle.dumps(info)))

    ((episode, read_steps),) = read(AgentLab(), folder)

    assert "step_1 holds no step of AgentLab" in episode.lost
    assert [one.step.text for one in read_steps] == ["", "noop()"]


def test_a_tree_of_agentlab_without_a_node_is_told_with_its_step(tmp_path: Path) -> None:
    folder = tmp_path / "x_on_music.task_3_0"
    folder.mkdir()
    infos = [
        StepInfo(obs=view(tree), action="noop()", reward=0) for tree in ("RootWebArea 'S'", "a page in prose")
    ]
    for number, info in enumerate(infos):
        (folder / f"step_{number}.pkl.gz").write_bytes(gzip.compress(pickle.dumps(info)))

    (told,) = (one for one in bring_in(tmp_path, [AgentLab()], None) if one.episodes)

    (trees,) = (row for row in told.account if row.kind == "trees")
    assert (trees.source, trees.recorded, [one.sort for one in trees.reasons]) == (2, 1, ["left"])
    assert "step 1: a tree that holds no node" in told.lost


def test_what_agentlab_has_as_objects_alone_is_left_with_its_reason(tmp_path: Path) -> None:
    folder = tmp_path / "x_on_music.task_3_0"
    folder.mkdir()
    seen = {"url": "http://s/", "axtree_object": {"nodes": [1]}, "dom_object": {"strings": ["a"]}}
    info = StepInfo(obs=seen, action="noop()", reward=0)
    (folder / "step_0.pkl.gz").write_bytes(gzip.compress(pickle.dumps(info)))

    (told,) = (one for one in bring_in(tmp_path, [AgentLab()], None) if one.episodes)

    rows = {row.kind: row for row in told.account}
    for kind in ("trees", "html"):
        assert (rows[kind].source, rows[kind].recorded) == (1, 0)
        assert [(one.sort, one.count) for one in rows[kind].reasons] == [("left", 1)]


def test_an_agentlab_run_that_broke_has_no_score(tmp_path: Path) -> None:
    folder = tmp_path / "x_on_music.task_3_0"
    folder.mkdir()
    (folder / "step_0.pkl.gz").write_bytes(gzip.compress(pickle.dumps(StepInfo(obs=None, action=None))))
    written(folder, "summary_info.json", {"err_msg": "no browser", "n_steps": 0})

    ((episode, _),) = read(AgentLab(), folder)

    assert episode.header.score is not None
    assert (episode.header.score.status, episode.header.score.value) == (Status.ERROR, None)
    assert "no browser" in episode.header.score.reason
