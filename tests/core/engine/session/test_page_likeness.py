"""When a page counts as the recorded one, as another, and when nobody can be sure."""

from __future__ import annotations

import msgspec

from tests.core.analysis.pages import node, page
from webbench.core.engine.session.page_likeness import page_likeness
from webbench.core.observation import Dialog, Observation
from webbench.core.store.secrets.redaction import MARKER

SHOP = page(
    node(1, "RootWebArea", "Shop", 0),
    *(node(number, "link", f"Tea {number}") for number in range(2, 12)),
    node(12, "searchbox", "Search", value="", interactive=True),
    url="http://127.0.0.1:8000/shop/4711",
)
ANEW = msgspec.structs.replace(SHOP, url="http://127.0.0.1:9000/shop/4712")


def state(recorded: Observation | None, live: Observation) -> tuple[str, str]:
    url, title = (recorded.url, recorded.title) if recorded is not None else ("", "")
    found = page_likeness(recorded, url, title, live)
    return found.state, found.why


def test_the_same_page_on_another_port_is_the_same() -> None:
    assert state(SHOP, ANEW) == ("same", "")


def test_another_page_is_told_by_address_and_title() -> None:
    other = page(node(1, "RootWebArea", "Log in", 0), url="http://127.0.0.1:9000/login", title="Log in")
    assert state(SHOP, other)[0] == "other"
    assert 'its title is "Log in", it was "Shop"' in state(SHOP, other)[1]


def test_half_a_page_and_nothing_recorded_leave_one_unsure() -> None:
    half = msgspec.structs.replace(ANEW, nodes=(*ANEW.nodes[:6], node(99, "main")))
    assert state(SHOP, half)[0] == "unsure"
    assert state(None, ANEW) == ("unsure", "nothing of the page was recorded to compare it with")


def test_a_field_that_holds_something_else_is_told_unless_it_was_redacted() -> None:
    def holding(text: str) -> Observation:
        return msgspec.structs.replace(
            SHOP, nodes=(*SHOP.nodes[:-1], msgspec.structs.replace(SHOP.nodes[-1], value=text))
        )

    assert state(holding("tea"), ANEW) == ("unsure", 'searchbox "Search" holds "", it was "tea"')
    assert state(holding(MARKER), ANEW)[0] == "same"


def test_a_dialog_only_one_side_has_is_another_state() -> None:
    asking = msgspec.structs.replace(ANEW, dialog=Dialog("confirm", "Empty the cart?"))
    assert state(SHOP, asking) == ("other", 'a dialog is open that was not there: "Empty the cart?"')
    assert state(asking, ANEW) == ("other", 'the dialog "Empty the cart?" did not open')
