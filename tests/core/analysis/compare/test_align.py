"""Alignments put like steps in a row and leave detours alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.analysis.compare.alignment import UNIT, align
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.constants import CONSTANTS
from webbench.core.analysis.compare.similarity import similarities, similarity


def moment(at: int, page: int, verb: str = "click", value: str = "") -> Moment:
    tree = frozenset(range(page * 40, page * 40 + 40))
    return Moment(
        step=at + 1,
        url=f"site{page % 3}/p{page}",
        title=f"page {page}",
        shingles=tree,
        verb=verb,
        element=("button", f"do {page} {verb}"),
        value=value,
    )


def walk(*pages: int) -> list[Moment]:
    return [moment(at, page) for at, page in enumerate(pages)]


walks = st.lists(
    st.builds(
        moment,
        at=st.integers(0, 9),
        page=st.integers(0, 6),
        verb=st.sampled_from(["click", "type", "stop"]),
        value=st.sampled_from(["", "a", "a b"]),
    ),
    max_size=9,
)


@settings(max_examples=examples(60), deadline=None)
@given(walks)
def test_equal_walks_are_aligned_step_by_step(steps: list[Moment]) -> None:
    found = align([steps, steps])

    assert found.cost == 0
    assert [row.places for row in found.rows] == [(at, at) for at in range(len(steps))]


@settings(max_examples=examples(60), deadline=None)
@given(walks, walks)
def test_the_cost_is_symmetric_and_every_step_has_one_row(left: list[Moment], right: list[Moment]) -> None:
    there, back = align([left, right]), align([right, left])

    assert there.cost == back.cost
    for side, steps in enumerate((left, right)):
        places = [row.places[side] for row in there.rows if row.places[side] is not None]
        assert places == list(range(len(steps)))
    assert similarities(left, right).T.tolist() == similarities(right, left).tolist()


@settings(max_examples=40, deadline=None)
@given(at=st.integers(0, 6), length=st.integers(1, 5))
def test_a_detour_is_exactly_one_gap(at: int, length: int) -> None:
    straight = walk(0, 1, 2, 3, 4, 5)
    detour = walk(*range(50, 50 + length))
    longer = [*straight[:at], *detour, *straight[at:]]

    found = align([straight, longer])

    assert [row.places[1] for row in found.rows if row.alone] == list(range(at, at + length))
    assert found.cost == (CONSTANTS.gap_open + length * CONSTANTS.gap_extend) / UNIT


def test_steps_that_have_nothing_in_common_stand_alone() -> None:
    found = align([walk(0, 1), walk(0, 60)])

    assert [row.places for row in found.rows] == [(0, 0), (1, None), (None, 1)] or [
        row.places for row in found.rows
    ] == [(0, 0), (None, 1), (1, None)]


def test_more_than_two_share_their_rows() -> None:
    found = align([walk(0, 1, 2, 3), walk(0, 2, 3), walk(0, 1, 70, 3)])

    assert found.rows[0].places == (0, 0, 0)
    assert found.rows[-1].places == (3, 2, 3)
    assert all(row.same for row in (found.rows[0], found.rows[-1]))
    assert next(row for row in found.rows if row.places[2] == 2).alone


@settings(max_examples=25, deadline=None)
@given(st.lists(walks, min_size=5, max_size=5))
def test_five_attempts_keep_their_order_in_the_rows_they_share(attempts: list[list[Moment]]) -> None:
    found = align(attempts)

    assert found == align(attempts)
    for actor, steps in enumerate(attempts):
        places = [row.places[actor] for row in found.rows if row.places[actor] is not None]
        assert places == list(range(len(steps)))
    assert all(any(place is not None for place in row.places) for row in found.rows)


def test_another_text_in_the_same_field_is_not_the_same_step() -> None:
    one, other = [moment(0, 1, "type", "red mug")], [moment(0, 1, "type", "blue cup")]

    assert align([one, other]).rows[0].places == (0, 0)
    assert not align([one, other]).rows[0].same


def test_what_neither_has_is_left_out() -> None:
    bare = Moment(step=1, verb="click", element=("link", "lamp"))
    typed = Moment(step=1, verb="type", element=("textbox", "search"), value="lamp")

    assert similarity(bare, bare) == 1
    assert similarity(bare, typed) == 0
    assert similarity(bare, Moment(step=1, verb="click", element=("", "lamp"))) == 1
    assert CONSTANTS.same < similarity(bare, Moment(step=1, verb="click", element=("button", "lamp"))) < 1
    assert similarity(bare, moment(0, 1)) == pytest.approx(0.2 / 0.7)


def test_of_equal_alignments_the_one_that_pairs_early_wins() -> None:
    found = align([walk(0, 1), walk(0, 0, 1)])

    assert [row.places for row in found.rows] == [(0, 0), (None, 1), (1, 2)]


def test_an_element_that_only_a_selector_names_is_the_same_as_itself() -> None:
    named = Moment(step=1, url="shop.test", verb="click", selector="#buy")

    assert similarity(named, named) == 1.0
