"""Where reading begins on another page, and what stands around it as before."""

from __future__ import annotations

from tests.core.analysis.pages import node, page
from webbench.core.analysis.recorded.landmarks import arrival, changed_nodes, is_other_page
from webbench.core.observation import Observation

HEADER = (node(2, "banner", "", 1), node(3, "link", "Home", 2), node(4, "searchbox", "Search", 2))
RESULTS = page(
    node(11, "RootWebArea", "Results", 0),
    node(12, "banner", "", 1),
    node(13, "link", "Home", 2),
    node(14, "searchbox", "Search", 2, value="mug"),
    node(16, "main", "", 1),
    node(17, "navigation", "Path", 2),
    node(18, "link", "Start", 3),
    node(19, "heading", "1 result", 2),
)
START = page(
    node(1, "RootWebArea", "Start", 0),
    *HEADER,
    node(6, "main", "", 1),
    node(7, "navigation", "Path", 2),
    node(8, "link", "Start", 3),
    node(9, "heading", "Welcome", 2),
)


def test_reading_begins_at_main_where_there_was_no_page() -> None:
    assert arrival(Observation(), START) == (6, frozenset())
    assert arrival(Observation(), page(node(1, "RootWebArea", "x", 0))).node is None


def test_reading_begins_at_what_is_new_in_main_and_the_header_is_as_before() -> None:
    """A value typed into the header's field makes it no other header."""
    assert is_other_page(START, RESULTS)
    assert arrival(START, RESULTS) == (19, {12, 17})


def test_the_heading_of_the_page_comes_before_filters_and_paths_that_are_as_new() -> None:
    title = node(20, "heading", "Lanterns", 2, states={"level": 1})
    after = page(*RESULTS.nodes[:5], node(18, "form", "Filters", 2), node(19, "checkbox", "Red", 3), title)
    assert arrival(START, after).node == 20
    again = page(*RESULTS.nodes[:5], node(18, "form", "Filters", 2), title, node(21, "link", "Lamp", 2))
    assert arrival(after, again).node == 21, "the heading is as before"


def test_a_header_that_tells_something_new_is_not_passed_over() -> None:
    after = page(
        node(11, "RootWebArea", "Start", 0),
        node(12, "banner", "", 1),
        node(13, "link", "Home", 2),
        node(14, "searchbox", "Search", 2),
        node(15, "link", "Cart 1", 2),
        node(16, "main", "", 1),
        node(19, "heading", "Welcome", 2),
    )
    assert arrival(START, after) == (16, frozenset())
    assert changed_nodes(START, after) == (15,)


def test_reading_begins_at_no_link_of_a_header_in_which_another_is_marked_as_current() -> None:
    places = (node(2, "navigation", "", 1), node(3, "link", "Home", 2), node(4, "link", "Help", 2))
    before = page(node(1, "RootWebArea", "Home", 0), *places, node(5, "heading", "Welcome", 1))
    after = page(
        node(11, "RootWebArea", "Help", 0),
        node(12, "navigation", "", 1),
        node(13, "link", "Home", 2),
        node(14, "link", "Help", 2, states={"current": "page"}),
        node(15, "heading", "Ask us", 1),
    )
    assert arrival(before, after) == (15, {12})


def test_the_same_document_is_no_other_page_unless_its_address_is_another() -> None:
    grown = page(*START.nodes, node(30, "alert", "Saved", 1))
    assert not is_other_page(START, grown)
    assert changed_nodes(START, grown) == (30,)


def test_of_a_part_that_came_as_a_whole_only_its_outermost_node_is_told() -> None:
    after = page(*START.nodes, node(30, "dialog", "Sure?", 1), node(31, "button", "Yes", 2))
    assert changed_nodes(START, after) == (30,)
