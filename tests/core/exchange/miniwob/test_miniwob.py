"""MiniWoB's doubled events become what the person did, on the page as it was then."""

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

from tests.core.exchange.reading import read
from webbench.core.action.action import Click, ClickAt, DragAt, Press, Scroll, Type
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.miniwob.miniwob import MiniWob
from webbench.core.store.store import Store

DOWN, UP, CLICK = "mousedown", "mouseup", "click"


def node(ref: int, tag: str, top: float = 0.0, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    box = {"left": 5, "top": top, "width": 50, "height": 20}
    return {"tag": tag, "ref": ref, "children": list(children), **box, **more}


def page(target: int | None = None, typed: str = "", scrolled: float = 0.0) -> dict[str, Any]:
    nodes = [
        node(2, "INPUT_text", 10, value=typed, id="name"),
        node(3, "BUTTON", 40, text="Go"),
        node(4, "DIV", 70, node(5, "SPAN", 70 - scrolled, text="first")),
    ]
    for one in nodes:
        one |= {"recordingTarget": True} if one["ref"] == target else {}
    return node(1, "BODY", 0, *nodes)


def twice(kind: str, target: int | None, **more: Any) -> list[dict[str, Any]]:
    """An event in both of its phases, on a page that `typed` and `scrolled` tell of."""
    seen = page(target, more.pop("typed", ""), more.pop("scrolled", 0.0))
    time = more.pop("time", 0)
    return [
        {"time": time, "action": {"type": kind, "timing": phase, **more}, "dom": seen} for phase in (1, 3)
    ]


def key(code: int, character: int = 0, target: int = 2, **more: Any) -> list[dict[str, Any]]:
    printed = twice("keypress", target, keyCode=character, charCode=character, **more) if character else []
    return [
        *twice("keydown", target, keyCode=code, charCode=0, **more),
        *printed,
        *twice("keyup", target, keyCode=code, charCode=0, **more),
    ]


def clicked(target: int | None, x: float = 9, y: float = 9, **more: Any) -> list[dict[str, Any]]:
    return [event for kind in (DOWN, UP, CLICK) for event in twice(kind, target, x=x, y=y, **more)]


def done(tmp_path: Path, *events: list[dict[str, Any]], end: dict[str, Any] | None = None) -> list[Any]:
    start = {"time": 0, "action": None, "dom": page()}
    last = {"time": 9000, "action": None, "dom": end or page(None, "Hi")}
    recording = {
        "utterance": "Say Hi",
        "states": [start, *itertools.chain(*events), last],
        "rawReward": 1,
        "reward": 0.8,
    }
    folder = tmp_path / "2017-first" / "say-hi"
    folder.mkdir(parents=True)
    (folder / "say-hi_ABC_d4.json.gz").write_bytes(gzip.compress(json.dumps(recording).encode()))
    ((episode, steps),) = read(MiniWob(), folder / "say-hi_ABC_d4.json.gz", tmp_path)
    assert (episode.header.actor, episode.header.task.name) == ("human", "say-hi")
    assert episode.header.settings == {
        "annotator": "ABC",
        "session": "2017-first",
        "recording": "4",
        "reward": 0.8,
    }
    assert episode.header.score is not None
    assert episode.header.score.metrics == {"time-discounted reward": 0.8}
    return steps


def test_doubled_events_become_a_click_a_text_and_a_key(tmp_path: Path) -> None:
    typing = [key(16), key(72, 72), key(73, 105, typed="H"), key(88, 120, typed="Hi"), key(8, typed="Hix")]

    steps = done(tmp_path, clicked(2), *typing, key(13, typed="Hi"), clicked(3, typed="Hi"))

    assert [one.step.text for one in steps] == [
        "",
        "click textbox [2]",
        'type "Hi" into textbox [2] and press Enter',
        'click button "Go"',
    ]
    typed = steps[2].step.action
    assert isinstance(typed, Type)
    assert typed.target is not None
    assert (typed.clear, typed.target.selector) == (False, "#name")
    assert [node.value for node in steps[1].observation.nodes if node.id == 2] == [""]
    assert [node.value for node in steps[2].observation.nodes if node.id == 2] == ["Hi"]
    assert steps[2].observation.nodes[1].box.y == 10


def test_what_only_follows_from_a_click_is_no_step_of_its_own(tmp_path: Path) -> None:
    echo = twice(CLICK, 3, x=9, y=9)
    second = [*clicked(3), *twice("dblclick", 3, x=9, y=9)]

    steps = done(tmp_path, clicked(4), echo, clicked(None, x=80, y=20), second)

    actions = [one.step.action for one in steps[1:]]
    assert [type(action) for action in actions] == [Click, ClickAt, Click]
    assert actions[1] == ClickAt(x=80, y=20)
    assert steps[3].step.note == "the second of a double click"


def test_scrolls_drags_and_chords(tmp_path: Path) -> None:
    bar = [*twice(DOWN, 4, x=150, y=80), *twice("scroll", 4, scrolled=30)[:1], *twice(UP, 4, x=150, y=90)]
    loading = twice("scroll", 4)[:1]
    drag = [*twice(DOWN, 2, x=1, y=1, scrolled=30), *twice(UP, 2, x=40, y=1, scrolled=30)]
    copy = [*twice("keydown", 2, keyCode=17, scrolled=30), *twice("keydown", 2, keyCode=67, scrolled=30)]

    steps = done(tmp_path, loading, bar, drag, copy)

    scroll, dragged, pressed = (one.step.action for one in steps[1:])
    assert isinstance(scroll, Scroll)
    assert scroll.dy == 30
    assert dragged == DragAt(x=1, y=1, to_x=40, to_y=1)
    assert isinstance(pressed, Press)
    assert pressed.keys == "Control+c"


def test_a_state_without_a_page_is_told(tmp_path: Path) -> None:
    recording = {"states": [{"dom": page()}, {"dom": None}], "utterance": "x", "tag": 1, "taskName": "t"}
    (tmp_path / "t.json").write_text(json.dumps(recording))

    ((episode, steps),) = read(MiniWob(), tmp_path / "t.json", tmp_path)

    assert episode.lost == ["state 1 holds no page"]
    assert len(steps) == 1
    assert episode.header.score is not None
    assert episode.header.score.value is None


def test_an_invented_password_stays_readable_in_the_instruction(tmp_path: Path) -> None:
    field = node(2, "INPUT_password", 10, value="", recordingTarget=True)
    typing = [{"time": 1, "action": one["action"], "dom": node(1, "BODY", 0, field)} for one in key(83, 115)]
    states = [{"time": 0, "action": None, "dom": node(1, "BODY", 0, field)}, *(typing * 4)]
    recording = {"utterance": "Enter the password ssss", "states": states, "taskName": "login"}
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "login_A_d1.json").write_text(json.dumps(recording))
    store = Store(tmp_path / "store")

    list(bring_in(tmp_path / "in", [MiniWob()], store))

    (summary,) = store.episodes()
    assert summary.intent == "Enter the password ssss"
    assert store.load(summary.episode).steps[1].text == 'type "ssss" into textbox [2]'
