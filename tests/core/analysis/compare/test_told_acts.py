"""Acts told in prose, in one step or in two, and partings by them; how sure a parting is."""

from __future__ import annotations

import pytest

from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import Effect, Moment
from webbench.core.analysis.compare.divergence import diverge, surely_aligned
from webbench.core.analysis.compare.stems import canonical
from webbench.core.analysis.compare.told_acts import acts


def said(*texts: str) -> tuple[Moment, ...]:
    """Steps of a procedure of which the sentence alone is known."""
    return acts([Moment(step=at, value=text.casefold(), text=text) for at, text in enumerate(texts, 1)])


def click(step: int, name: str, effect: Effect = "", role: str = "button") -> Moment:
    return Moment(step=step, verb="click", element=(role, name), effect=effect)


def typed(step: int, name: str, value: str) -> Moment:
    return Moment(step=step, verb="type", element=("textbox", name), value=value)


def first(*walks: tuple[Moment, ...]) -> int | None:
    return diverge(align(walks), walks).first


def test_a_sentence_that_tells_several_acts_is_as_many_moments() -> None:
    found = said("Click on the search bar and type in the name and click on the user that it finds.")

    assert [(one.step, one.verb) for one in found] == [(1, "click"), (1, "type"), (1, "click")]


@pytest.mark.parametrize("text", ["Note the total.", "Scroll down to see all reviews.", "Identify the name."])
def test_reading_is_no_act(text: str) -> None:
    assert [one.reads for one in said(text)] == [True]


def test_a_click_into_the_field_that_is_typed_into_next_parts_nobody() -> None:
    one = acts([typed(1, "name", "ann"), click(2, "save")])
    other = acts([click(1, "name", role="textbox"), typed(2, "name", "ann"), click(3, "save")])

    assert other[0].part
    assert first(one, other) is None


def test_a_field_that_only_one_fills_is_where_they_part() -> None:
    one = acts([typed(1, "name", "ann"), click(2, "save")])
    other = acts([typed(1, "name", "ann"), typed(2, "town", "bonn"), click(3, "save")])

    assert first(one, other) == 1


def test_another_effect_is_another_act() -> None:
    assert first((click(1, "open", "changed"),), (click(1, "open", "failed"),)) == 0


def test_the_same_label_after_another_way_is_no_meeting() -> None:
    walks = (click(1, "sales"), click(2, "orders")), (click(1, "reports"), click(2, "orders"))

    assert not any(row.same for row in align(walks).rows)


def test_a_click_into_a_search_field_sends_nothing() -> None:
    found = said('Click "Orders".', "Click on the search bar.", 'Type "ann".', "Press Enter.")

    assert [one.verb for one in found] == ["click", "click", "type", "send"]
    assert [one.verb for one in said('Click in the "Search" bar.', 'Type "ann".')] == ["click", "type"]


FORM = ('Click "New".', 'Type "ann" in "Name".')


@pytest.mark.parametrize(
    ("one", "other", "parted", "met"),
    [
        pytest.param(
            (*FORM, 'Click "Private".', 'Click "Save".'),
            (*FORM, 'Click "Save".'),
            (3, 3),
            [(1, 1), (2, 2), (4, 3)],
            id="the page is the same after acts of one alone",
        ),
        pytest.param(
            ('Click "Forums".', 'Click "Submit".', 'Type "a long new title" in "Title".'),
            ('Click "Submit".', 'Type "a long new title" in "Title".'),
            (1, 1),
            [(3, 2)],
            id="from the first page one alone goes to another",
        ),
        pytest.param(
            ('Click "Orders".', 'Search for "ann" in the search bar.', "Click on the first result."),
            ('Click "Orders".', 'Search for "bob" in the search bar.', "Click on the first result."),
            (2, 2),
            [(1, 1), (3, 3)],
            id="other words in one field",
        ),
        pytest.param(
            (*FORM, "Press Enter.", 'Click "Next".'),
            (*FORM, "Click on the item that pops up.", 'Click "Next".'),
            None,
            [(1, 1), (2, 2), (3, 3), (4, 4)],
            id="a key and a click that choose or send",
        ),
        pytest.param(
            ('Click "Forums".', "Click on the desired forum.", 'Click "Rules".', 'Click "Join".'),
            ('Click "Forums".', 'Click "Space".', 'Click "Join".'),
            (3, 3),
            [(1, 1), (2, 2), (4, 3)],
            id="the desired one is what the other clicks on",
        ),
        pytest.param(
            ("Click on the search bar in the top left.", 'Type "ann".', 'Click "Bob".'),
            ("Click on the search bar in the top right.", 'Type "ann".', 'Click "Bob".'),
            (1, 1),
            [],
            id="two places of one page",
        ),
        pytest.param(
            (*FORM, 'Click "Ann / reader".', 'Click "Next".'),
            (*FORM, 'Click "reader".', 'Click "Next".'),
            None,
            [(1, 1), (2, 2), (3, 3), (4, 4)],
            id="a name with its owner",
        ),
        pytest.param(
            (*FORM, 'Click on the edit button next to "Address".', 'Click "Next".'),
            (*FORM, 'Click on "Edit".', 'Click "Next".'),
            None,
            [(1, 1), (2, 2), (3, 3), (4, 4)],
            id="a name with what it stands beside",
        ),
        pytest.param(
            (*FORM, 'Click "12 Reviews".', 'Click "Next".'),
            (*FORM, 'Click "Reviews".', 'Click "Next".'),
            None,
            [(1, 1), (2, 2), (3, 3), (4, 4)],
            id="a name with a count",
        ),
        pytest.param(
            ('Click "New".', 'Click on the "Filter" text box.', 'Type "ann" in the search box.'),
            ('Click "New".', 'Type "ann" in the "Filter" text box.'),
            None,
            [(1, 1), (3, 2)],
            id="a field told in general words after its name",
        ),
    ],
)
def test_where_two_procedures_part_and_meet(
    one: tuple[str, ...],
    other: tuple[str, ...],
    parted: tuple[int, int] | None,
    met: list[tuple[int, int]],
) -> None:
    walks = said(*one), said(*other)
    alignment = align(walks)
    places = diverge(alignment, walks).parted
    rows = [row.places for row in alignment.rows if row.same]

    assert [walk[at or 0].step for walk, at in zip(walks, places, strict=False)] == list(parted or ())
    assert [tuple(walk[at or 0].step for walk, at in zip(walks, row, strict=True)) for row in rows] == met


def test_a_plan_in_a_chat_is_no_act() -> None:
    lines = ("Ann: # Plan for the task", "Bob: I have found it.")
    found = acts([Moment(step=at, verb="say", text=text) for at, text in enumerate(lines, 1)])

    assert [one.reads for one in found] == [True, False]
    assert [row.same for row in align([found, found]).rows] == [False, True]


def test_numbers_dates_and_other_words_for_a_control_are_the_same() -> None:
    assert canonical("order 000000161") == canonical("Order #161 button")
    assert canonical("1/15/10") == canonical("2010-01-15")
    assert canonical("the blue Orders link") == canonical("orders")


def test_what_a_stricter_reading_parts_elsewhere_is_unsure() -> None:
    same = (typed(1, "title", "merge all branches into main soon"),)
    near = (typed(1, "title", "merge some branches into main today or tomorrow please"),)

    assert surely_aligned([same, same])[1].level == "sure"
    assert surely_aligned([same, near])[1].level == "unsure"
