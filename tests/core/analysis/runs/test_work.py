"""What agents did and took: of all episodes, and nothing where it isn't known."""

from __future__ import annotations

from typing import cast

import msgspec

from webbench.core.action.action import Click, ElementRef
from webbench.core.analysis.runs.agent_work import Work, work_of, work_section
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.model_call import ModelCall
from webbench.core.score.score import Score, Status
from webbench.core.statistics.figures import Table
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory

CLICK = Click(target=ElementRef(id=1))
START = Step(index=0, at="")
DONE = Step(
    index=1,
    at="",
    actor="agent",
    text="click [1]",
    action=CLICK,
    calls=(ModelCall(model="m", seconds=2.0),),
    usage={"prompt_tokens": 100, "completion_tokens": 7, "cost": 0.5},
)
FAILED = msgspec.structs.replace(DONE, index=2, ok=False, calls=(ModelCall(model="m", seconds=4.0),))
BABBLED = Step(index=3, at="", actor="agent", text="Hm.", ok=False, calls=(ModelCall(model="m", error="no"),))
BY_HAND = Step(index=4, at="", text="click [1]", action=CLICK, ok=False)
REJECTED = Step(index=5, at="", actor="operator", note="rejected", usage={"prompt_tokens": 50})


def trajectory(*steps: Step) -> Trajectory:
    header = EpisodeHeader(run="r", episode="e", task=Task(benchmark="b", name="t"), actor="a", dialect="d")
    return Trajectory(header=header, steps=(START, *steps))


def test_invalid_actions_calls_and_cost_are_counted_for_each_run() -> None:
    whole = work_of("r/e", trajectory(DONE, FAILED, BABBLED, BY_HAND, REJECTED))
    without_price = work_of("r/f", trajectory(msgspec.structs.replace(DONE, usage={}, calls=())))
    section = work_section(
        {"A": [whole, without_price], "B": [without_price], "C": [work_of("r/g", trajectory(BY_HAND))]}
    )
    assert section is not None
    (table,) = section.figures
    assert isinstance(table, Table)
    first, second = table.rows
    assert first.cells == ("A", 4, 1, 1, 3, 1, 0, 2.0, 250, 14, "$1.0000", None)
    assert first.episodes == ("r/e", "r/f")
    assert second.cells == ("B", 1, 0, 0, None, None, None, None, None, None, None, None)


def test_replies_without_an_action_that_were_asked_again_are_counted() -> None:
    """A round of several calls is one try."""
    calls = tuple(ModelCall(model="m", purpose=purpose) for purpose in ("", "try 2", "try 2", "try 3"))
    assert work_of("r/e", trajectory(msgspec.structs.replace(DONE, calls=calls))).tries == 2


def test_people_alone_are_no_agents() -> None:
    assert work_section({"A": [work_of("r/e", trajectory(BY_HAND))]}) is None


class KeyNodes:
    """A benchmark whose points are key nodes, as far as cost is told by them."""

    point = "key node"

    def points(self, score: Score) -> float | None:
        return score.metrics.get("step_score")


def test_cost_is_told_by_what_was_reached_and_not_where_a_cost_is_unknown() -> None:
    """Failed episodes were paid for, too; an episode without a score is in neither number."""

    def works(*scores: Score | None, steps: tuple[Step, ...] = (DONE,)) -> list[Work]:
        found = []
        for score in scores:
            one = trajectory(*steps)
            header = msgspec.structs.replace(one.header, score=score)
            played = msgspec.structs.replace(one, header=header)
            found.append(work_of("r/e", played, cast("Benchmark", KeyNodes()) if counts else None))
        return found

    solved = Score(status=Status.SCORED, value=1.0, metrics={"step_score": 3.0})
    failed = Score(status=Status.SCORED, value=0.5, metrics={"step_score": 1.0})
    told = {}
    for counts in (False, True):
        unpriced = works(failed, steps=(msgspec.structs.replace(DONE, usage={}),))
        runs = {"A": works(solved, failed, None), "B": works(failed, solved) + unpriced}
        section = work_section(runs)
        assert section is not None
        (table,) = section.figures
        assert isinstance(table, Table)
        told[counts] = [row.cells[-1] for row in table.rows]
    assert told == {False: ["$1.0000", None], True: ["$0.2500", None]}
