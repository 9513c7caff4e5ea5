"""A task made of a recording: what is suggested, what a trial tells, and that what is written holds."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from webbench.benchmarks.common.demonstrated_task import change_task, write_task
from webbench.benchmarks.webcanvas.recording import RecordedStep, Recording, read_recording
from webbench.benchmarks.webcanvas.tasks import load_tasks, read_task
from webbench.benchmarks.webcanvas.upkeep.choices import choices
from webbench.benchmarks.webcanvas.upkeep.draft import Draft, with_alternative
from webbench.core.action.action import Click, ElementRef, Goto, Stop, Type
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Status
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory

SITE = "https://www.shop.example"
PAGE = """<html><body><form><input id="q" name="q"><button id="go">Find</button></form>
<nav><a href="/a">A</a><a href="/cart">Cart</a></nav></body></html>"""


def step(number: int, action: Click | Type, before: str, after: str) -> RecordedStep:
    return RecordedStep(
        number=number,
        index=number,
        text="",
        action=action,
        before=SITE + before,
        after=SITE + after,
        html=PAGE,
    )


TYPED = step(1, Type(target=ElementRef(selector="#q"), text="red shoes"), "/", "/")
FOUND = step(2, Click(target=ElementRef(selector="#go")), "/", "/find?q=red+shoes")
CART = step(
    3, Click(target=ElementRef(selector='a[href="/cart"]', name="Cart")), "/find?q=red+shoes", "/cart"
)
RECORDING = Recording(episode="e", start=f"{SITE}/", steps=(TYPED, FOUND, CART), answer="Two pairs")


def listed(one: RecordedStep) -> list[tuple[str, str, str]]:
    return [(choice.function, choice.key, choice.reference) for choice in choices(one)]


def test_the_address_comes_first_where_it_changed() -> None:
    first, second, *_ = listed(FOUND)
    assert first == ("url_included_match", "", "shop.example/find")
    assert second == ("url_exactly_match", "q", "red shoes")
    functions = [function for function, _, _ in listed(FOUND)]
    assert functions.index("element_path_exactly_match") > functions.index("url_semantic_match")


def test_the_value_comes_first_where_something_was_entered_and_the_address_stayed() -> None:
    assert listed(TYPED)[0] == ("element_value_exactly_match", "", "red shoes")
    assert choices(TYPED)[0].annotation()["content"]["path"] == "#q"


def test_a_selector_that_rests_on_an_address_gives_way_to_the_place() -> None:
    paths = [choice.reference for choice in choices(CART) if choice.function.startswith("element_path")]
    assert paths == ["html > body > nav > a:nth-of-type(2)"]


def test_every_choice_holds_on_its_own_recording() -> None:
    for number in Draft(RECORDING).numbers:
        for place in range(len(Draft(RECORDING).choices(number))):
            draft = Draft(RECORDING)
            chosen = draft.mark(number, place)
            trial = draft.trials()[number]
            assert trial.verdict == ("judge" if chosen.for_judge else "holds"), (chosen, trial)


def test_a_trial_tells_what_is_too_wide_and_what_is_missed() -> None:
    draft = Draft(RECORDING)
    draft.mark(2, 0, "shop.example")
    draft.mark(3, 0, "shop.example/checkout")
    assert draft.trials()[2].verdict == "early"
    assert "on the start page" in draft.trials()[2].why
    assert draft.trials()[3].verdict == "missed"


def test_what_is_written_loads_again_and_scores_its_recording_one(tmp_path: Path) -> None:
    file = tmp_path / "new" / "tasks.json"
    draft = Draft(RECORDING)
    for number in draft.numbers:
        draft.mark(number)
    write_task(file, draft.annotation("shoes", "Put red shoes into the cart"), "index")
    loaded = load_tasks(file)
    assert loaded.problems == ()
    (task,) = loaded.tasks
    assert (task.name, task.site, task.gold["reference_length"]) == ("shoes", "www.shop.example", 3)
    assert task.data["start"] == f"{SITE}/"
    assert draft.score(task).value == 1
    shorter = Recording(episode="s", start=f"{SITE}/", steps=(TYPED, FOUND))
    assert Draft(shorter).score(task).value == 0.5


def test_a_task_of_the_same_name_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    draft = Draft(RECORDING)
    draft.mark(3)
    for name, words in (("a", "First"), ("b", "Second"), ("a", "First, again")):
        write_task(file, draft.annotation(name, words), "index")
    assert [(task.name, task.intent) for task in load_tasks(file).tasks] == [
        ("b", "Second"),
        ("a", "First, again"),
    ]


def test_alternatives_that_are_added_at_the_same_moment_all_stay(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    draft = Draft(RECORDING)
    draft.mark(3)
    write_task(file, draft.annotation("a", "Check out"), "index")
    write_task(file, draft.annotation("b", "Another"), "index")

    def add(number: int) -> JsonObject:
        other = Draft(RECORDING)
        other.mark(3, 0, f"shop.example/{number}")
        return change_task(file, "a", "index", lambda task: with_alternative(task, other, [1], ""))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(8)))
    first, second = json.loads(file.read_text())
    added = [one["evaluation"][0]["content"]["reference_answer"] for one in first["alternatives"]]
    assert sorted(added) == [f"shop.example/{number}" for number in range(8)]
    assert (first["index"], second["index"], "alternatives" in second) == ("a", "b", False)


def test_a_semantic_node_waits_for_a_judge() -> None:
    draft = Draft(RECORDING)
    semantic = [one.function for one in draft.choices(2)].index("url_semantic_match")
    draft.mark(2, semantic, "decide whether shoes are looked for")
    score = draft.score(read_task(draft.annotation("a", "Find shoes")))
    assert score.status is Status.PENDING


def test_a_task_needs_a_name_and_a_file_of_tasks(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    draft = Draft(RECORDING)
    draft.mark(3)
    with pytest.raises(UsageError, match="a name and a text"):
        draft.annotation("", "Check out")
    file.write_text(json.dumps({"not": "a list"}))
    with pytest.raises(BadData, match="no list of tasks"):
        write_task(file, draft.annotation("a", "Check out"), "index")
    assert json.loads(file.read_text()) == {"not": "a list"}


def test_wrong_numbers_are_named() -> None:
    draft = Draft(RECORDING)
    with pytest.raises(UsageError, match="no step 9"):
        draft.mark(9)
    with pytest.raises(UsageError, match="no choice 99"):
        draft.mark(2, 98)
    still = Draft(
        Recording(episode="e", start="", steps=(msgspec.structs.replace(CART, after=CART.before, html=""),))
    )
    with pytest.raises(UsageError, match="can't be a key node"):
        still.mark(3)


def test_addresses_of_bundled_sites_are_published_ones_in_a_recording() -> None:
    task = Task(benchmark="webcanvas", name="1")
    served = {"served": {SITE: "http://127.0.0.1:4711/abc/shop"}}
    here = "http://127.0.0.1:4711/abc/shop/"
    steps = (
        Step(index=0, at="", url=here),
        Step(index=1, at="", note="look"),
        Step(index=2, at="", action=Goto(url=f"{here}cart"), url=f"{here}cart", evidence=served),
        Step(index=3, at="", action=Click(target=ElementRef(name="gone")), ok=False, url=f"{here}cart"),
        Step(index=4, at="", action=Stop(answer="done"), url=f"{here}cart"),
    )
    header = EpisodeHeader(run="r", episode="e", task=task, actor="human", dialect="webarena")
    recording = read_recording(Trajectory(header=header, steps=steps), None)
    (only,) = recording.steps
    assert (only.number, only.index, only.action) == (1, 2, Goto(url=f"{SITE}/cart"))
    assert (recording.start, only.before, only.after) == (f"{SITE}/", f"{SITE}/", f"{SITE}/cart")
    assert recording.answer == "done"
