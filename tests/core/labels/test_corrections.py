"""Both numbers, always: as scored and as corrected."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.labels.corrected_lists import corrected_episodes, corrected_runs
from webbench.core.labels.corrections import cases, corrected, corrected_means
from webbench.core.labels.label import Dispute, Ruling
from webbench.core.labels.ledger import Ledger, ledger_of
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader


def dispute(annotator: str = "ann", to: float = 1.0, scored: float | None = 0.0) -> Dispute:
    return Dispute(
        run="r",
        episode="e",
        status=Status.SCORED,
        scored=scored,
        corrected=to,
        reason="same answer in other words",
        evidence=4,
        annotator=annotator,
    )


def ruling(verdict: Literal["accepted", "rejected", "open"], of: str = "ann") -> Ruling:
    return Ruling(run="r", episode="e", disputed_by=of, verdict=verdict, annotator="judge")


def test_a_dispute_corrects_and_a_rejected_one_does_not(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.add([dispute()])
    verdict = corrected(ledger.book(), "r", "e", 0.0)
    assert (verdict.scored, verdict.corrected, verdict.why) == (0.0, 1.0, "disputed by ann, not confirmed")
    ledger.add([ruling("accepted")])
    assert corrected(ledger.book(), "r", "e", 0.0).why == "disputed by ann, accepted"
    ledger.add([ruling("rejected")])
    verdict = corrected(ledger.book(), "r", "e", 0.0)
    assert (verdict.corrected, verdict.why, verdict.is_disputed) == (0.0, "rejected dispute", True)
    assert [case.state for case in cases(ledger.book())] == ["rejected"]


def test_contradicting_disputes_correct_nothing_until_one_is_accepted(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.add([dispute(), dispute("bert", 0.5)])
    assert corrected(ledger.book(), "r", "e", 0.0).corrected == 0.0
    assert "contradict" in corrected(ledger.book(), "r", "e", 0.0).why
    ledger.add([ruling("accepted", "bert")])
    assert corrected(ledger.book(), "r", "e", 0.0).corrected == 0.5


def test_a_score_that_changed_since_is_not_corrected(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.add([dispute(scored=0.0)])
    verdict = corrected(ledger.book(), "r", "e", 0.25)
    assert (verdict.corrected, verdict.why) == (0.25, "outdated dispute")
    ledger.add([msgspec.structs.replace(dispute(), withdrawn=True)])
    assert not corrected(ledger.book(), "r", "e", 0.0).is_disputed


def test_means_keep_both_and_their_own_counts(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.add([dispute(scored=None)])
    means = corrected_means(ledger.book(), [("r", "e", None), ("r", "f", 0.0), ("r", "g", 1.0)])
    assert (means.scored, means.scored_count) == (0.5, 2)
    assert (means.corrected, means.corrected_count) == (2 / 3, 3)
    assert (means.changed, means.unconfirmed, means.disputed) == (1, 1, 1)
    assert corrected_means(ledger.book(), [("r", "f", 0.0)]).changed == 0


def test_lists_of_runs_and_episodes_have_both_numbers(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = store.start_run("demo", "agent", 2)
    for order, value in enumerate((0.0, 1.0)):
        task = Task(benchmark="demo", name=str(order))
        header = EpisodeHeader(run="", episode="", task=task, actor="agent", dialect="", order=order)
        store.recorder(run, header).finish(Score(status=Status.SCORED, value=value), "stopped")
    assert (corrected_runs(store)[0].as_corrected, corrected_runs(store)[0].disputed) == (0.5, 0)
    first, second = store.episodes(run)
    ledger_of(store).add([msgspec.structs.replace(dispute(), run=run, episode=first.episode)])
    (summary,) = corrected_runs(store)
    assert (summary.mean_score, summary.as_corrected, summary.corrected) == (0.5, 1.0, 2)
    assert (summary.disputed, summary.unconfirmed) == (1, 1)
    first, second = corrected_episodes(store, store.episodes(run))
    assert (first.value, first.as_corrected, first.dispute) == (0.0, 1.0, "disputed by ann, not confirmed")
    assert (second.value, second.as_corrected, second.dispute) == (1.0, 1.0, "")
