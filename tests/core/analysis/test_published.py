"""AgentRewardBench: what its published annotations give, and what they can't.

Precision and recall of rule-based success compare the experts' verdict with the benchmark's own, and on the
test split alone. The annotations hold neither the benchmark's verdict nor the split, so both can't be
counted from them. What can be: the experts' verdicts per benchmark, how far two of them agree, and whether
the published precisions and the recall are possible with so many successes at all.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from tests.shared import need_shared
from webbench.core.analysis.agreement.evaluator_verdicts import reliability
from webbench.core.statistics.inter_rater import cohen_kappa, percent

PRECISION = {"assistantbench": 25.0, "webarena": 79.0, "visualwebarena": 85.2, "workarena": 100.0}
PRECISION |= {"workarena++": 83.3}
OVERALL_PRECISION, OVERALL_RECALL = 83.8, 55.9
Row = dict[str, str]


@pytest.fixture(scope="module")
def judged() -> dict[tuple[str, str, str], list[Row]]:
    """The judgements of each episode, the first ("primary") annotator's first."""
    path: Path = need_shared("data", "trajectories", "agent-reward-bench-annotations", "annotations.csv")
    found: dict[tuple[str, str, str], list[Row]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = "workarena++" if "-l2" in row["task_id"] else row["benchmark"]
            found.setdefault((name, row["task_id"], row["model_name"]), []).append(row)
    return found


def successes(judged: dict[tuple[str, str, str], list[Row]]) -> dict[str, tuple[int, int]]:
    """Episodes that the first annotator holds solved, and unsolved, by benchmark."""
    counts = Counter((key[0], rows[0]["trajectory_success"]) for key, rows in judged.items())
    return {name: (counts[name, "Successful"], counts[name, "Unsuccessful"]) for name in PRECISION}


def test_the_experts_verdicts(judged: dict[tuple[str, str, str], list[Row]]) -> None:
    assert len(judged) == 1302
    assert successes(judged) == {
        "assistantbench": (10, 122),
        "webarena": (146, 251),
        "visualwebarena": (91, 209),
        "workarena": (41, 31),
        "workarena++": (67, 333),
    }


def test_how_far_two_experts_agree(judged: dict[tuple[str, str, str], list[Row]]) -> None:
    """87.7 %, and 89.3 % without the three episodes of the annotator whose name begins with a blank."""
    twice = {"/".join(key): rows for key, rows in judged.items() if len(rows) > 1}
    both = {
        at: {key: rows[place]["trajectory_success"] for key, rows in twice.items()}
        for place, at in enumerate(("first", "second"))
    }
    without = {
        at: {
            key: label
            for key, label in given.items()
            if all(row["annotator_name"] != " H" for row in twice[key])
        }
        for at, given in both.items()
    }

    assert (percent(both).value, percent(both).n) == (pytest.approx(93 / 106), 106)
    assert (percent(without).value, percent(without).n) == (pytest.approx(92 / 103), 103)
    assert cohen_kappa(both).value == pytest.approx(0.741, abs=0.001)


def test_the_published_precision_and_recall_are_possible(
    judged: dict[tuple[str, str, str], list[Row]],
) -> None:
    """Some whole numbers of hits and false alarms give every published figure; they leave little room.

    Of the sums that do, the rule-based successes are fewer than the experts' in every case: by precision and
    recall alone their number is recall / precision = 66.7 % of the experts' successes.
    """
    sums = {(0, 0)}
    for name, (solved, unsolved) in successes(judged).items():
        fits = [
            (hits, claims)
            for hits in range(solved + 1)
            for claims in range(max(1, hits), hits + unsolved + 1)
            if round(100 * hits / claims, 1) == PRECISION[name]
        ]
        assert fits, name
        sums = {(one + hits, two + claims) for one, two in sums for hits, claims in fits}
    total = sum(solved for solved, _ in successes(judged).values())
    possible = [
        (hits, claims, people)
        for hits, claims in sums
        if claims and round(100 * hits / claims, 1) == OVERALL_PRECISION
        for people in range(hits, total + 1)
        if round(100 * hits / people, 1) == OVERALL_RECALL
    ]

    assert possible
    assert all(claims / people == pytest.approx(0.667, abs=0.002) for _, claims, people in possible)


def test_reliability_of_known_verdicts() -> None:
    found = reliability([(True, True)] * 6 + [(True, False)] * 2 + [(False, True)] * 4 + [(False, False)] * 8)

    assert (found.precision.value, found.recall.value) == (0.75, 0.6)
    assert found.negative_precision.value == pytest.approx(8 / 12)
    assert (found.accuracy.value, found.accuracy.n) == (0.7, 20)
    assert reliability([(False, True)]).precision.value is None
