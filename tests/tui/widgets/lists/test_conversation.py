"""The conversation pane: who said what, what was done in between, and hostile text."""

from __future__ import annotations

import msgspec
from rich.cells import cell_len

from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, dangerous, lines, text
from webbench.core.observation import Candidate, DialogueTurn
from webbench.tui.widgets.lists.conversation import Conversation
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

TURNS = (
    DialogueTurn(
        index=0, speaker="instructor", text="Find me a lamp for my desk, please, and tell me its price"
    ),
    DialogueTurn(
        index=1, speaker="navigator", text='click(uid="a-1")', said=False, about='button "Add [/] to cart"'
    ),
    DialogueTurn(index=2, speaker="navigator", text="Here is one"),
)


async def test_what_was_said_and_done_is_told_in_order() -> None:
    pane = Conversation()
    app = Host(pane)
    async with app.run_test(size=(80, 12)) as pilot:
        assert "Nobody has said anything" in text(app)
        pane.turns = TURNS
        await pilot.pause()
        shown = [line.strip("│ ") for line in lines(app)]
        assert shown[1] == "0 instructor Find me a lamp for my desk, please, and tell me its price"
        assert shown[2] == '1            click(uid="a-1")  button "Add [/] to cart"'
        assert shown[3] == "2 navigator  Here is one"
        assert "2 utterances · 1 action" in text(app)
        pane.focus()
        await pilot.press("x")
        assert "click(" not in text(app)
        assert "no actions" in text(app)


async def test_a_narrow_pane_puts_speakers_above_their_words() -> None:
    pane = Conversation()
    app = Host(pane)
    async with app.run_test(size=(40, 14)) as pilot:
        pane.turns = TURNS
        await pilot.pause()
        shown = [line.strip("│ ") for line in lines(app)]
        assert shown[1:4] == ["0 instructor", "Find me a lamp for my desk,", "please, and tell me its price"]


async def test_it_follows_the_end_unless_someone_reads_above() -> None:
    pane = Conversation()
    app = Host(pane)
    many = tuple(DialogueTurn(index=index, speaker="instructor", text=f"line {index}") for index in range(40))
    async with app.run_test(size=(80, 10)) as pilot:
        pane.turns = many[:30]
        await pilot.pause()
        assert "line 29" in text(app)
        pane.turns = many[:31]
        await pilot.pause()
        assert "line 30" in text(app)
        pane.focus()
        await pilot.press("g")
        pane.turns = many
        await pilot.pause()
        assert "line 0" in text(app)
        assert "line 39" not in text(app)


async def test_hostile_words_are_harmless() -> None:
    pane = Conversation()
    app = Host(pane)
    async with app.run_test(size=(100, 40)) as pilot:
        pane.turns = [
            DialogueTurn(index=index, speaker=bad, text=bad * 3, said=index % 2 == 0, about=bad)
            for index, bad in enumerate(pages.HOSTILE)
        ]
        await pilot.pause()
        shown = text(app)
        await pilot.click(offset=(25, 3))
        assert not app.quit_called
        assert not dangerous(shown)
        assert all(cell_len(line) <= 100 for line in shown.splitlines())


async def test_the_tree_ranks_candidates_and_shows_them_alone() -> None:
    tree = AccessibilityTree()
    app = Host(tree)
    page = pages.shop()
    ids = [node.id for node in page.nodes if node.interactive][:2]
    async with app.run_test(size=(80, 20)) as pilot:
        ranked = (Candidate(node=ids[1], score=2), Candidate(node=ids[0], score=1))
        tree.observation = msgspec.structs.replace(page, candidates=ranked)
        await pilot.pause()
        everything = tree.row_count
        tree.focus()
        await pilot.press("C")
        assert tree.row_count == 2
        assert everything > 2
        assert [line.strip("│ ")[:2] for line in lines(app)[1:3]] == ["#2", "#1"]
        assert "candidates only" in text(app)
        await pilot.press("C")
        assert tree.row_count == everything
