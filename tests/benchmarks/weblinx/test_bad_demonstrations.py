"""Whatever is wrong with a demonstration costs that one alone, and is told in a line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.benchmarks.weblinx.folders import TURNS, write_demonstration
from tests.effort import examples
from webbench.benchmarks.weblinx.benchmark import WebLINXBenchmark, create
from webbench.benchmarks.weblinx.pages.accessibility_tree import page_tree
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.action.action import Click, ElementRef, Say
from webbench.core.environment import OUTER_HTML, EnvironmentSetup
from webbench.core.errors import BadData
from webbench.core.observation import Viewport
from webbench.core.score.score import Status
from webbench.core.task import Task

Json = Any
WRONG: st.SearchStrategy[Json] = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        10**30,
        1e308,
        "",
        "x" * 5000,
        "../../etc/passwd",
        "\ud800\x1b[2J\0",
        [],
        [[]],
        {},
        {"a": {}},
    ]
)


def paths(value: Json, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(path for key, inner in inside for path in paths(inner, (*at, key)))]


def replaced(value: Json, path: tuple[Any, ...], wrong: Json, drop: bool) -> Json:
    """A copy in which something else stands there, or nothing."""
    if not path:
        return wrong
    copy = dict(value) if isinstance(value, dict) else list(value)
    if drop and len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = replaced(value[path[0]], path[1:], wrong, drop)
    return copy


async def trouble(benchmark: WebLINXBenchmark, task: Task) -> str:
    """Why it can't be walked, "" where it can."""
    try:
        assert await walked(benchmark, task) <= len(TURNS)
    except BadData as error:
        return str(error)
    return ""


REPLAY = {"data": TURNS}
PATHS = paths(REPLAY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("demonstrations")
    for name in ("bad", "good"):
        write_demonstration(root / name)
    return root


async def walked(benchmark: WebLINXBenchmark, task: Task) -> int:
    """How many turns it took, with a senseless prediction on each; raises only `BadData`."""
    async with benchmark.stage(task) as stage:
        world = stage.environment
        assert world is not None
        await world.reset(EnvironmentSetup())
        count = 0
        while not await stage.ended(seen := await world.observe()):
            await world.screenshot()
            if seen.condition == "ok":
                await world.probe(OUTER_HTML)
            node = next((one for one in seen.nodes if one.interactive), None)
            await world.act(Click(target=ElementRef(id=node.id)) if node else Say(text="?"))
            if len((await world.observe()).dialogue) == len(seen.dialogue):
                await world.act(Say(text="?"))
            count += 1
        evidence = await benchmark.evaluator.collect(world, stage, "")
        json.dumps(evidence)
        assert benchmark.evaluator.score(task, evidence).status in (Status.SCORED, Status.NOT_SCORED)
    return count


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sampled_from(PATHS), WRONG, st.booleans())
async def test_a_wrong_field_of_a_replay_harms_no_other(
    folder: Path, path: Any, wrong: Json, drop: bool
) -> None:
    (folder / "bad" / "replay.json").write_text(json.dumps(replaced(REPLAY, path, wrong, drop)))
    benchmark = create(folder)
    tasks = {task.name: task for task in benchmark.tasks()}
    assert {"bad", "good"} <= tasks.keys()
    told = await trouble(benchmark, tasks["bad"])
    assert "\n" not in told
    assert not told or "bad" in told
    assert await walked(benchmark, tasks["good"]) == 5
    assert all("good" not in problem.where for problem in benchmark.problems())


@settings(max_examples=40, deadline=None)
@given(
    st.text(alphabet="<>/=\"' abdiv\n\0é&;-!", max_size=120),
    st.dictionaries(
        st.sampled_from("ab"), st.dictionaries(st.sampled_from(["left", "top", "right", "bottom"]), WRONG)
    ),
)
def test_any_html_and_any_boxes_make_a_tree(noise: str, boxes: Json) -> None:
    html = f'<div {ID}="a"><a href="#" {ID}="b">{noise}</a>{noise}</div>'
    numbers = iter(range(1, 10_000))
    tree = page_tree(html, boxes, Viewport(), lambda _uid: next(numbers))
    assert tree.nodes[0].role == "RootWebArea"
    assert len({node.id for node in tree.nodes}) == len(tree.nodes)


def test_deep_and_long_pages_are_read() -> None:
    numbers = iter(range(1, 10**6))
    deep = page_tree("<div role=group>" * 3000 + "x", {}, Viewport(), lambda _uid: next(numbers))
    assert len(deep.nodes) > 200
    assert deep.nodes[-1].depth > 200


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("replay.json", "{", "replay.json:1: no JSON"),
        ("replay.json", '{"data": {}}', 'a replay is an object with a list "data"'),
        ("replay.json", '{"data": []}', "no turn that can be predicted: it has no turn"),
        ("bboxes/bboxes-1.json", '{"button": 3}', "boxes are an object of objects"),
        ("bboxes/bboxes-1.json", "[" * 100_000, "can't be used"),
    ],
)
async def test_a_file_that_cannot_be_used_is_named(
    tmp_path: Path, name: str, content: str, told: str
) -> None:
    demonstration = write_demonstration(tmp_path / "lamps", [TURNS[3], TURNS[5]])
    (demonstration / name).write_text(content)
    benchmark = create(tmp_path)
    with pytest.raises(BadData) as error:
        await walked(benchmark, benchmark.tasks(names=("lamps",))[0])
    assert told in str(error.value)
    assert benchmark.status().state == "ready"


async def test_files_that_are_gone_leave_what_can_be_predicted(tmp_path: Path) -> None:
    demonstration = write_demonstration(tmp_path / "lamps")
    for part in ("pages", "screenshots"):
        shutil.rmtree(demonstration / part)
    (tmp_path / "bad_turns.jsonl").write_text("{")
    (tmp_path / "splits.json").write_text('{"valid": [{}]}')
    benchmark = create(tmp_path)
    assert await walked(benchmark, benchmark.tasks(names=("lamps",))[0]) == 3
    with pytest.raises(BadData, match="bad_turns"):
        await walked(benchmark, benchmark.tasks(names=("bad_turns",))[0])
    told = [problem.message for problem in benchmark.problems()]
    assert sum("is not in pages/" in message for message in told) == 4
    assert any("no JSON" in message for message in told)
