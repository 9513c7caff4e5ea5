"""What a board shows of a run that is being played, and the sentences it shares with a plain terminal."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec

from tests.core.runner.played_run import PlayedRun
from webbench.core.runner.status.board import look_at, on_the_board, statuses_at_work
from webbench.core.runner.status.run_status import RunState, run_status
from webbench.core.runner.status.status_words import count_words, pace_words, resuming_words, runner_words
from webbench.core.store.store import Store


def test_what_goes_on_comes_first_and_says_where_and_since_when(tmp_path: Path) -> None:
    played = PlayedRun(Store(tmp_path), planned=3)
    played.begin(0)
    played.begin(1, worker="node-b")
    played.step(1, 1)
    played.end(0, None, "no answer within 120 s")
    status, (first, second) = look_at(Store(tmp_path), played.run)
    assert status is not None
    assert (first.state, first.steps) == ("running", 1)
    long_ago = [msgspec.structs.replace(one, step_age=7.3) for one in status.running]
    (thinking, _) = on_the_board([first, second], msgspec.structs.replace(status, running=tuple(long_ago)))
    assert thinking.reason == "last step 7 s ago on node-b"
    assert (second.state, second.reason) == ("ended", "no answer within 120 s")
    stale = [msgspec.structs.replace(one, stale=True) for one in status.running]
    (still, _) = on_the_board([first, second], msgspec.structs.replace(status, running=tuple(stale)))
    assert still.state == "stale"
    assert set(statuses_at_work(tmp_path, Store(tmp_path).run_names())) == {played.run}
    played.leave()
    assert not statuses_at_work(tmp_path, Store(tmp_path).run_names())


def test_an_attempt_that_a_later_one_stands_in_for_is_told_apart(tmp_path: Path) -> None:
    played = PlayedRun(Store(tmp_path), planned=1)
    played.begin(0)
    played.end(0, None, "the browser ended")
    again = played.begin(0)
    played.end(0, 1.0)
    status, episodes = look_at(Store(tmp_path), played.run)
    assert status is not None
    assert {one.episode == again: one.state for one in episodes} == {True: "ended", False: "replaced"}
    played.leave()


def test_the_words_of_a_run_at_work(tmp_path: Path) -> None:
    played = PlayedRun(Store(tmp_path), planned=5)
    for order in range(4):
        played.begin(order)
    played.end(0, 1.0)
    played.end(1, 0.5)
    played.end(2, None, "no answer")
    status = run_status(tmp_path, played.run)
    assert count_words(status) == "3 of 5 done · 1 running · 1 waiting · 2 scored · 1 not scored"
    paced = msgspec.structs.replace(status, per_minute=3.0, eta_seconds=61.0)
    assert pace_words(paced) == (
        "mean 0.750 · 3.0 a minute · about 1 min 01 s left · 2,400 tokens in · 150 out · $0.0120"
    )
    assert "sign of life 4 s ago" in runner_words(msgspec.structs.replace(status, beat_age=4.2))
    held_up = msgspec.structs.replace(status, state="stale")
    assert runner_words(held_up).endswith("it is held up, or gone")
    played.leave()
    left = run_status(tmp_path, played.run)
    assert (runner_words(left), resuming_words(status)) == ("its runner is done with it", "")
    for state in get_args(RunState):
        told = msgspec.structs.replace(left, state=state, runner=None)
        assert state not in runner_words(told).split(), "the state stands beside it already"
    dead = msgspec.structs.replace(left, state="died", waiting=0)
    assert resuming_words(dead) == f"`webbench-tui run --resume {played.run}` goes on"
    assert resuming_words(dead, "--store here").endswith(" --store here` goes on")
    spent = msgspec.structs.replace(left, state="limited")
    assert resuming_words(spent).endswith(" --limit-run-cost MORE` goes on")
