"""Steps that people wrote down, and the actions that can be read from them."""

import pytest

from webbench.core.action.words import action_words
from webbench.core.exchange.webarena.procedures import action_of_step, lines_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('Click on the blue "View Order" link corresponding to the order 7.', 'click link "View Order"'),
        ("Click on ‘Year’ from the dropdown list.", 'click "Year"'),
        ("On the left menu, click on “Catalogue”.", 'click "Catalogue"'),
        ("Click the text box under the bold text", 'click textbox "text box"'),
        ("Triple click the “Quantity” field", 'triple click textbox "Quantity"'),
        ('In the "Title" field, enter "How to"', 'type "How to" into textbox "Title"'),
        (
            "Type “mug” into the search bar and press Enter.",
            'type "mug" into searchbox "search bar" and press Enter',
        ),
        ("Type in the desired message, in this case “don’t panic”.", 'type "don\'t panic"'),
        ("Type 2033-07-18 to set the date", 'type "2033-07-18"'),
        ("Press enter.", "press Enter"),
        ('Press "command + c" to copy it', "press Meta+c"),
        ("Scroll to the top of the page.", "scroll up by 1 viewport"),
        ('Scroll down until you see the blue "Contact Us" link.', 'scroll to link "Contact Us"'),
        ("Navigate to the corner, and click on the 'Save' button.", 'click button "Save"'),
        ("Go to https://shop.example/cart.", "go to https://shop.example/cart"),
        ("Navigate to the sidebar on the left", None),
        ("Type in the name of the second member.", None),
        ("The best product is in the first row.", None),
        ("Since there is no click target, report nothing", None),
        ("", None),
    ],
)
def test_the_action_of_a_step(text: str, words: str | None) -> None:
    action = action_of_step(text)

    assert (action and action_words(action)) == words


def test_lines_without_a_number_belong_to_the_step_above() -> None:
    title, steps = lines_of("Fork both\nAs follows.\n1. Click a\n\n  with three lines\n2) Click b\n")

    assert title == ["Fork both", "As follows."]
    assert [(step.text, step.below) for step in steps] == [("Click a", ["with three lines"]), ("Click b", [])]
