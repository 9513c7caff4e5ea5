from __future__ import annotations

import msgspec

from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, lines, text
from webbench.core.observation import Observation
from webbench.tui.widgets.lines.glyphs import ASCII
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree


def tree_of(observation: Observation | None = None) -> AccessibilityTree:
    tree = AccessibilityTree()
    if observation is not None:
        tree.observation = observation
    return tree


def without(observation: Observation, *ids: int) -> Observation:
    return msgspec.structs.replace(
        observation, nodes=tuple(node for node in observation.nodes if node.id not in ids)
    )


def roles(tree: AccessibilityTree) -> list[str]:
    return [node.role for node in tree.visible_nodes]


async def test_shows_roles_names_values_states_and_leaves_repeated_text_out():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)):
        shown = text(app)
        assert "searchbox Search products = green tea" in shown
        assert "◉ radio 50 g" in shown
        assert "⊘ disabled" in shown
        assert "heading Sencha, first flush  h1" in shown
        assert shown.count("Sencha, first flush") == 2, "title and heading, not the heading's text node"
        assert "37 of 40 nodes" in shown


async def test_says_how_many_nodes_were_left_out_where_there_is_little_room():
    app = Host(tree_of(msgspec.structs.replace(pages.shop(), left_out=102_598)))
    async with app.run_test(size=(50, 20)):
        assert "37 of 40 nodes · 102,598 left out" in text(app)


async def test_starts_on_the_focused_element_and_tells_which_node_it_is_on():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        assert tree.node is not None
        assert tree.node.name == "Search products"
        await pilot.press("j")
        assert app.heard_of(AccessibilityTree.NodeFocused)[-1].node.name == "Search"


async def test_folds_and_unfolds_and_keeps_folds_for_the_next_observation():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        tree.focus_id(17)
        await pilot.press("h")
        assert "textbox" not in roles(tree)
        tree.observation = without(pages.shop(), 40)
        await pilot.pause()
        assert tree.node is not None
        assert tree.node.id == 17
        assert "textbox" not in roles(tree)
        await pilot.press("l", "l")
        assert tree.node.role == "radiogroup"
        await pilot.press("minus")
        assert roles(tree) == ["RootWebArea", "banner", "main"]
        await pilot.press("plus")
        assert tree.row_count == 36


async def test_cursor_goes_to_the_nearest_row_above_when_its_node_is_gone():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)):
        tree.focus_id(28)
        tree.observation = without(pages.shop(), 28, 27)
        assert tree.node is not None
        assert tree.node.id == 26


async def test_screen_line_of_the_cursor_survives_rows_that_come_above_it():
    before = pages.large(400)
    tree = tree_of(without(before, *range(5, 60)))
    app = Host(tree)
    async with app.run_test(size=(80, 24)) as pilot:
        tree.focus_id(200)
        await pilot.pause()
        line = tree.cursor - round(tree.scroll_y)
        tree.observation = before
        await pilot.pause()
        assert tree.node is not None
        assert tree.node.id == 200
        assert tree.cursor - round(tree.scroll_y) == line


async def test_search_finds_folded_nodes_and_goes_round():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        await pilot.press("minus", "slash", *"helpful")
        assert tree.search_position == (1, 3)
        assert not app.heard_of(AccessibilityTree.VerbChosen), "letters of the query are no verbs"
        await pilot.press("enter", "n", "n", "n")
        assert tree.search_position == (1, 3)
        await pilot.press("N")
        assert tree.node is not None
        assert tree.node.name == "Helpful (3)"
        assert "/helpful 3 of 3" in text(app)


async def test_escape_brings_the_former_search_back():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        tree.search("radio")
        await pilot.press("slash", *"zzz", "escape")
        assert "/radio" in text(app)


async def test_filters_keep_the_cursor_and_say_so():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        tree.focus_id(22)
        await pilot.press("i")
        assert all(node.interactive for node in tree.visible_nodes)
        assert tree.node is not None
        assert tree.node.id == 22
        await pilot.press("v")
        assert not any(node.offscreen for node in tree.visible_nodes)
        assert "interactive only · viewport only" in text(app)
        await pilot.press("i", "v", "a")
        assert tree.row_count == 40


