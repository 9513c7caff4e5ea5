"""Rules, judges and people on one question: figures worked out by hand."""

from __future__ import annotations

import pytest

from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode
from webbench.core.analysis.rubrics.measured_judges import Reader, judges_section, measured, part_of
from webbench.core.analysis.rubrics.rubric import taxonomy_of_words
from webbench.core.labels.label import Label
from webbench.core.statistics.figures import Table

TAXONOMY = taxonomy_of_words("Did it give up?", "gave-up")
(QUESTION,) = TAXONOMY.questions
RATER = "judge.m.1a2b.episode.3c4d"
TASKS = {("r", f"e{at}"): ("b", f"t{at}") for at in range(40)}
DEV = [place for place, task in TASKS.items() if part_of(*task) == "dev"]
TEST = [place for place, task in TASKS.items() if part_of(*task) == "test"]


def verdict(place: tuple[str, str], code: str, rater: str = RATER) -> JudgedEpisode:
    return JudgedEpisode(
        run=place[0],
        episode=place[1],
        taxonomy="gave-up",
        version=1,
        question="answer",
        code=code,
        problem="" if code else "unreadable",
        rater=rater,
        judge="m at h",
        prompt="episode",
        prompt_version="3c4d",
        asked="",
    )


def label(
    place: tuple[str, str],
    code: str,
    who: str = "ann",
    in_sight: tuple[str, ...] = (),
    settles: tuple[str, ...] = (),
) -> Label:
    return Label(
        run=place[0],
        episode=place[1],
        taxonomy="gave-up",
        version=1,
        question="answer",
        code=code,
        annotator=who,
        in_sight=in_sight,
        settles=settles,
    )


def test_a_judge_is_held_against_people_on_dev_and_test_apart() -> None:
    """On dev the judge is right; on test 4 of 6 yes are, and it misses 1 of 5."""
    assert len(DEV) >= 5
    assert len(TEST) >= 10
    said = dict(zip(DEV[:5], ["yes", "yes", "no", "no", "no"], strict=True))
    said |= dict(zip(TEST[:10], ["yes"] * 6 + ["no"] * 4, strict=True))
    people = said | {TEST[0]: "no", TEST[1]: "no", TEST[9]: "yes"}
    verdicts = [verdict(place, code) for place, code in said.items()] + [verdict(DEV[5], "")]
    labels = [label(place, code) for place, code in people.items()]
    found = measured(TAXONOMY, QUESTION, verdicts, labels, TASKS)
    judge, person = found.readers
    assert (judge.kind, judge.episodes, judge.given, judge.without) == ("judge", 15, 8, 1)
    assert (judge.dev.n, judge.dev.precision.value, judge.dev.recall.value) == (5, 1, 1)
    assert (judge.test.n, judge.test.precision.n, judge.test.recall.n) == (10, 6, 5)
    assert judge.test.precision.value == pytest.approx(4 / 6)
    assert judge.test.recall.value == pytest.approx(4 / 5)
    assert judge.test.precision.low == pytest.approx(0.300, abs=1e-3)  # Wilson's, of 4 in 6
    assert judge.kappa.value == pytest.approx((12 / 15 - (8 * 7 + 7 * 8) / 225) / (1 - (8 * 7 + 7 * 8) / 225))
    assert judge.corrected.value == pytest.approx((8 / 15 + 3 / 5 - 1) / (4 / 5 + 3 / 5 - 1))
    assert set(judge.differing) == {"/".join(place) for place in (TEST[0], TEST[1], TEST[9])}
    assert set(found.queue) == {TEST[0], TEST[1], TEST[9]}
    assert (person.kind, person.corrected.value) == ("person", None)
    assert person.rate.value == pytest.approx(7 / 15)
    section = judges_section([found])
    assert section is not None
    rates, quality = section.figures
    assert isinstance(rates, Table)
    assert isinstance(quality, Table)
    assert [row.cells[0] for row in rates.rows] == [RATER, "person ann"]
    assert [row.cells[:4] for row in quality.rows] == [(RATER, "yes", "dev", 5), (RATER, "yes", "test", 10)]


def test_labels_with_the_verdict_in_sight_confirm_and_measure_nothing() -> None:
    verdicts = [verdict(place, "yes") for place in DEV[:3]]
    labels = [
        label(place, code, in_sight=(RATER,))
        for place, code in zip(DEV[:3], ["yes", "yes", "no"], strict=True)
    ]
    found = measured(TAXONOMY, QUESTION, verdicts, labels, TASKS)
    judge = found.readers[0]
    assert found.labelled == judge.dev.n == 0
    assert judge.dev.precision.value is None
    assert judge.confirmed.n == 3
    assert judge.confirmed.value == pytest.approx(2 / 3)


def test_people_evenly_divided_decide_nothing_until_it_is_settled() -> None:
    verdicts = [verdict(DEV[0], "yes"), verdict(DEV[0], "no", "judge.n.1a2b.episode.3c4d")]
    divided = [label(DEV[0], "yes"), label(DEV[0], "no", "bert")]
    found = measured(TAXONOMY, QUESTION, verdicts, divided, TASKS)
    assert (found.labelled, found.queue) == (0, (DEV[0],))
    settled = [*divided, label(DEV[0], "no", "cleo", settles=("ann", "bert"))]
    assert measured(TAXONOMY, QUESTION, verdicts, settled, TASKS).labelled == 1


def test_a_rule_stands_beside_them_on_the_codes_it_knows() -> None:
    rule = Reader(kind="rule", name="evaluator", codes={DEV[0]: "yes", DEV[1]: ""}, knows=("yes",))
    labels = [label(DEV[0], "yes"), label(DEV[1], "yes")]
    found = measured(TAXONOMY, QUESTION, [verdict(DEV[0], "yes")], labels, TASKS, [rule])
    first = found.readers[0]
    assert (first.kind, first.reader, first.given) == ("rule", "evaluator", 1)
    assert (first.dev.precision.value, first.dev.recall.value) == (1, 0.5)
