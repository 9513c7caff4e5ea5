"""What people had done with the version before still holds: labels, reviews, gold, notes, talks, any page.

`tests/fixtures/peoples_work` was written by that version: a run of the demo's oracle, named, tagged, noted;
an episode that a person recorded with an instructor, which two labelled, one disputed and one cleaned; the
gold trajectory of its task; an episode on any address, judged by a person later; what stands beside the runs.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import webbench as wb
from webbench.benchmarks.webcanvas.upkeep.key_node_reviews import NodeReviews
from webbench.benchmarks.webcanvas.upkeep.past_checks import CheckHistory
from webbench.core.analysis.recorded.gold_trajectory import GoldTrajectories
from webbench.core.analysis.rubrics.kept_verdicts import kept_verdicts
from webbench.core.benchmark.subsets import subsets
from webbench.core.episode.utterances import utterance_of
from webbench.core.labels.corrections import cases
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.cleaning.cleaned_copy import cleaning_of
from webbench.core.people.labelling.queues import queue_names, read_queue
from webbench.core.scoring.judges.kept_replies import every_reply
from webbench.core.store.bin import deleted_runs
from webbench.core.store.pools import pools

WRITTEN = Path(__file__).parent / "fixtures" / "peoples_work"
ORACLE = "2026-11-28_13-27-58_demo_oracle_jp9m"
TALKED = "2026-11-28_13-28-28_demo_human_g4tf"
ANY_PAGE = "2026-11-28_13-29-20_page_human_7yez"
GOLD = "2026-11-28_13-30-01_demo_human_rswa"
CLEANED = "2026-11-28_13-31-07_demo_human_q352"


@pytest.fixture
def store(tmp_path: Path) -> wb.Store:
    """A copy, which may be written."""
    return wb.Store(shutil.copytree(WRITTEN / "store", tmp_path / "store"))


def test_runs_have_their_names_notes_pools_and_scores(store: wb.Store) -> None:
    found = {run.run: run for run in store.runs()}
    assert [run.problem for run in found.values()] == [""] * 5
    oracle = found[ORACLE]
    assert (oracle.name, oracle.tags, oracle.note) == ("reference", ("checked",), "made for a fixture")
    assert pools(store.root) == {"people": (GOLD, TALKED)}
    assert deleted_runs(store.root) == {"2026-11-28_13-32-03_demo_human_f6yc"}
    assert {one.run: one.value for one in store.episodes("actor:human")} == {
        TALKED: 0.0,
        ANY_PAGE: 1.0,
        GOLD: 1.0,
        CLEANED: None,
    }


def test_what_two_people_said_to_each_other_is_heard(store: wb.Store) -> None:
    (name,) = store.episodes(f"run:{TALKED}").names
    said = [one for step in store.load(name).steps if (one := utterance_of(step)) is not None]
    assert said == [
        ("instructor", "look for the lantern"),
        ("navigator", "which one?"),
        ("instructor", "the storm lantern"),
    ]


def test_a_task_of_any_address_has_the_score_that_a_person_gave_it_later(store: wb.Store) -> None:
    (one,) = store.episodes(f"run:{ANY_PAGE}")
    assert (one.task, one.value) == ("http://127.0.0.1:48765/ When is high water?", 1.0)
    recorded = store.load(one)
    assert (recorded.header.task.intent, recorded.problems) == ("When is high water?", ())
    (reply,) = every_reply(store.root / one.run / one.episode)
    assert reply.reply.text.splitlines()[-1] == "VERDICT: done"


def test_labels_memos_rulings_and_codebooks_are_as_they_were_left(store: wb.Store) -> None:
    ledger = ledger_of(store.records)
    book = ledger.book()
    assert book.problems == ()
    given = {(one.annotator, one.taxonomy, one.code, one.settles) for one in book.labels}
    assert given == {
        ("ada", "merged", "wrong", ()),
        ("ben", "merged", "partly", ()),
        ("cid", "merged", "wrong", ("ada", "ben")),
        ("ada", "open", "reads-another-row", ()),
    }
    assert {one.text for one in book.memos} == {"people round prices", "needs a second look"}
    assert {one.annotator for one in book.finished} == {"ada", "ben"}
    (case,) = cases(book)
    assert (case.dispute.corrected, case.state, case.ruling and case.ruling.note) == (
        0.5,
        "rejected",
        "it is not",
    )
    versions = ledger.codebooks.of("open")
    assert versions is not None
    assert [code.name for code in versions.latest.questions[0].offered] == ["row-above", "row-below"]
    assert queue_names(store.records) == ["second"]
    assert read_queue(store.records, "second").places("ben") == ((TALKED, "0000_price-of-lantern_pugn"),)
    (verdict,) = kept_verdicts(store.records).verdicts
    assert (verdict.code, verdict.citations[0].quote) == ("wrong", "$64.00")


def test_gold_cleaned_copies_reviews_and_checks_are_known(store: wb.Store) -> None:
    gold = GoldTrajectories(store.records).of("demo", "price-of-lantern")
    assert gold is not None
    assert (gold.run, gold.by, gold.note) == (GOLD, "ada", "read off the page")
    (copy,) = store.episodes(f"run:{CLEANED}")
    cleaning = cleaning_of(store.load(copy))
    assert (cleaning.by, cleaning.why) == ("cid", "no use")
    reviews, problems = NodeReviews(store.root).entries()
    assert [(one.reviewer, one.verdict, one.settles) for one in reviews] == [
        ("ben", "needed", False),
        ("cid", "not needed", False),
        ("dan", "needed", True),
    ]
    checks, more = CheckHistory(store.root).entries()
    assert [(one.task, one.state, one.changes) for one in checks] == [
        ("tide-times", "changed", ("the link is gone",))
    ]
    assert problems == more == []


def test_a_named_subset_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbench.core.benchmark.subsets.data_folder", lambda: WRITTEN)
    (subset,) = subsets("demo")
    assert (subset.name, subset.tasks) == ("mugs", ("camp-mugs",))
