"""Task files with anything missing, of another type, or absurd: one line tells of it, the others load."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.webcanvas.benchmark import WebCanvasBenchmark
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.stage import WebCanvasStage
from webbench.core.environment import EnvironmentSetup
from webbench.core.score.score import Status

URL = "https://www.shop.example/find?q=x"
GOOD: dict[str, Any] = {
    "index": "good",
    "task": "Find x",
    "reference_task_length": 2,
    "evaluation": [
        {
            "match_function_name": "url_exactly_match",
            "content": {"key": "q", "reference_answer": "x", "url": URL},
        },
        {
            "match_function_name": "element_path_exactly_match",
            "method": "selector",
            "content": {"reference_answer": "#q", "netloc": "shop", "url": URL},
        },
        {
            "match_function_name": "element_value_exactly_match",
            "content": {"reference_answer": "x", "netloc": "shop", "path": "#q", "url": URL},
        },
    ],
}


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every field and list entry."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*above, key)
        yield from places(below, (*above, key))


PLACES = list(places(GOOD))
MISSING = object()
ODD = st.sampled_from(
    [MISSING, None, True, 0, -7, 1e300, 10**30, "", " ", "x" * 100_000, "\x1b[31m\u202e\ud800", [], {}, [[]]]
) | st.recursive(st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=2), max_leaves=4)


def changed(place: tuple[Any, ...], value: Any) -> Any:
    whole = copy.deepcopy(GOOD) | {"index": "odd", "task": "Find odd x"}
    holder: Any = whole
    for key in place[:-1]:
        holder = holder[key]
    if value is MISSING:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return whole


@settings(
    max_examples=examples(120),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sampled_from(PLACES), ODD)
def test_one_odd_field_costs_one_task_and_one_line(
    tmp_path: Path, place: tuple[Any, ...], value: Any
) -> None:
    file = tmp_path / "tasks.json"
    file.write_text("[\n" + json.dumps(changed(place, value)) + ",\n" + json.dumps(GOOD) + "\n]")
    benchmark = WebCanvasBenchmark(file)
    own = [task for task in benchmark.tasks() if "bundle" not in task.data]
    assert own[-1].name == "good"
    errors = [problem for problem in benchmark.problems() if problem.severity == "error"]
    if len(own) == 1:
        assert [problem.where for problem in errors] == ["tasks.json:2"]
        assert len(errors[0].message) < 1_000
        assert "\n" not in errors[0].message
        return
    assert errors == []
    evidence = {
        "steps": [{"url": URL, "number": 0}, {"url": URL, "path": "#q", "value": "x", "same": {"#q": True}}]
    }
    assert WebCanvasStage.of(own[0], EnvironmentSetup()).nodes
    for score in (
        WebCanvasEvaluator().score(own[0], evidence),
        WebCanvasEvaluator().score(own[0], {"steps": 7}),
    ):
        assert score.status in (Status.SCORED, Status.ERROR, Status.NOT_SCORED)
        assert (score.value is None) == (score.status is not Status.SCORED)
    assert WebCanvasEvaluator().score(own[-1], evidence).value == 1


@pytest.mark.parametrize("content", [b"", b"[", b"{}", b"\xff\xfe", b"[" * 5_000, b"null", b"[1, 2]"])
def test_a_file_that_is_none_leaves_the_bundled_tasks(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "tasks.json"
    file.write_bytes(content)
    benchmark = WebCanvasBenchmark(file)
    assert benchmark.problems()
    assert benchmark.status().state == "ready"
    assert all("bundle" in task.data for task in benchmark.tasks())
