"""Accessibility trees written as text, read back."""

from webbench.core.exchange.reading.tree_text import nodes_of

WEBARENA = (
    "Tab 0 (current): Shop\n\n[1] RootWebArea 'Shop' focused: True\n"
    "\t[12] link '\\ue604 It\\'s here'\n\t\t[13] StaticText \"two 'words'\"\n"
    "\t[20] slider '' valuemin: 0 value: 5"
)
BROWSERGYM = (
    "RootWebArea 'Shop', focused\n\t[a7] button 'Buy', clickable, expanded=False\n\t\tStaticText 'Buy'"
)


def test_webarenas_lines_become_nodes() -> None:
    root, link, text, slider = nodes_of(WEBARENA)

    assert (root.role, root.name, root.states) == ("RootWebArea", "Shop", {"focused": True})
    assert (link.id, link.depth, link.name, link.interactive) == (12, 1, "\ue604 It's here", True)
    assert (text.depth, text.name, text.id_text) == (2, "two 'words'", "[13] ")
    assert (slider.value, slider.states) == ("5", {"valuemin": 0})


def test_browsergyms_lines_become_nodes_that_keep_their_ids() -> None:
    root, button, text = nodes_of(BROWSERGYM)

    assert root.states == {"focused": True}
    assert (button.attributes, button.states) == ({"bid": "a7"}, {"expanded": False})
    assert button.interactive
    assert (text.role, text.name, text.depth) == ("StaticText", "Buy", 2)
    assert len({root.id, button.id, text.id}) == 3
    assert [node.id_text for node in (root, button, text)] == ["", "[a7] ", ""]
