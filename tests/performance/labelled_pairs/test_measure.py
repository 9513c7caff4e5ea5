"""The arithmetic of the figures on a case made by hand, and whether the labels fit the pairs."""

from __future__ import annotations

import pytest

from tests.performance.labelled_pairs.attempt import Pair, chosen_pairs
from tests.performance.labelled_pairs.label import Ranges, Reading, Steps, settled_labels
from tests.performance.labelled_pairs.measure import line, measured, precision_recall

LABEL = Reading(
    accepted=((4, 3), (3, 3)),
    meetings=((1, 1), (2, 2), (6, 5), (7, 6)),
    detours=Ranges(a=((3, 3),), b=((4, 6),)),
    loops=Ranges(b=((8, 9),)),
)
FOUND = Reading(
    accepted=((3, 3),),
    meetings=((1, 1), (2, 2), (5, 5), (9, 9)),
    detours=Ranges(a=((3, 4),), b=((5, 5),)),
)


def test_meetings_detours_and_loops_of_one_pair() -> None:
    counts = measured(FOUND, LABEL, unclear=[(9, 9)])

    assert (counts["exact"], counts["near"], counts["acceptable"]) == (0, 1, 1)
    assert (counts["met_right"], counts["met"], counts["told"]) == (2, 3, 4)
    assert precision_recall(counts) == pytest.approx((2 / 3, 1 / 2, 4 / 7))
    assert (counts["detours_both"], counts["detours_either"]) == (2, 5)
    assert (counts["loops_both"], counts["loops_either"]) == (0, 2)


def test_an_unclear_meeting_is_neither_missed_nor_wrong() -> None:
    counts = measured(FOUND, LABEL, unclear=[(9, 9), (2, 2), (7, 6)])

    assert (counts["met_right"], counts["met"], counts["told"]) == (1, 2, 2)


@pytest.mark.parametrize(
    ("found", "right"),
    [
        ((4, 3), "exact near acceptable"),
        ((3, 3), "near acceptable"),
        ((5, 2), "near"),
        ((4, 5), ""),
        (None, ""),
    ],
)
def test_how_near_a_first_divergence_is(found: Steps | None, right: str) -> None:
    counts = measured(Reading(accepted=(found,)), LABEL)

    assert [key for key in ("exact", "near", "acceptable") if counts[key]] == right.split()


def test_pairs_that_never_part_add_up() -> None:
    never, part = Reading(accepted=(None, (2, 2))), Reading(accepted=((2, 2),))
    sums = measured(never, never) + measured(part, never) + measured(never, part)

    assert (sums["pairs"], sums["exact"], sums["near"], sums["acceptable"]) == (3, 1, 1, 2)
    assert (sums["never_right"], sums["never"], sums["never_said"]) == (1, 2, 2)
    assert line("all", sums).split()[1:8] == ["3", "1/3", "33", "%", "1/3", "33", "%"]


def test_nothing_to_count_is_told_as_such() -> None:
    assert precision_recall(measured(Reading(accepted=(None,)), Reading(accepted=(None,)))) == (None,) * 3


def test_every_pair_has_a_label_that_fits_its_steps() -> None:
    pairs, labels = {pair.pair: pair for pair in chosen_pairs()}, settled_labels()

    assert labels.keys() == pairs.keys()
    assert {number: faults for number in pairs if (faults := _faults(pairs[number], labels[number]))} == {}
    for number, label in labels.items():
        assert not set(label.open) & set(label.meetings), number
        assert set(label.readers) == {"a", "b"}
        for reader in label.readers.values():
            assert _faults(pairs[number], reader) == [], number


def _faults(pair: Pair, reading: Reading) -> list[str]:
    ends = (pair.a.steps, pair.b.steps)
    parted = [one for one in reading.accepted if one is not None]
    ranges = {"a": reading.detours.a + reading.loops.a, "b": reading.detours.b + reading.loops.b}
    crossing = [
        (one, other)
        for one, other in zip(reading.meetings, reading.meetings[1:], strict=False)
        if one == other or other[0] < one[0] or other[1] < one[1]
    ]
    checks = {
        "no answer": bool(reading.accepted),
        "a parting outside the steps": all(_inside(one, (ends[0] + 1, ends[1] + 1)) for one in parted),
        "a meeting outside the steps": all(_inside(one, ends) for one in reading.meetings),
        "meetings that cross": not crossing,
        "the parting is a meeting": reading.first not in reading.meetings,
        "a range outside the steps": all(
            1 <= first <= last <= end
            for side, end in zip("ab", ends, strict=True)
            for first, last in ranges[side]
        ),
    }
    return [name for name, holds in checks.items() if not holds]


def _inside(one: Steps, ends: Steps) -> bool:
    return 1 <= one[0] <= ends[0] and 1 <= one[1] <= ends[1]
