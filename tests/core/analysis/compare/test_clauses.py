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
    ],
)
def test_a_sentence_tells_acts_with_their_controls_and_values(
    text: str, acts: list[tuple[str, str, str]]
) -> None:
    assert [(one.kind, one.control, one.value) for one in clauses(text)] == acts
