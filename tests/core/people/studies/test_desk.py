"""What an annotator did survives the process that noted it; the clock loses nothing but pauses."""

from __future__ import annotations

import msgspec
import pytest

from webbench.core.benchmark.installed import find_benchmark
from webbench.core.engine.wire import messages
from webbench.core.engine.wire.blinding import blinded
from webbench.core.episode.idle import IdleTime
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.people.studies.browser_window import require_display
from webbench.core.people.studies.desk import (
    LEFT,
    Desk,
    folder_of,
    has_ended,
    progress_of,
    settled_plan,
)
from webbench.core.people.studies.study import Study
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.records.reader import read_run
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step

STUDY = Study(name="pilot", benchmark="demo", annotators=("ada", "ben"), tasks=("camp-mugs", "receipt#0"))
DEMO = find_benchmark("demo")
SCORED = Score(status=Status.SCORED, value=1.0)


def desk(store: Store, annotator: str = "ada", study: Study = STUDY) -> Desk:
    found = Desk(store, study, DEMO, annotator)
    found.settle()
    return found


def record(store: Store, desk: Desk, task: str, reason: str = "", score: Score = SCORED) -> str:
    """An episode as the engine leaves it; without a reason its process was killed."""
    header = EpisodeHeader(run="", episode="", task=DEMO.tasks(names=(task,))[0], actor="human", dialect="x")
    recorder = store.recorder(desk.run, header)
    recorder.write(Step(index=0, at=""))
    if reason:
        recorder.finish(score, reason)
    recorder.close()
    return recorder.header.episode


def mine(store: Store) -> str:
    return settled_plan(store, STUDY, DEMO).assigned["ada"][0]


def test_a_killed_session_goes_on_where_it_was(store: Store) -> None:
    task = mine(store)
    first = desk(store)
    assert first.begin(task) == ""
    episode = record(store, first, task)
    first.opened(task, 0.0, episode)
    first.tick(task, 12.5)
    first._log.close()
    log = folder_of(store, STUDY) / "ada.jsonl"
    log.write_bytes(log.read_bytes() + b'{"what":"clock","task":"')

    with desk(store) as again:
        assert again.run == first.run
        work = again.progress.next
        assert work is not None
        assert (work.task, work.stage, work.seconds) == (task, "open", 12.5)
        assert "torn" in again.progress.problems[0]
        assert again.begin(task) == episode
        second = record(store, again, task, "the actor stopped")
        again.opened(task, 12.5, second)
        again.end(task, 30.0, store.load(second).header)
        again.rate(task, 2, 5, "fine")
    done = progress_of(store, STUDY, again.plan, "ada").of(task)
    assert (done.stage, done.outcome, done.seconds, done.interruptions) == ("done", "submitted", 30.0, 1)
    assert [name for _, name in done.episodes] == [episode, second]
    assert (done.difficulty, done.confidence, done.remark) == (2, 5, "fine")


def test_a_task_that_ended_as_the_process_was_killed_is_not_done_again(store: Store) -> None:
    task = mine(store)
    with desk(store) as first:
        first.begin(task)
        first.opened(task, 0.0, record(store, first, task, "gave up: no idea"))
        first.tick(task, 7.0)
    with desk(store) as again:
        work = again.progress.of(task)
        assert (work.stage, work.outcome, work.reason, work.seconds) == ("to rate", "gave up", "no idea", 7.0)


@pytest.mark.parametrize(
    ("reason", "score", "over"),
    [
        ("the actor stopped", SCORED, True),
        ("the actor stopped", not_scored("a judge is needed"), True),
        (LEFT, not_scored(LEFT), False),
        ("abandoned", SCORED, False),
        ("the browser died", not_scored("the browser died"), False),
    ],
)
def test_what_broke_off_leaves_the_task_open(reason: str, score: Score, over: bool) -> None:
    header = EpisodeHeader(
        run="", episode="", task=DEMO.tasks()[0], actor="human", dialect="", ended="now", end_reason=reason
    )
    assert has_ended(msgspec.structs.replace(header, score=score)) is over


def test_the_run_names_study_and_pseudonym(store: Store) -> None:
    with desk(store) as ada:
        header = read_run(store.root / ada.run)
    assert header.settings["study"] == "pilot"
    assert header.settings["annotator"] == "ada"
    assert header.task_ids == ada.plan.assigned["ada"]


def test_one_name_is_at_one_desk_only(store: Store) -> None:
    with desk(store), pytest.raises(UsageError, match="open already"):
        desk(store)
    with pytest.raises(UsageError, match='no annotator "eve"'):
        desk(store, "eve")


def test_a_study_that_was_changed_is_another_one(store: Store) -> None:
    with desk(store):
        pass
    with pytest.raises(BadData, match="changed after it had begun: seed, blind"):
        settled_plan(store, msgspec.structs.replace(STUDY, seed=1, blind=False), DEMO)


def test_blind_events_tell_no_score() -> None:
    header = EpisodeHeader(run="r", episode="e", task=DEMO.tasks()[0], actor="human", dialect="")
    ended = messages.EpisodeEnded(header=msgspec.structs.replace(header, score=SCORED))
    step = messages.StepRecorded(step=Step(index=1, at="", score=SCORED, evidence={"answer": "42"}))
    shown = [blinded(event) for event in (ended, step, messages.Scored(step=1, score=SCORED))]
    assert "scored" not in msgspec.json.encode(shown).decode()
    assert "42" not in msgspec.json.encode(shown).decode()


def test_a_pause_is_no_idle_time() -> None:
    now = [0.0]
    idle = IdleTime(lambda: now[0])
    for moment, change in ((5.0, idle.pause), (65.0, idle.pause), (70.0, idle.go_on), (72.0, idle.go_on)):
        now[0] = moment
        change()
    assert idle.seconds == 7.0


def test_a_window_needs_a_display() -> None:
    free = msgspec.structs.replace(STUDY, dialect="free browser")
    with pytest.raises(EnvironmentDown, match="no display") as refused:
        require_display(free, {})
    assert 'dialect = "agent"' in refused.value.hint
    require_display(free, {"DISPLAY": ":0"})
    require_display(STUDY, {})
