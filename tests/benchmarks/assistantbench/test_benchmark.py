"""What can be stepped: a person's own tasks beside the bundled ones, whatever their file holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.conftest import Site
from tests.effort import examples
from webbench.benchmarks.assistantbench.benchmark import create
from webbench.benchmarks.assistantbench.stage import home
from webbench.benchmarks.assistantbench.tasks import load_tasks
from webbench.core.action.action import Goto
from webbench.core.analysis.runs.score_groups import facets_of
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import not_scored
from webbench.core.settings.load_settings import load_settings
from webbench.core.task import Solution, Task, solution_of

GOOD: dict[str, Any] = {
    "id": "q1",
    "set": "dev",
    "task": "How deep is the lake?",
    "answer": "12",
    "gold_url": None,
    "explanation": None,
    "metadata": "",
    "difficulty": "Hard",
    "time_dependency": "Static",
}
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["x" * 100_000, ["x"] * 1000, {"a": {"b": []}}, "q0", "\ud800", "", " "]),
)


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "dev.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


@settings(
    max_examples=examples(150),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(field=st.sampled_from(sorted(GOOD)), value=st.one_of(st.just(...), VALUES))
@example(field="id", value="x" * 100_000)
@example(field="task", value="x" * 100_000)
@example(field="answer", value=...)
def test_a_bad_row_is_told_in_one_line_and_the_others_load(tmp_path: Path, field: str, value: Any) -> None:
    bad = {**GOOD, "id": "q1", field: value}
    if value is ...:
        del bad[field]
    loaded = load_tasks(write(tmp_path, {**GOOD, "id": "q0"}, bad, {**GOOD, "id": "q2"}))
    names = [task.name for task in loaded.tasks]
    assert (names[0], names[-1]) == ("q0", "q2")
    told = [problem for problem in loaded.problems if problem.where == "dev.jsonl:2"]
    assert len(told) == len(loaded.problems) <= 2, "what is wrong, and that nobody can be asked it"
    assert all(len(one.message) < 300 and "\n" not in one.message for one in told)
    if len(names) == 2:
        assert [one.severity for one in told] == ["error"]


def test_how_a_task_is_solved_is_kept_and_decides_nothing(tmp_path: Path) -> None:
    told = {"gold_url": "https://a.test/x\nhttps://b.test/y", "explanation": "Look it up on both."}
    (task,) = load_tasks(write(tmp_path, {**GOOD, **told})).tasks
    pages = ("https://a.test/x", "https://b.test/y")
    assert solution_of(task) == Solution(pages=pages, explanation=told["explanation"])
    (bare,) = load_tasks(write(tmp_path, GOOD)).tasks
    evaluator = create().evaluator
    assert evaluator.score(task, {"answer": "x"}) == evaluator.score(bare, {"answer": "x"})
    assert solution_of(bare) == Solution()


def test_tasks_are_grouped_as_the_papers_tables_do(tmp_path: Path) -> None:
    """Tables 3, 10 and 12, where the file tells; a task that doesn't is in no group."""
    told = {"difficulty": "Hard", "time_dependency": "Stable", "collection": "experts"}
    benchmark = create(
        write(tmp_path, {**GOOD, **told}, {**GOOD, "id": "q2", "time_dependency": None, "difficulty": None})
    )
    full, bare = benchmark.tasks("dev")
    facets = facets_of(benchmark, (full, bare))
    names = ("difficulty", "time dependency", "collection")
    assert [facets[name](full) for name in names] == ["Hard", "Stable", "experts"]
    assert [facets[name](bare) for name in names] == ["", "", ""]
    assert "collection" not in facets_of(benchmark, (bare,))


def test_own_tasks_stand_before_the_bundled_ones(tmp_path: Path) -> None:
    benchmark = create(write(tmp_path, GOOD, {**GOOD, "id": "q2", "task": None}))
    assert benchmark.splits() == ("dev", "small-web")
    assert [entry.problem for entry in benchmark.catalogue()][:3] == [
        "",
        "no task text: nobody can be asked it",
        "",
    ]
    assert re.fullmatch(r"2 tasks in .*dev.jsonl; 15 of the bundle small-web", benchmark.status().detail)
    own, untold = benchmark.tasks("dev")
    with pytest.raises(BadData, match="nobody can be asked"):
        benchmark.stage(untold)
    with pytest.raises(UsageError, match="no oracle"):
        benchmark.oracle(own)
    with pytest.raises(UsageError, match=r'no task "joint-tickt" in split small-web.*joint-ticket'):
        benchmark.tasks("small-web", ("joint-tickt",))


@pytest.mark.parametrize("data", [None, "nowhere.jsonl"])
def test_without_data_it_is_ready_and_says_what_is_missing(
    data: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEBBENCH_DATA_ASSISTANTBENCH", raising=False)
    benchmark = create(tmp_path / data if data else None)
    status = benchmark.status()
    assert (status.state, benchmark.splits()) == ("ready", ("small-web",))
    assert ("nowhere.jsonl" if data else "data get assistantbench") in status.detail
    assert [problem.severity for problem in benchmark.problems()] == ["error" if data else "note"]


async def test_an_own_task_starts_at_the_search_engine_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_SEARCH_ENGINE", "https://find.example:8443/s?lang=en&q={query}")
    [task] = create(write(tmp_path, GOOD)).tasks("dev")
    async with create(tmp_path).stage(task) as stage:
        assert stage.setup.start_urls == ("https://find.example:8443/",)
        assert stage.setup.search == "https://find.example:8443/s?lang=en&q={query}"
    monkeypatch.setenv("WEBBENCH_SEARCH_ENGINE", "find.example/?q=")
    with pytest.raises(BadData, match="search_engine"):
        load_settings()


async def test_where_no_page_could_be_opened_nothing_is_scored(
    environment: BrowserEnvironment, serve: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = create(write(tmp_path, GOOD))
    [task] = benchmark.tasks("dev")
    monkeypatch.setenv("WEBBENCH_SEARCH_ENGINE", "http://127.0.0.1:1/?q={query}")
    async with benchmark.stage(task) as stage:
        await environment.reset(stage.setup)
        with pytest.raises(EnvironmentDown, match=r"no page of the web could be opened.*127\.0\.0\.1:1"):
            await benchmark.evaluator.collect(environment, stage, "12")
        assert (await environment.act(Goto(url=serve("<title>a lake</title>")))).ok
        assert await benchmark.evaluator.collect(environment, stage, "12") == {"answer": "12"}


def test_the_public_engine_is_the_default() -> None:
    assert home(load_settings().search_engine) == "https://duckduckgo.com/"


def test_figures_leave_out_what_was_not_scored() -> None:
    benchmark, task = create(None), Task(benchmark="assistantbench", name="q1", gold={"answer": "Ada Trench"})
    scores = [benchmark.evaluator.score(task, {"answer": answer}) for answer in ("Ada Trench", "Ada", "")]
    attempts = [Attempt(task, score) for score in [*scores, not_scored("abandoned")]]
    figures = benchmark.figures(attempts, "published")
    assert figures["n"] == 3
    assert figures["not_scored"] == 1
    assert figures["answer_rate"] == pytest.approx(2 / 3)
    assert figures["precision"] == pytest.approx((1 + 2 / 3) / 2)
    assert figures["accuracy"] == pytest.approx((1 + 2 / 3) / 3)
