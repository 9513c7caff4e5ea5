"""The bundled tasks: solvable as written down, nearly solved by near misses, in the published format."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.benchmarks.webcanvas.live import Moment, last_moment
from webbench.benchmarks.demo.bundles.webcanvas.bundle import LaptopLive
from webbench.benchmarks.webcanvas.benchmark import WebCanvasBenchmark
from webbench.benchmarks.webcanvas.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.tasks import load_tasks
from webbench.core.browser.environment import BrowserEnvironment
from webbench.core.judge.asking import answered
from webbench.core.judge.contract import Question, Reply
from webbench.core.score import Score
from webbench.core.task import Task

BENCHMARK = WebCanvasBenchmark(None)
BUNDLE = LaptopLive()
TASKS = {task.name: task for task in BENCHMARK.tasks(split=BUNDLE.name)}


class Literal:
    """A judge for whom birds are what says so."""

    name = "literal"

    async def ask(self, question: Question) -> Reply:
        found = "bird" in str(question.fields["answer"])
        return Reply(text=f"VERDICT: {question.verdicts[-1] if found else question.verdicts[0]}", judge="it")


async def played(
    environment: BrowserEnvironment, task: Task, near_miss: bool = False
) -> tuple[Moment, Score]:
    actions = BUNDLE.near_miss(task.name) if near_miss else BUNDLE.reference(task.name)
    assert actions
    async with BENCHMARK.stage(task) as stage:
        last = await last_moment(task, stage, environment, actions)
    evaluator = WebCanvasEvaluator()
    return last, evaluator.score(task, await answered(evaluator, task, last.evidence, Literal()))


@pytest.mark.parametrize("name", TASKS)
async def test_the_reference_reaches_every_key_node(environment: BrowserEnvironment, name: str) -> None:
    last, score = await played(environment, TASKS[name])
    assert score.value == 1, [check.why for check in score.checks]
    assert last.evidence["taken"] == TASKS[name].gold["reference_length"]


@pytest.mark.parametrize("name", TASKS)
async def test_the_near_miss_misses_something(environment: BrowserEnvironment, name: str) -> None:
    last, score = await played(environment, TASKS[name], near_miss=True)
    assert last.error == ""
    assert score.value is not None
    assert score.value < 1
    assert score.metrics["task_success"] == 0


def test_the_tasks_are_clean_and_cover_every_function() -> None:
    loaded = load_tasks(BUNDLE.data)
    assert len(loaded.tasks) >= 10
    assert loaded.problems == ()
    functions = Counter(node["match_function"] for task in loaded.tasks for node in task.gold["key_nodes"])
    assert len(functions) == 8
    assert {task.site for task in loaded.tasks} == {"www.tidewater.example", "www.harbourpine.example"}
