"""A settled label counts in place of those it decides between, once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webbench.core.labels.label import Label
from webbench.core.labels.settled import counting, settled

EPISODE = ("run", "one")


def label(
    who: str, code: str, *, step: int | None = None, at: str = "", settles: tuple[str, ...] = ()
) -> Label:
    return Label(
        run="run",
        episode="one",
        step=step,
        taxonomy="merged",
        version=1,
        question="cause",
        code=code,
        annotator=who,
        at=at,
        settles=settles,
    )


def test_the_later_decision_counts_and_other_places_stay() -> None:
    raw = [label("a", "form", step=2), label("b", "budget", step=2), label("a", "form", step=3)]
    early = label("judge", "form", step=2, at="2026-01-01", settles=("a", "b"))
    late = label("head", "", step=2, at="2026-01-02", settles=("a", "b"))
    assert counting(raw) == tuple(raw)
    assert counting([*raw, early]) == (raw[2], early)
    assert counting([late, *raw, early]) == (late, raw[2])


@pytest.mark.parametrize(
    ("labels", "done", "codes", "still_open"),
    [
        ([label("a", "x")], ["a"], {"x"}, False),
        ([label("a", "x"), label("b", "x")], ["a", "b"], {"x"}, False),
        ([label("a", "x"), label("b", "y")], ["a", "b"], set(), True),
        ([label("a", "x")], ["a", "b"], set(), True),
        ([label("a", "x"), label("b", "y"), label("c", "y", settles=("a", "b"))], ["a", "b"], {"y"}, False),
        ([label("a", "x"), label("b", "y"), label("c", "", settles=("a", "b"))], ["a", "b"], set(), False),
        (
            [
                label("a", "x"),
                *(label(who, code, settles=("a", "b")) for who, code in (("c", "y"), ("d", "x"))),
            ],
            ["a", "b"],
            {"x"},
            False,
        ),
    ],
)
def test_only_what_is_settled_counts(
    labels: list[Label], done: list[str], codes: set[str], still_open: bool
) -> None:
    found = settled(labels, {EPISODE: done})
    assert found.codes.get(EPISODE, set()) == codes
    assert found.still_open == ({EPISODE} if still_open else set())


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("abcj"), st.sampled_from(["form", "budget", ""]), st.integers(0, 2), st.booleans()
        ),
        max_size=14,
    )
)
def test_no_place_that_was_settled_counts_twice(told: list[tuple[str, str, int, bool]]) -> None:
    labels = [
        label(who, code, step=step, at=f"{at:02}", settles=("a", "b") if decides else ())
        for at, (who, code, step, decides) in enumerate(told)
    ]
    counted = counting(labels)
    for step in range(3):
        here = [one for one in counted if one.step == step]
        decided = any(one.step == step and one.settles for one in labels)
        assert len(here) == (1 if decided else sum(one.step == step for one in labels))
