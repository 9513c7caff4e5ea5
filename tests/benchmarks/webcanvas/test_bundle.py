"""The bundled tasks: solvable as written down, nearly solved by near misses, in the published format."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec

from tests.benchmarks.webcanvas.live import Moment, last_moment
from webbench.benchmarks.webcanvas.benchmark import WebCanvasBenchmark
from webbench.benchmarks.webcanvas.bundle.bundle import LaptopLive
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.tasks import load_tasks
from webbench.core.action.action import Action
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.judge import Question, Reply
from webbench.core.score.score import Score
from webbench.core.scoring.judges.open_questions import answered
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
    environment: BrowserEnvironment,
    actions: Callable[[str], Sequence[Action]],
    tasks: Sequence[Task] = tuple(TASKS.values()),
) -> AsyncIterator[tuple[Task, Moment, Score]]:
    """The tasks in turn, each in a world of its own, all in one browser context."""
    evaluator = WebCanvasEvaluator()
    for task in tasks:
        async with BENCHMARK.stage(task) as stage:
            fresh = task is tasks[0]
            last = await last_moment(task, stage, environment, actions(task.name), fresh=fresh)
        yield task, last, evaluator.score(task, await answered(evaluator, task, last.evidence, Literal()))


async def test_references_reach_every_key_node(environment: BrowserEnvironment) -> None:
    """Every seventh one; all of them with `make replays`."""
    replayed = tuple(TASKS.values())[:: 1 if os.environ.get("WEBBENCH_REPLAYS") == "all" else 7]
    async for task, last, score in played(environment, BUNDLE.reference, replayed):
        assert score.value == 1, (task.name, [check.why for check in score.checks])
        assert last.evidence["taken"] == task.gold["reference_length"], task.name


async def test_near_misses_miss_something(environment: BrowserEnvironment) -> None:
    """Every tenth one; all of them with `make replays`."""
    replayed = tuple(TASKS.values())[:: 1 if os.environ.get("WEBBENCH_REPLAYS") == "all" else 10]
    async for task, last, score in played(environment, BUNDLE.near_miss, replayed):
        assert last.error == "", task.name
        assert score.value is not None, task.name
        assert score.value < 1, task.name
        assert score.metrics["task_success"] == 0, task.name


def test_the_tasks_are_clean_and_cover_every_function() -> None:
    loaded = load_tasks(BUNDLE.data)
    assert len(loaded.tasks) >= 10
    assert loaded.problems == ()
    functions = Counter(node["match_function"] for task in loaded.tasks for node in task.gold["key_nodes"])
    assert len(functions) == 8
    assert {task.site for task in loaded.tasks} == {"www.tidewater.example", "www.harbourpine.example"}


OTHER_WAYS = {
    f"{task.name}.way-{number}": task
    for task in TASKS.values()
    for number, _ in enumerate(task.gold.get("alternatives", ()), start=1)
}


async def test_every_alternative_has_a_way_that_solves_the_task_and_one_that_nearly_does(
    environment: BrowserEnvironment,
) -> None:
    """One of them; all with `make replays`. The way gets nowhere without its alternative."""
    assert len({task.name for task in OTHER_WAYS.values()}) >= 2
    everything = os.environ.get("WEBBENCH_REPLAYS") == "all"
    names = list(OTHER_WAYS) if everything else ["nearest-branch.way-1"]
    evaluator = WebCanvasEvaluator()
    for place, name in enumerate(names):
        task = OTHER_WAYS[name]
        assert len(BENCHMARK.ways(task)) == len(task.gold["alternatives"])
        for actions, solved in ((BUNDLE.reference(name), True), (BUNDLE.near_miss(name), False)):
            async with BENCHMARK.stage(task) as stage:
                fresh = place == 0 and solved
                last = await last_moment(task, stage, environment, actions, fresh=fresh)
            score = evaluator.score(task, last.evidence)
            assert (last.error, score.value == 1) == ("", solved), (name, [one.why for one in score.checks])
            without = msgspec.structs.replace(
                task, gold={key: value for key, value in task.gold.items() if key != "alternatives"}
            )
            assert (evaluator.score(without, last.evidence).value or 0) < 1
            if solved:
                assert any("met by alternative 1" in check.why for check in score.checks), name
                assert last.ended == "every key node is reached"
