"""Checks and the steps at which they were met."""

from webbench.core.analysis.compare.milestones import milestones, reached_words
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory


def score(**values: float | None) -> Score:
    checks = tuple(
        Check(
            name="key node",
            target=target,
            value=value,
            status=Status.PENDING if value is None else Status.SCORED,
        )
        for target, value in values.items()
    )
    return Score(status=Status.SCORED, value=0.0, checks=checks)


def attempt(final: Score | None, *scores: Score | None) -> Trajectory:
    steps = tuple(Step(index=at, at="", score=one) for at, one in enumerate(scores))
    header = EpisodeHeader(
        run="r", episode="e", task=Task(benchmark="b", name="t"), actor="a", dialect="d", score=final
    )
    return Trajectory(header=header, steps=steps)


def test_each_check_has_the_step_after_which_it_was_met() -> None:
    walked = attempt(
        score(cart=0.0, total=1.0),
        score(cart=0.0, total=0.5),
        score(cart=1.0, total=0.5),
        None,
        score(cart=0.0, total=1.0),
    )
    scored = attempt(score(cart=1.0, total=0.0, colour=None))

    found = milestones([walked, scored])

    assert [one.target for one in found] == ["cart", "total", "colour"]
    assert [[reached_words(one) for one in milestone.reached] for milestone in found] == [
        ["step 1, lost after step 3", "met, no step recorded"],
        ["step 3", "never"],
        ["not scored", "pending"],
    ]


def test_what_is_scored_step_by_step_is_counted() -> None:
    turns = attempt(None, *(score(element=value) for value in (0.0, 1.0, 0.0, 1.0)))

    assert reached_words(milestones([turns])[0].reached[0]) == "2 of 4 steps, first step 1"


def test_alike_checks_of_one_score_are_told_apart() -> None:
    twice = Score(
        status=Status.SCORED,
        value=0.5,
        checks=(Check(name="url", target="page", value=1.0), Check(name="url", target="page", value=0.0)),
    )

    assert [one.reached[0].met for one in milestones([attempt(twice)])] == [True, False]
