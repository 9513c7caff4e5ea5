from __future__ import annotations

import pytest

from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, lines, text
from webbench.core.score.score import Check, Loophole, Score, Status, failed, not_scored
from webbench.tui.widgets.lines.line import wrap
from webbench.tui.widgets.score.score_tree import ScoreTree


async def test_a_check_unfolds_to_what_was_found_wanted_and_why():
    tree = ScoreTree()
    tree.score = pages.score()
    app = Host(tree)
    async with app.run_test(size=(60, 40)) as pilot:
        tree.focus()
        await pilot.press("plus")
        shown = text(app)
        for words in (
            "0.500  published rules",
            "mean of 3 fields, 1 skipped",
            "3 of 4 checks count, 1 left out",
            'actual   "Happy  Birthday, Mum"',
            '→        "happy birthday, mum"',
            'expected "3" (4 votes)',
            'or       "2"',
            "no worker gave this",
            "skipped: most workers left it blank",
            "paper rules beside",
            "message: 0.500 here, 0.800 there",
        ):
            assert words in shown


async def test_a_score_unfolds_from_the_headline_to_what_it_rests_on():
    leaf = Check(name="exact match", target="answer", actual="4", expected="5", value=0.0, why="4 is not 5")
    outer = Check(name="string_match", target="answer", value=0.0, combination="product of 1", checks=(leaf,))
    tree = ScoreTree()
    tree.score = Score(
        status=Status.PENDING,
        reason="a page still needs a judge",
        interval=(0.0, 0.5),
        checks=(outer,),
        loopholes=(Loophole(id="short", text="The reference is one character long.", source="paper, 4"),),
    )
    app = Host(tree)
    async with app.run_test(size=(70, 40)) as pilot:
        tree.focus()
        await pilot.press("plus")
        shown = text(app)
        for words in (
            "can still become 0.000 to 0.500",
            "= product of 1",
            "exact match",
            "4 is not 5",
            "beware",
            "one character long. (paper, 4)",
        ):
            assert words in shown


async def test_folds_stay_and_changed_checks_are_marked():
    tree = ScoreTree()
    app = Host(tree)
    async with app.run_test(size=(38, 40)) as pilot:
        tree.score = pages.score()
        tree.focus()
        await pilot.press("minus")
        folded = tree.row_count
        tree.score = pages.score(later=True)
        await pilot.pause()
        assert tree.row_count == folded
        marked = [line for line in lines(app) if "●" in line]
        assert len(marked) == 1
        assert "quantity" in marked[0]
        tree.score = pages.score(later=True)
        await pilot.pause()
        assert "●" not in text(app)


async def test_fits_38_columns():
    tree = ScoreTree()
    tree.score = pages.score()
    app = Host(tree)
    async with app.run_test(size=(38, 40)) as pilot:
        tree.focus()
        await pilot.press("plus")
        for y in range(tree.content_region.height):
            assert tree.render_line(y).cell_length <= 36
        assert "0.500" in text(app)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (not_scored("the page is gone"), "not scored"),
        (failed("no gold data for this task"), "error"),
        (Score(status=Status.PENDING, reason="needs a judge"), "pending"),
        (Score(status=Status.SCORED, value=float("nan"), checks=(Check(name="a", target="b"),)), "nan"),
    ],
)
async def test_states_that_are_no_number_are_named(score: Score, words: str):
    tree = ScoreTree()
    app = Host(tree)
    async with app.run_test(size=(38, 20)):
        tree.score = score
        assert words in text(app)
        assert score.reason in text(app)


async def test_arrows_fold_the_check_of_a_detail_line():
    tree = ScoreTree()
    tree.score = pages.score()
    app = Host(tree)
    async with app.run_test(size=(60, 40)) as pilot:
        tree.focus()
        await pilot.press("minus", "j", "j", "j", "l")
        opened = tree.row_count
        await pilot.press("j", "j", "h")
        assert tree.row_count < opened
        assert app.heard_of(ScoreTree.CheckFocused)[-1].target == "quantity"


def test_wrapped_lines_keep_blanks_and_width():
    assert wrap("two  blanks here", 11) == ["two  blanks", "here"]
    assert wrap("漢字かな交じり文", 7) == ["漢字か", "な交じ", "り文"]
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert len(wrap("word " * 500, 20, limit=5)) == 5
