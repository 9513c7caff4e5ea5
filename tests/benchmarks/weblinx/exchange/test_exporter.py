"""Loader and exporter test each other: what is written loads again, and its own oracle scores 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.weblinx import shop_dialogue
from webbench.benchmarks.weblinx.benchmark import WebLINXBenchmark, create
from webbench.benchmarks.weblinx.exchange.exporter import demonstration_of
from webbench.benchmarks.weblinx.exchange.folder_writer import write_demonstration
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.action.action import (
    Action,
    Back,
    ClickAt,
    CloseTab,
    Drag,
    ElementRef,
    FocusTab,
    Goto,
    NewTab,
    Press,
    Scroll,
    SetRange,
    Stop,
    Submit,
    Type,
)
from webbench.core.agent import AgentView
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.datasets.checking import check_data
from webbench.core.datasets.data_family import data_families
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import UsageError
from webbench.core.observation import AccessibilityNode, Box, Observation
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory

SHIPPED = "mugtrip"
INTENTS = ["say", "say", "say", "click", "textInput", "submit", "change", "say", "click", "say", "say"]
INTENTS += ["click", "click", "say", "say"]


async def replayed(benchmark: WebLINXBenchmark, name: str) -> Score:
    task = benchmark.tasks(names=(name,))[0]
    oracle = benchmark.oracle(task)
    async with benchmark.stage(task) as stage:
        world = stage.environment
        assert world is not None
        await world.reset(EnvironmentSetup())
        while not await stage.ended(observation := await world.observe()):
            proposal = await oracle.propose(AgentView(task=task, step=0, observation=observation))
            assert proposal.action is not None
            result = await world.act(proposal.action)
            assert result.ok, result.error
        evidence = await benchmark.evaluator.collect(world, stage, "")
    return benchmark.evaluator.score(task, evidence)


def intents(folder: Path) -> list[str]:
    turns = json.loads((folder / "replay.json").read_text())["data"]
    return [turn["action"]["intent"] if turn["type"] == "browser" else "say" for turn in turns]


async def test_the_bundled_demonstration_is_walked_by_its_oracle() -> None:
    bundle = next(bundle for bundle in bundles_of("weblinx") if bundle.name == "shop-talk")
    score = await replayed(create(), SHIPPED)
    assert (score.value, score.beside[0].value, score.metrics["turns_left"]) == (1.0, 1.0, 0)
    folder = bundle.data / SHIPPED
    assert intents(folder) == INTENTS
    pictures = sum(file.stat().st_size for file in (folder / "screenshots").iterdir())
    assert 10_000 < pictures < 150_000


@pytest.mark.browser
async def test_a_trip_through_the_shop_loads_again(environment: BrowserEnvironment, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    episode, shop = await shop_dialogue.record(environment, store)
    folder = tmp_path / "demonstrations" / "trip"
    exported = shop_dialogue.export(store, episode, shop, folder)
    assert not exported.left_out
    assert intents(folder) == INTENTS
    score = await replayed(create(folder.parent), "trip")
    assert score.value == 1.0
    files = [file for file in folder.rglob("*") if file.suffix in (".json", ".html")]
    assert len(files) == 3 + 2 * len(exported.states)
    assert not [file for file in files if "127.0.0.1" in file.read_text()]
    with pytest.raises(UsageError, match="not empty"):
        shop_dialogue.export(store, episode, shop, folder)
    store.close()


PAGE = """<html><body><form action="/s"><p hidden>Buy</p><label>Words <input name="q"></label>
<button type="submit">Buy</button></form><p>Buy</p></body></html>"""


def node(id: int, role: str, tag: str, depth: int, name: str = "", **more: Any) -> AccessibilityNode:
    return AccessibilityNode(
        id=id, role=role, tag=tag, depth=depth, name=name, box=Box(10, 10.0 * id, 50, 8), **more
    )


SEEN = Observation(
    url="https://shop.example/",
    nodes=(
        node(1, "RootWebArea", "", 0),
        node(2, "form", "form", 1),
        node(3, "textbox", "input", 2, "Words", interactive=True, attributes={"name": "q"}),
        node(4, "button", "button", 2, "Buy", interactive=True),
        node(5, "StaticText", "", 3, "Buy"),
        node(6, "paragraph", "p", 1),
        node(7, "StaticText", "", 2, "Buy"),
    ),
)


def turns_of(*actions: Action, notes: tuple[str, ...] = (), ok: bool = True) -> tuple[list[Any], list[str]]:
    """What a record of these actions on one page becomes."""
    header = EpisodeHeader(
        run="r",
        episode="e",
        task=Task(benchmark="demo", name="t", intent="Buy it"),
        actor="human",
        dialect="webarena",
    )
    at = "2026-01-02T03:04:05.000+00:00"
    steps = [Step(index=0, at=at, observation="o", html="h")]
    steps += [Step(index=1, at=at, note=note) for note in notes]
    steps += [
        Step(index=1, at=at, action=action, ok=ok, text="did it", observation="o") for action in actions
    ]
    found = demonstration_of(
        Trajectory(header=header, steps=tuple(steps)), lambda _step: (SEEN, PAGE, None), "demo"
    )
    return list(found.turns), list(found.left_out)


def told(turn: Any) -> Any:
    """Intent, id-less element and the arguments that scores read."""
    if turn["type"] == "chat":
        return (turn["speaker"], turn["utterance"])
    arguments = turn["action"]["arguments"]
    element = arguments.get("element")
    rest = {
        key: value for key, value in arguments.items() if key not in ("metadata", "element", "properties")
    }
    chosen = {key: arguments["properties"][key] for key in ("url", "tabId") if key in arguments["properties"]}
    return (turn["action"]["intent"], element and element["tagName"], rest | chosen)


def test_every_action_becomes_the_turn_that_the_format_has_for_it() -> None:
    field, button = ElementRef(id=3, path="body[0]/form[0]/label[0]/input[0]"), ElementRef(id=4)
    turns, left_out = turns_of(
        Type(target=field, text="mug", enter=True),
        ClickAt(x=20, y=44),
        Submit(target=button),
        SetRange(target=field, value=3),
        Press(keys="Enter", target=field),
        Goto(url="https://x.example/"),
        Back(),
        NewTab(url="https://y.example/"),
        FocusTab(index=1),
        CloseTab(),
        Scroll(dy=1, unit="viewports"),
        Stop(answer="It costs 3"),
    )
    assert [told(turn) for turn in turns] == [
        ("instructor", "Buy it"),
        ("textInput", "INPUT", {"text": "mug"}),
        ("submit", "FORM", {}),
        ("click", "BUTTON", {}),
        ("submit", "FORM", {}),
        ("change", "INPUT", {"value": "3"}),
        ("submit", "FORM", {}),
        ("load", None, {"url": "https://x.example/"}),
        ("load", None, {"url": ""}),
        ("tabcreate", None, {"tabId": -1}),
        ("load", None, {"url": "https://y.example/"}),
        ("tabswitch", None, {"tabId": 2}),
        ("tabremove", None, {"tabId": 1}),
        ("scroll", None, {"scrollX": 0, "scrollY": 0}),
        ("navigator", "It costs 3"),
    ]
    assert left_out == []


def test_a_copied_or_pasted_text_that_nobody_recorded_is_unknown_not_empty(tmp_path: Path) -> None:
    turns, _ = turns_of(Press(keys="Control+c"), Press(keys="Control+v"))
    assert [told(turn) for turn in turns[1:]] == [
        ("copy", None, {"selected": None}),
        ("paste", None, {"pasted": None}),
    ]
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "replay.json").write_text(json.dumps({"data": turns}))
    (checked,) = check_data(tmp_path, data_families()).found
    assert [problem for problem in checked.problems if problem.severity == "error"] == []


def test_notes_speak_and_what_has_no_turn_is_told() -> None:
    drag = Drag(source=ElementRef(id=3), target=ElementRef(id=4))
    turns, left_out = turns_of(drag, notes=("Instructor: Two, please", "odd page", "navigator:  Sure "))
    assert [told(turn) for turn in turns] == [("instructor", "Two, please"), ("navigator", "Sure")]
    assert left_out == ["step 1 is no turn of WebLINX: did it"]
    turns, left_out = turns_of(Goto(url="x"), ok=False)
    assert left_out == ["step 1 had no effect: did it"]
    assert len(turns) == 1


def test_steps_without_a_recorded_page_are_told_and_not_dropped_in_silence() -> None:
    header = EpisodeHeader(
        run="r", episode="e", task=Task(benchmark="demo", name="t"), actor="agent", dialect=""
    )
    steps = (
        Step(index=0, at=""),
        Step(index=1, at="", action=Goto(url="https://x.example/"), text="goto x"),
        Step(index=2, at="", text="dance"),
    )
    found = demonstration_of(
        Trajectory(header=header, steps=steps), lambda _step: (Observation(), "", None), "demo"
    )
    assert found.turns == []
    assert found.left_out == [
        "step 1 needs the page that it was done on, which is not recorded: goto x",
        "step 2 is no action that is understood: dance",
    ]


def test_elements_are_paired_past_hidden_ones_and_keep_their_boxes(tmp_path: Path) -> None:
    header = EpisodeHeader(
        run="r", episode="e", task=Task(benchmark="demo", name="t"), actor="human", dialect="webarena"
    )
    steps = (
        Step(index=0, at="2026-01-02T03:04:05.000+00:00", observation="o", html="h"),
        Step(index=1, at="no time", action=Submit(target=ElementRef(id=3)), observation="o"),
    )
    found = demonstration_of(Trajectory(header=header, steps=steps), lambda _step: (SEEN, PAGE, None), "demo")
    folder = tmp_path / "demo"
    write_demonstration(folder, found, renames=(("shop.example", "other.example"),))
    html = (folder / "pages" / "page-1-0.html").read_text()
    boxes = json.loads((folder / "bboxes" / "bboxes-1.json").read_text())
    assert html.count(ID) == len(boxes) == 5
    assert "<p hidden>Buy</p>" in html.replace('hidden=""', "hidden")
    turn = json.loads((folder / "replay.json").read_text())["data"][0]
    assert turn["action"]["arguments"]["metadata"]["url"] == "https://other.example/"
    assert boxes[turn["action"]["arguments"]["element"]["attributes"][ID]]["top"] == 20
