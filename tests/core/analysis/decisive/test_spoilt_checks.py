"""Steps that undid a check, left what it reads wrong for good, or after which nothing can pass any more."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from webbench.core.action.action import Noop, Stop
from webbench.core.analysis.decisive.spoilt_checks import spoilt_checks
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory


def attempt(
    reads: list[str | None], *, wanted: str = "L", target: str = "size", last: Step | None = None
) -> Trajectory:
    """A check that reads these values after steps 0, 1, ..., and a further step without a score."""
    steps = []
    for index, read in enumerate(reads):
        value = float(read == wanted)
        check = Check(name="field", target=target, actual=read, expected=wanted, value=value)
        score = Score(status=Status.SCORED, value=value, checks=(check,))
        steps.append(Step(index=index, at="", action=Noop() if index else None, score=score))
    header = EpisodeHeader(
        run="r",
        episode="e",
        task=Task(benchmark="b", name="t"),
        actor="agent",
        dialect="",
        ended="now",
        score=steps[-1].score,
    )
    return Trajectory(header=header, steps=(*steps, *([last] if last else [])))


def told(trajectory: Trajectory) -> list[tuple[str, int]]:
    return [(one.kind, one.step) for one in spoilt_checks(trajectory)]


def test_the_step_after_which_a_check_is_lost_for_good_undid_it() -> None:
    lost = attempt(["", "L", "L", "XL"])
    (found,) = spoilt_checks(lost)
    assert (found.kind, found.step) == ("check-undone", 3)
    assert "size (field)" in found.text


def test_a_wrong_value_that_stands_to_the_end_is_told_with_what_the_check_reads() -> None:
    (found,) = spoilt_checks(attempt(["", "", "S", "XL", "XL", "XL"]))
    assert (found.kind, found.step) == ("left-wrong", 3)
    assert "size (field) reads “XL”" in found.text
    assert told(attempt(["", "S", "L"])) == []  # put right
    assert told(attempt(["S", "S", "S"])) == []  # nobody's doing
    assert told(attempt(["/a", "/b"], target="url")) == []  # any address can be left again


def test_what_is_deleted_leaves_nothing_to_read() -> None:
    (found,) = spoilt_checks(attempt(["3 items", "3 items", None, None], wanted="2 items"))
    assert (found.kind, found.step) == ("left-wrong", 2)
    assert found.text.endswith("size (field) has nothing to read any more")


def test_what_must_stay_as_it_was_is_broken_where_it_begins_to_count() -> None:
    """Up to then the check is shown, and not counted."""
    broken = attempt(["2 orders", "2 orders", "1 order", "1 order"], wanted="3 orders")
    kept = [
        step
        if step.index > 1 or step.score is None
        else msgspec.structs.replace(step, score=msgspec.structs.replace(step.score, checks=()))
        for step in broken.steps
    ]
    assert told(msgspec.structs.replace(broken, steps=tuple(kept))) == [("left-wrong", 2)]


def rescored(trajectory: Trajectory, changed: Callable[[int, Check], Check]) -> Trajectory:
    """With the check after each step as `changed` makes it."""
    steps = [
        msgspec.structs.replace(
            step,
            score=msgspec.structs.replace(step.score, checks=(changed(step.index, step.score.checks[0]),)),
        )
        for step in trajectory.steps
        if step.score is not None
    ]
    header = msgspec.structs.replace(trajectory.header, score=steps[-1].score)
    return Trajectory(header=header, steps=tuple(steps))


def test_what_was_not_read_before_the_end_may_have_been_so_all_along() -> None:
    """As WebArena's pages; and no check is undone that nobody scored again."""

    def unread(one: Check, last: bool) -> Check:
        return (
            one if last else msgspec.structs.replace(one, status=Status.NOT_SCORED, value=None, actual=None)
        )

    assert told(rescored(attempt(["S", "S", "XL"]), lambda step, one: unread(one, step == 2))) == []
    assert told(rescored(attempt(["", "L", "L"]), lambda step, one: unread(one, step == 1))) == []


def test_a_check_that_compares_every_step_reads_no_state() -> None:
    """As a key node of WebCanvas: the next step may still meet it."""
    way = attempt(["/a", "/b", "/c"], target="key node 1")

    def compared(step: int, one: Check) -> Check:
        return msgspec.structs.replace(one, checks=(one,) * (step + 1))

    assert told(way) == [("left-wrong", 2)]
    assert told(rescored(way, compared)) == []


def test_an_answer_that_is_refused_is_the_end() -> None:
    stop = Step(index=2, at="", action=Stop(answer="nine o'clock"))
    (found,) = spoilt_checks(attempt(["", ""], target="answer", last=stop))
    assert (found.kind, found.step, found.quote) == ("handed-in", 2, "nine o'clock")
    assert told(attempt(["", ""], wanted="", target="answer", last=stop)) == []


def test_a_page_that_is_gone_to_the_end_lets_nothing_pass() -> None:
    gone = Step(index=2, at="", action=Noop(), condition="closed")
    assert told(attempt(["", ""], last=gone)) == [("page-gone", 2)]
    back = Step(index=2, at="", action=Noop(), condition="ok")
    assert told(attempt(["", ""], last=back)) == []
