"""How a run stands, told from files that a runner of long ago, or of now, has written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from webbench.core.errors import UsageError
from webbench.core.models.spending import Spent
from webbench.core.runner.lease import Lease
from webbench.core.runner.plan.plan import PlannedEpisode, RunPlan, plan_file
from webbench.core.runner.run_log import Began, Ended, Entry, RunLog, RunnerNote
from webbench.core.runner.status.run_status import run_status
from webbench.core.score.score import Status

RUN = "2026-11-21_12-00-00_demo_oracle_ab12"


def at(seconds: int) -> str:
    return f"2026-11-21T12:{seconds // 60:02d}:{seconds % 60:02d}.000+00:00"


def run_of(root: Path, planned: int, entries: Sequence[Entry]) -> None:
    plan = RunPlan(
        benchmark="demo",
        agent="oracle",
        episodes=tuple(PlannedEpisode(order=order, task=f"task-{order}") for order in range(planned)),
    )
    (root / RUN).mkdir(parents=True)
    for name, data in plan_file(plan).items():
        (root / RUN / name).write_bytes(data)
    RunLog(root, RUN).extend(entries)


def scored(order: int, seconds: int, value: float = 1.0, cost: float = 0.5) -> Ended:
    return Ended(
        at=at(seconds), order=order, attempt=0, status=Status.SCORED, score=value, spent=Spent(cost=cost)
    )


def unscored(order: int, seconds: int, reason: str, attempt: int = 0) -> Ended:
    return Ended(at=at(seconds), order=order, attempt=attempt, status=Status.NOT_SCORED, reason=reason)


def test_a_dead_runners_work_is_counted_and_what_it_left_waits(tmp_path: Path) -> None:
    log = [
        RunnerNote(at=at(0), what="began", workers=2),
        scored(0, 10),
        scored(1, 20, 0.0),
        unscored(2, 30, 'no answer within 120 s from "a.py"'),
        unscored(3, 40, 'no answer within 90 s from "b.py"'),
        Began(at=at(41), order=4, attempt=0, episode="0004_task_ab12"),
    ]
    run_of(tmp_path, 6, log)
    status = run_status(tmp_path, RUN)
    assert (status.state, status.runner, status.running) == ("died", None, ())
    assert (status.planned, status.waiting, status.scored, status.not_scored) == (6, 2, 2, 2)
    assert (status.mean_score, status.spent.cost, status.eta_seconds) == (0.5, 1.0, None)
    (cause,) = status.causes
    assert (cause.cause, cause.count, cause.orders) == ("no answer within <n> s from <text>", 2, (2, 3))
    assert status.per_minute == pytest.approx(6.0)


def test_the_last_attempt_counts_and_the_others_are_told_apart(tmp_path: Path) -> None:
    run_of(
        tmp_path,
        2,
        [
            RunnerNote(at=at(0), what="began"),
            unscored(0, 5, "hung"),
            msgspec.structs.replace(unscored(1, 6, "interrupted"), again=True),
            RunnerNote(at=at(7), what="interrupted"),
            RunnerNote(at=at(60), what="began"),
            msgspec.structs.replace(scored(0, 65), attempt=1),
        ],
    )
    status = run_status(tmp_path, RUN)
    assert (status.scored, status.not_scored, status.waiting, status.replaced) == (1, 0, 1, 2)
    assert status.causes == ()


def test_the_time_of_all_runners_counts_and_not_what_lay_between(tmp_path: Path) -> None:
    log = [
        RunnerNote(at=at(0), what="began"),
        scored(0, 10),
        Began(at=at(12), order=1, attempt=0, episode="0001_task_ab12"),
        RunnerNote(at=at(100), what="began"),
        scored(1, 105),
        RunnerNote(at=at(106), what="finished"),
    ]
    run_of(tmp_path, 2, log)
    assert run_status(tmp_path, RUN).seconds == 12 + 6


def test_a_living_runner_and_the_age_of_its_last_step(tmp_path: Path) -> None:
    began = Began(at=at(1), order=0, attempt=0, episode="0000_task-0_ab12")
    run_of(tmp_path, 3, [RunnerNote(at=at(0), what="began"), began, scored(1, 30), scored(2, 60)])
    steps = tmp_path / RUN / began.episode / "steps.jsonl"
    steps.parent.mkdir()
    steps.write_text('{"usage":{}}\n{"usage":{"cost":0.25,"input_tokens":7}}\n{"usage":{"cost"')
    lease = Lease(tmp_path, RUN)
    lease.take()
    try:
        status = run_status(tmp_path, RUN)
        (running,) = status.running
        assert status.state == "running"
        assert status.runner is not None
        assert status.runner.pid == lease.beat.pid
        assert (running.task, running.steps, running.stale) == ("task-0", 1, False)
        assert (status.spent.cost, status.spent.input_tokens) == (1.25, 7)
        assert status.eta_seconds == pytest.approx(30.0)
        later = run_status(tmp_path, RUN, at=steps.stat().st_mtime + 300)
        assert later.state == "stale", "the beat is as old as that"
        assert later.running[0].stale
    finally:
        lease.give_back()
    assert run_status(tmp_path, RUN).state == "died"


def test_an_episode_that_is_played_again_is_running_and_nothing_else(tmp_path: Path) -> None:
    broken_off = msgspec.structs.replace(unscored(0, 5, "interrupted"), again=True)
    log = [
        RunnerNote(at=at(0), what="began"),
        broken_off,
        scored(1, 6),
        unscored(2, 7, "hung"),
        RunnerNote(at=at(60), what="began", retry=True),
        Began(at=at(61), order=0, attempt=1, episode="0000_task-0_ab12"),
        Began(at=at(62), order=2, attempt=1, episode="0002_task-2_ab12"),
    ]
    run_of(tmp_path, 3, log)
    lease = Lease(tmp_path, RUN)
    lease.take()
    try:
        status = run_status(tmp_path, RUN)
    finally:
        lease.give_back()
    assert (len(status.running), status.scored, status.not_scored, status.waiting) == (2, 1, 0, 0)
    assert (status.done, status.causes) == (1, ())


def test_the_pace_is_that_of_episodes_that_are_done(tmp_path: Path) -> None:
    broken_off = [msgspec.structs.replace(unscored(order, 30, "interrupted"), again=True) for order in (2, 3)]
    run_of(tmp_path, 5, [RunnerNote(at=at(0), what="began"), scored(0, 10), scored(1, 30), *broken_off])
    assert run_status(tmp_path, RUN).per_minute == pytest.approx(4.0)


def test_a_torn_line_is_told_and_the_rest_counts(tmp_path: Path) -> None:
    run_of(tmp_path, 2, [scored(0, 5)])
    with (tmp_path / RUN / "attempts.jsonl").open("ab") as file:
        file.write(b'{"entry":{"type":"ended","ord')
    status = run_status(tmp_path, RUN)
    assert (status.scored, status.waiting) == (1, 1)
    assert "torn" in status.problems[0]


def test_a_run_without_a_plan_says_so(tmp_path: Path) -> None:
    (tmp_path / RUN).mkdir()
    with pytest.raises(UsageError, match="has no plan"):
        run_status(tmp_path, RUN)
    with pytest.raises(UsageError, match="there is no run"):
        run_status(tmp_path, "2026-other")
