"""Stores, plans, studies, labels and settings of the version before the moves into rooms still open.

`tests/fixtures/before` was written by that version on the demo: a finished run of the oracle, one that was
interrupted after the first of three episodes, an episode that was stepped by hand with a label and a dispute,
half a study, and a settings file.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec
import pytest

import webbench as wb
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.studies.desk import progress_of, settled_plan
from webbench.core.people.studies.study import read_study
from webbench.core.runner.plan.plan import read_plan
from webbench.core.runner.status.board import unfinished_statuses
from webbench.core.settings.load_settings import load_settings

BEFORE = Path(__file__).parent / "fixtures" / "before"
FINISHED = "2026-11-23_12-51-55_demo_oracle_y7v9"
INTERRUPTED = "2026-11-23_12-52-07_demo_oracle_85kn"
BY_HAND = "2026-11-23_12-52-01_demo_human_yyfw"
OF_STUDY = "2026-11-23_12-52-10_demo_human_kp8d"


@pytest.fixture
def store(tmp_path: Path) -> wb.Store:
    """A copy, which may be written."""
    return wb.Store(shutil.copytree(BEFORE / "store", tmp_path / "store"))


@pytest.mark.parametrize("index", ["its own index", "no index"])
def test_runs_are_listed(store: wb.Store, index: str) -> None:
    if index == "no index":
        (store.root / "index.sqlite").unlink()
    found = {run.run: run for run in store.runs()}
    assert list(found) == [OF_STUDY, INTERRUPTED, BY_HAND, FINISHED]
    assert [run.problem for run in found.values()] == [""] * 4
    assert [(run.planned, run.scored, run.mean_score) for run in found.values()] == [
        (2, 1, 1.0),
        (3, 1, 1.0),
        (1, 1, 0.0),
        (2, 2, 1.0),
    ]
    assert found[BY_HAND].as_corrected == 0.5
    states = unfinished_statuses(store.root, list(found.values()))
    assert states[INTERRUPTED].state == "interrupted"


def test_every_record_can_be_read_whole(store: wb.Store) -> None:
    assert len(store.episodes()) == 6
    for one in store.episodes():
        assert store.records.check(store.root / one.run / one.episode) == []
        trajectory = store.load(one)
        assert trajectory.problems == ()
        for step in trajectory.steps:
            assert bool(store.observation(trajectory, step).nodes) == bool(step.observation)
            assert (store.screenshot(trajectory, step) is not None) == bool(step.screenshot)
            assert bool(store.html(trajectory, step)) == bool(step.html)
    assert len(store.episodes().to_pandas()) == 6


def test_what_a_person_did_is_told_as_it_was(store: wb.Store) -> None:
    (name,) = store.episodes(f"run:{BY_HAND}").names
    steps = store.load(name).steps
    assert [(step.actor, step.text, step.ok) for step in steps] == [
        ("operator", "", True),
        ("operator", "", True),
        ("human", "click [99999]", False),
        ("human", "scroll [down]", True),
        ("human", "stop [$64.00]", True),
    ]
    assert steps[1].note == "look for the price"
    assert store.recorded(name).words(3).startswith("scroll")


def test_every_score_is_the_same_when_scored_again(store: wb.Store) -> None:
    for one in store.episodes("status:scored"):
        recorded = store.load(one).header.score
        assert wb.score(one, store=store) == recorded
    assert len(store.episodes("status:scored")) == 5


def test_attempts_of_both_runs_are_compared(store: wb.Store) -> None:
    names = store.episodes("task:price-of-lantern").names
    found = wb.compare(*names, store=store)
    assert [one.actor for one in found.attempts] == ["human", "human", "oracle"]


def test_labels_and_disputes_are_still_said(store: wb.Store) -> None:
    (label,) = store.episodes(f"run:{BY_HAND}").labels()
    assert (label.annotator, label.question, label.code, label.evidence) == ("ada", "outcome", "wrong", 3)
    assert label.note == "read another line"
    (dispute,) = ledger_of(store.records).book().disputes
    assert (dispute.run, dispute.annotator, dispute.reason) == (BY_HAND, "ada", "the price was nearly right")
    frame = store.episodes(f"run:{BY_HAND}").to_pandas()
    assert (frame["value"][0], frame["corrected"][0]) == (0.0, 0.5)


@pytest.mark.browser
@pytest.mark.timeout(120)
def test_an_interrupted_run_is_gone_on_with(store: wb.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = read_plan(store.root / INTERRUPTED)
    assert [one.task for one in plan.episodes] == ["open-product", "cheapest-bag", "order-total"]
    report = wb.resume(INTERRUPTED, store=store)
    assert (report.state, report.planned, report.scored, report.left) == ("finished", 3, 3, 0)
    assert report.mean_score == 1.0
    # What was played before counts as it was played.
    (first,) = store.episodes(f"run:{INTERRUPTED} task:open-product")
    assert first.started.startswith("2026-11-23T12:52")


def test_a_study_is_where_it_was(store: wb.Store) -> None:
    study = read_study(BEFORE / "study.toml")
    plan = settled_plan(store.records, study, wb.benchmark("demo"))
    found = progress_of(store.records, study, plan, "ada")
    assert [(work.task, work.stage) for work in found.works] == [
        ("price-of-lantern", "done"),
        ("cheapest-bag", "to do"),
    ]


@pytest.fixture
def settings_of_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("WEBBENCH_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("WEBBENCH_CONFIG", str(BEFORE / "settings.toml"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("settings_of_before")
def test_settings_are_read_without_a_complaint() -> None:
    settings = load_settings()
    assert settings.problems == ()
    assert msgspec.to_builtins(settings.viewport) == {"width": 480, "height": 320}
    assert (settings.judge.model, settings.judge.timeout) == ("judge-of-before", 30.0)
    assert (settings.model.name, settings.model.retries) == ("model-of-before", 2)
    assert (settings.step_limit, settings.annotator, settings.guard.actions) == (60, "ada", "auto")
    assert settings.keys == {"app.help": "f1"}
    assert dict(settings.sites) == {"webarena.shopping.url": "http://127.0.0.1:9/shop"}
