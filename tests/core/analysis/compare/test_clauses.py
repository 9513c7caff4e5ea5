"""What the sentences of a procedure tell, act by act."""

from __future__ import annotations

import pytest

from webbench.core.analysis.compare.clauses import clauses


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ('Click on the blue “Orders” link, located under the "Sales" tab.', [("click", "orders", "")]),
        ("Click on the Bestsellers link under “Products”.", [("click", "bestsellers link", "")]),
        ('Under "Sales" click the text box next to "Name".', [("click", "name", "")]),
        ('Locate the "Save" button and click on it.', [("read", "save", ""), ("click", "save", "")]),
        ('There is a menu that says "hot". Click it to see more.', [("click", "hot", "")]),
        ('Type "5" into the "Qty" field and press Enter.', [("type", "qty", "5"), ("press", "", "enter")]),
        ('Type in what you look for, in this case "ann".', [("type", "", "ann")]),
        ("Enter the last date of 2022, which is 12/31/2022.", [("type", "", "12/31/2022")]),
        ('Find it by clicking on the "Search" button.', [("click", "search", "")]),
        ("Triple click the text in the box and press delete.", [("clear", "", ""), ("clear", "", "")]),
        ('Check the box next to "Busy".', [("click", "busy", "")]),
        ("Navigate to the left sidebar.", [("read", "", "")]),
        ("The “Edit Address” page will open.", []),
        ('Click the button that says "Save" and the link next to the "+" icon.', [("click", "save", "")]),
        ("A button called “Members” stands under “Project.” Click it.", [("click", "members", "")]),
        ('Type the user (ann) in the box below the text "Name".', [("type", "name", "ann")]),
        ('Type in the name, i.e. "ann".', [("type", "", "ann")]),
        ("Click the “Fork project button at the bottom, under “Level”.", [("click", "fork project", "")]),
        ("Delete the existing number.", [("clear", "existing number", "")]),
        ("Press the down arrow key to search all.", [("press", "", "down arrow")]),
        ("Thus the best case to fill has been found.", []),
        ('Click in the "Search" bar.', [("click", "search", "")]),
        (
            "Save the number of reviews and follow steps 4-6.",
            [("read", "number of reviews", ""), ("read", "steps 4-6", "")],
        ),
        ('Press Enter. Alternatively, you can click on "Go".', [("press", "", "enter")]),
    ],
)
def test_a_sentence_tells_acts_with_their_controls_and_values(
    text: str, acts: list[tuple[str, str, str]]
) -> None:
    assert [(one.kind, one.control, one.value) for one in clauses(text)] == acts


def test_marks_of_our_own_and_endless_blanks_in_a_text_say_nothing() -> None:
    (found,) = clauses("Type" + " \n" * 20_000 + "\x007\x00" + "\x00" * 20_000)
    assert (found.kind, found.value) == ("type", "7")


def test_what_only_could_be_done_is_told_as_such() -> None:
    (found,) = clauses("Below there are buttons to navigate to other pages.")

    assert found.could


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Click the search bar at the top left of the page.", "left"),
        ("Click on the search bar in the top right.", "right"),
        ('Click the arrow to the right of the "Name" box.', ""),
        ("Click the right arrow.", ""),
    ],
)
def test_the_side_of_a_page_is_not_what_stands_beside_a_control(text: str, side: str) -> None:
    assert [one.side for one in clauses(text)] == [side]
