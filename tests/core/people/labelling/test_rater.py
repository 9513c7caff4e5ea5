"""Labels are hidden from each other until both are done, and decided on without being lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.core.analysis.agreement.annotator_agreement import agreement
from webbench.core.errors import UsageError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import Ledger
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.labels.visibility import sight
from webbench.core.people.labelling.rater import Rater, Remark

EPISODE = ("run", "episode")


@pytest.fixture(scope="module")
def taxonomy(tmp_path_factory: pytest.TempPathFactory) -> Taxonomy:
    return load_codebook(tmp_path_factory.mktemp("none")).taxonomy("webarena")


def raters(root: Path, taxonomy: Taxonomy) -> tuple[Rater, Rater]:
    ledger = Ledger(root)
    return Rater(ledger, taxonomy, "ann"), Rater(ledger, taxonomy, "bert")


def give(rater: Rater, code: str, step: int | None = None, episode: str = "episode") -> None:
    question, found = rater.taxonomy.find(code, step)
    rater.give("run", episode, step, question, found, Remark(note="because"), last=5)


def test_labels_are_hidden_until_both_are_done(tmp_path: Path, taxonomy: Taxonomy) -> None:
    ann, bert = raters(tmp_path, taxonomy)
    give(ann, "repetition")
    give(bert, "early-stop")
    ann.finish(*EPISODE)
    assert bert.others(*EPISODE) == ann.others(*EPISODE) == ()
    assert bert.hidden(*EPISODE) == "1 of others hidden until you are done"
    assert ann.hidden(*EPISODE) == "1 of others hidden until bert is done"
    assert sight(ann.book()).labels == ()
    bert.finish(*EPISODE)
    assert [label.code for label in bert.others(*EPISODE)] == ["repetition"]
    assert ann.hidden(*EPISODE) == ""
    assert len(sight(ann.book()).labels) == 2
    third = Rater(Ledger(tmp_path), taxonomy, "cleo")
    assert third.others(*EPISODE) == ()
    bert.reopen(*EPISODE)
    assert ann.others(*EPISODE) == ()


def test_a_decision_stands_beside_the_labels_it_settles(tmp_path: Path, taxonomy: Taxonomy) -> None:
    ann, bert = raters(tmp_path, taxonomy)
    give(ann, "repetition", 3)
    give(ann, "step-limit")
    give(bert, "step-limit")
    ann.finish(*EPISODE)
    assert ann.disagreements(*EPISODE) == ()
    bert.finish(*EPISODE)
    (case,) = ann.disagreements(*EPISODE)
    assert (case.step, {who: label and label.code for who, label in case.labels.items()}) == (
        3,
        {"ann": "repetition", "bert": None},
    )
    judge = Rater(Ledger(tmp_path), taxonomy, "judge")
    judge.settle(*EPISODE, case, taxonomy.find("repetition")[1], "seen twice")
    (case,) = judge.disagreements(*EPISODE)
    assert case.settled is not None
    assert case.settled.settles == ("ann", "bert")
    assert [label.code for label in ann.own(*EPISODE)] == ["repetition", "step-limit"]
    judge.settle(*EPISODE, case, None)
    (case,) = judge.disagreements(*EPISODE)
    assert case.settled is not None
    assert case.settled.code == ""


def test_a_label_is_refused_where_it_can_not_be(tmp_path: Path, taxonomy: Taxonomy) -> None:
    ann, bert = raters(tmp_path, taxonomy)
    with pytest.raises(UsageError, match=r"no step 6 \(its steps are 0 to 5"):
        give(ann, "repetition", 6)
    question, code = taxonomy.find("repetition")
    with pytest.raises(UsageError, match="no confidence 9"):
        ann.give(*EPISODE, None, question, code, Remark(confidence=9), last=5)
    give(ann, "repetition")
    with pytest.raises(UsageError, match="is ann's"):
        bert.take_back(ann.own(*EPISODE)[0])
    ann.take_back(ann.own(*EPISODE)[0])
    assert ann.own(*EPISODE) == ()


def test_agreement_per_code_counts_what_both_finished(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """Ten episodes, of which the two differ in two: worked out by hand."""
    ann, bert = raters(tmp_path, taxonomy)
    for at in range(10):
        give(ann, "repetition" if at < 5 else "early-stop", episode=f"e{at}")
        give(bert, "repetition" if (at < 5 and at != 0) or at == 9 else "early-stop", episode=f"e{at}")
        ann.finish("run", f"e{at}")
        bert.finish("run", f"e{at}")
    give(ann, "step-limit", episode="alone")
    ann.finish("run", "alone")
    last = {("run", f"e{at}"): 3 for at in range(10)} | {("run", "alone"): 3}
    found = agreement(ann.book(), taxonomy, last)
    assert (found.raters, found.episodes, found.waiting) == (("ann", "bert"), 10, 1)
    whole, early, repetition = found.codes
    assert (whole.code, early.code, repetition.code) == ("", "early-stop", "repetition")
    assert whole.items == 10
    assert whole.percent.value == pytest.approx(0.8)
    assert repetition.kappa.value == pytest.approx(0.6)
    assert repetition.alpha.value == pytest.approx(1 - 19 * 4 / (2 * 10 * 10))
    assert repetition.given == {"ann": 5, "bert": 5}
    assert repetition.percent.low is not None
    assert repetition.percent.low < 0.8 <= (repetition.percent.high or 0)


def test_a_step_that_one_passed_by_is_a_disagreement_and_one_that_both_did_is_no_item(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    """Ten steps of which each labelled another one: the eight that nobody labelled tell nothing."""
    ann, bert = raters(tmp_path, taxonomy)
    give(ann, "repetition", 2)
    give(bert, "repetition", 3)
    for rater in (ann, bert):
        rater.finish(*EPISODE)
    row = next(one for one in agreement(ann.book(), taxonomy, {EPISODE: 9}).codes if one.code)
    assert (row.unit, row.items, row.unlabelled, row.percent.value) == ("step", 2, 8, 0.0)
