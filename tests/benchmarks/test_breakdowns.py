"""What each benchmark's scores are taken apart into."""

from __future__ import annotations

from webbench.benchmarks.turkingbench.scoring.aggregate import by_field_type, by_task_and_type
from webbench.benchmarks.webcanvas.scoring.aggregate import BREAKDOWNS, by_function
from webbench.benchmarks.webcanvas.scoring.outcomes import step_reached
from webbench.benchmarks.weblinx.scoring.aggregate import by_intent, by_split
from webbench.core.score.aggregates import Attempt, Measured
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task


def attempt(benchmark: str, score: Score, splits: tuple[str, ...] = ()) -> Attempt:
    return Attempt(Task(benchmark=benchmark, name="t", data={"splits": list(splits)}), score)


def test_field_types_are_turkingbenchs_own_figures() -> None:
    one = attempt(
        "turkingbench", Score(status=Status.SCORED, value=0.5, metrics={"text": 0.25, "range": None})
    )

    assert list(by_field_type(one, "published")) == [Measured("text", 0.25)]
    assert list(by_task_and_type(one, "published")) == [Measured("t", 0.25, "text")]


def test_turns_go_under_the_intent_of_their_reference() -> None:
    def turn(intent: str, match: float, **metrics: float) -> Check:
        lines = [Check(name="intent match", target="intent", value=match)]
        lines += [Check(name=name, target="", value=value) for name, value in metrics.items()]
        return Check(name=intent, target="turn", value=match / 2, checks=tuple(lines))

    turns = (turn("click", 1.0, IoU=0.5), turn("say", 0.0), turn("hover", 1.0))
    one = attempt("weblinx", Score(status=Status.SCORED, value=0.5, checks=turns), ("test_iid", "dev"))

    assert list(by_intent(one, "published")) == [
        Measured("click", 1.0, "intent match"),
        Measured("click", 0.5, "IoU"),
        Measured("say", 0.0, "intent match"),
    ]
    assert [one.value for one in by_split(one, "published") if one.group == "dev"] == [0.5, 1.0, 0.0, 0.0]


def test_key_nodes_tell_the_step_that_met_them() -> None:
    met = Check(
        name="url_included_match",
        target="key node 1",
        value=1.0,
        checks=(
            Check(name="url included", target="step 2", value=0.0),
            Check(name="url included", target="step 4", value=1.0),
        ),
    )
    figure = Check(name="efficiency", target="episode", value=2.0, counted=False)
    one = attempt("webcanvas", Score(status=Status.SCORED, value=1.0, checks=(met, figure)))

    assert step_reached(met) == 4
    assert step_reached(figure) is None
    assert list(by_function(one, "published")) == [Measured("url_included_match", 1.0)]


def test_an_attempt_of_webcanvas_is_told_by_how_hard_its_task_is_and_what_it_missed() -> None:
    """Figure 9, table 3, section 6.2: three key nodes, the second missed, the last one reached."""
    values = (1.0, 0.0, 1.0)
    checks = tuple(
        Check(name="f", target=f"key node {at}", value=value) for at, value in enumerate(values, start=1)
    )
    metrics: dict[str, float | None] = {"key_nodes": 3.0, "step_score": 2.0, "task_success": 0.0}
    score = Score(status=Status.SCORED, value=2 / 3, checks=checks, metrics=metrics)
    task = Task(
        benchmark="webcanvas",
        name="t",
        data={"domain": "Travel", "subdomain": "Hotel"},
        gold={"reference_length": 13},
    )
    one = Attempt(task, score)
    found = {
        (breakdown.name, got.group, got.metric): got.value
        for breakdown in BREAKDOWNS
        for got in breakdown.measures(one, "published")
        if breakdown.name != "match function"
    }
    assert found == {
        ("key nodes missed", "at most 0 missed", ""): 0.0,
        ("key nodes missed", "at most 1 missed", ""): 1.0,
        ("last key node", "last key node reached", "all reached"): 0.0,
        ("annotated steps", "13 or more", "completion rate"): 2 / 3,
        ("annotated steps", "13 or more", "task success"): 0.0,
        ("key nodes of the task", "3 or 4", "completion rate"): 2 / 3,
        ("key nodes of the task", "3 or 4", "task success"): 0.0,
        ("domain", "Travel / Hotel", "completion rate"): 2 / 3,
        ("domain", "Travel / Hotel", "task success"): 0.0,
    }


def test_nothing_is_told_of_an_attempt_of_webcanvas_that_has_no_score() -> None:
    task = Task(benchmark="webcanvas", name="t", gold={"reference_length": 3})
    waiting = Attempt(task, Score(status=Status.PENDING, interval=(0.0, 1.0)))
    assert [got for breakdown in BREAKDOWNS for got in breakdown.measures(waiting, "published")] == []