async def test_hints_choose_a_row_in_view_and_escape_leaves_them():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        await pilot.press("f")
        labels = tree.hints
        assert set(labels) >= {node.id for node in tree.visible_nodes if node.interactive}
        await pilot.press(*labels[28])
        assert tree.node is not None
        assert tree.node.name == "Add to basket"
        assert not tree.hints
        assert not app.heard_of(AccessibilityTree.NodeActivated)
        await pilot.press("F", *labels[28])
        assert app.heard_of(AccessibilityTree.NodeActivated)
        await pilot.press("f", "escape")
        assert not tree.hints


async def test_hints_close_when_another_page_comes_while_a_text_is_looked_for():
    whole = pages.shop()
    small = msgspec.structs.replace(whole, nodes=whole.nodes[:12])
    tree = tree_of(small)
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        for page, matches in ((whole, 3), (small, 1)):
            await pilot.press("slash", *"basket", "enter", "G", "f")
            assert tree.hints
            tree.observation = page
            await pilot.pause()
            assert not tree.hints
            assert tree.search_position[1] == len(tree.matches) == matches
            assert app.heard_of(AccessibilityTree.HintsChanged)[-1].labels == {}


async def test_hints_begin_at_the_cursor_and_end_above_it():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        interactive = [node.id for node in tree.visible_nodes if node.interactive]
        tree.focus_id(28)
        await pilot.press("f")
        shown = [one for one in tree.hints if one in interactive]
        at = interactive.index(28)
        assert tree.hints[28] == "a"
        assert shown == interactive[at:] + interactive[:at]


async def test_hints_reach_what_only_the_picture_shows():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 6)) as pilot:
        tree.focus()
        await pilot.press("f")
        assert 28 not in {node.id for node in tree.visible_nodes}
        await pilot.press(*tree.hints[28])
        assert tree.node is not None
        assert tree.node.name == "Add to basket"


async def test_enter_and_letters_say_what_to_do():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        tree.focus()
        tree.focus_id(26)
        await pilot.press("enter", "m")
        assert app.heard_of(AccessibilityTree.NodeActivated)[0].node.id == 26
        chosen = app.heard_of(AccessibilityTree.VerbChosen)[0]
        assert (chosen.verb, chosen.node.id) == ("hover", 26)


async def test_a_click_chooses_and_a_click_on_the_sign_folds():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        await pilot.click(tree, offset=(20, 3))
        assert tree.node is not None
        assert tree.node.id == 3
        await pilot.click(tree, offset=(3, 2))
        assert 2 in tree.folded


async def test_focus_id_reaches_what_a_filter_or_a_fold_hides():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)):
        tree.set_filter(interactive=True)
        assert tree.focus_id(12)
        assert tree.node is not None
        assert tree.node.role == "heading"
        assert tree.focus_id(13), "a text that repeats its heading"
        assert not tree.focus_id(999)


async def test_every_row_fills_the_width_exactly_with_wide_characters_and_deep_nesting():
    rows = tuple(
        pages.node(number, "link", "漢字かな交じり" * 9, number - 1, interactive=True)
        for number in range(1, 60)
    )
    tree = tree_of(Observation(nodes=rows))
    app = Host(tree)
    async with app.run_test(size=(41, 30)):
        for y in range(tree.content_region.height):
            assert tree.render_line(y).cell_length == tree.scrollable_content_region.width
            strip = tree.render_line(y)
            assert sum(segment.cell_length for segment in strip) == strip.cell_length


async def test_ascii_signs_only_on_wish():
    tree = tree_of(pages.shop())
    app = Host(tree, glyphs=ASCII)
    async with app.run_test(size=(100, 42)):
        inside = "".join(line[1:-1] for line in lines(app)[1:30])
        assert "[ ] checkbox Gift wrap" in inside
        assert inside.isascii()


async def test_empty_page_says_what_comes_next():
    app = Host(tree_of())
    async with app.run_test(size=(80, 10)) as pilot:
        app.widgets[0].focus()
        await pilot.press("j", "enter", "f", "slash", "x", "enter", "n", "minus", "plus", "h", "l", "y")
        assert "start a task" in text(app)


async def test_what_was_set_before_the_first_layout_is_not_scrolled_out_of_view():
    tree = tree_of(pages.shop())
    app = Host(tree)
    async with app.run_test(size=(100, 42)) as pilot:
        await pilot.pause()
        assert tree.scroll_y == 0
        tree.observation = pages.shop()
        await pilot.pause()
        assert tree.scroll_y == 0
