"""What changed between two pages, by ids where they can be trusted, by paths and places elsewhere."""

from __future__ import annotations

from tests.core.analysis.pages import node, page
from webbench.core.analysis.recorded.changed_rows import difference_rows
from webbench.core.analysis.recorded.observation_difference import FieldChange, observation_difference
from webbench.core.observation import Box

ROOT = node(1, "RootWebArea", "Shop", 0)


def test_a_click_that_counts_up_changes_one_name_and_adds_one_node() -> None:
    before = page(ROOT, node(2, "link", "Cart 0"), node(3, "button", "Add"))
    after = page(ROOT, node(2, "link", "Cart 1"), node(3, "button", "Add"), node(4, "alert", "Added"))
    found = observation_difference(before, after)
    assert [change.fields for change in found.changed] == [
        (FieldChange(name="name", before="Cart 0", after="Cart 1"),)
    ]
    assert [one.id for one in found.added] == [4]
    assert (found.removed, found.same, found.page) == ((), 2, ())


def test_values_and_states_are_told_and_a_mere_move_is_counted() -> None:
    before = page(
        ROOT,
        node(2, "checkbox", "Gift", states={"checked": "false"}),
        node(3, "link", "x", box=Box(0, 0, 9, 9)),
    )
    after = page(
        ROOT,
        node(2, "checkbox", "Gift", states={"checked": "true"}),
        node(3, "link", "x", box=Box(0, 50, 9, 9)),
    )
    found = observation_difference(before, after)
    assert [one.fields[0].name for one in found.changed] == ["checked"]
    assert found.moved == 1


def test_a_page_loaded_anew_is_matched_by_path_and_by_place() -> None:
    """Every id is new; the lists' items are the same, the heading alone reads differently."""
    before = page(
        ROOT,
        node(2, "heading", "Tea"),
        node(3, "list"),
        node(4, "link", "Home", 2),
        node(5, "link", "Home", 2),
    )
    after = page(
        node(11, "RootWebArea", "Other", 0),
        node(12, "heading", "Cups"),
        node(13, "list"),
        node(14, "link", "Home", 2),
        node(15, "link", "Home", 2),
        node(16, "link", "Home", 2),
        url="http://shop.test/cups",
    )
    found = observation_difference(before, after)
    assert [one.id for one in found.added] == [16]
    assert found.removed == ()
    assert {(one.after.role, one.matched_by) for one in found.changed} == {
        ("RootWebArea", "path"),
        ("heading", "place"),
    }
    assert [one.name for one in found.page] == ["url"]


def test_numbers_of_a_foreign_record_mean_nothing_for_text() -> None:
    before = page(
        node(1, "RootWebArea", "", 0),
        node(2, "StaticText", "2025"),
        node(3, "StaticText", "Log in"),
        source="none",
    )
    after = page(
        node(1, "RootWebArea", "", 0),
        node(2, "StaticText", "©"),
        node(3, "StaticText", "2025"),
        source="none",
    )
    found = observation_difference(before, after)
    assert [(one.before.name, one.after.name, one.matched_by) for one in found.changed] == [
        ("Log in", "©", "place")
    ]


def test_a_side_that_was_not_recorded_is_no_difference_of_none() -> None:
    found = observation_difference(None, page(ROOT))
    assert not found.known
    assert found.empty


def test_a_text_inside_a_new_link_of_its_name_is_no_row_of_its_own() -> None:
    after = page(
        ROOT, node(2, "link", "Home"), node(3, "StaticText", "Home", 2), node(4, "StaticText", "Home")
    )
    rows = difference_rows(observation_difference(page(ROOT), after))
    assert [row.node.id for row in rows if row.node is not None] == [2, 4]
