"""What a typed answer would score, and what is remembered, on the stepper."""

from __future__ import annotations

import pytest

from tests.tui.recorded_page import SCORE
from tests.tui.screens.stepper.test_stepper import screen, stepper
from webbench.benchmarks.webarena.dialect import create
from webbench.core.action.action import Remember
from webbench.core.engine.wire import messages
from webbench.core.score.score import Score, Status
from webbench.core.trajectory import Step
from webbench.tui.screens.stepper.action_bar import ActionBar, typed_answer
from webbench.tui.screens.stepper.answer_preview import PAUSE
from webbench.tui.widgets.fields.notes import Memory
from webbench.tui.widgets.score.score_tree import ScoreTree

WORTH = Score(status=Status.SCORED, value=0.5)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("stop [42]", "42"),
        ("stop [4", "4"),
        ('stop [["a", "b"', '["a", "b"'),
        ('{"verb": "stop", "answer": "x"}', "x"),
        ("stop", ""),
        ("sto", ""),
        ("click [42", ""),
        ("say [stop [42]", ""),
    ],
)
def test_an_answer_is_seen_before_its_end_is_typed(text: str, answer: str) -> None:
    assert typed_answer(text, create()) == answer


async def test_the_score_of_a_typed_answer_is_shown_until_it_changes_or_goes() -> None:
    async with stepper() as (pilot, link):
        bar, tree = screen(pilot).query_one(ActionBar), screen(pilot).query_one(ScoreTree)
        await pilot.press("b", *"stop", "space", "left_square_bracket", *"42")
        await pilot.pause(PAUSE + 0.1)
        asked = [intent for intent in link.sent if isinstance(intent, messages.PreviewAnswer)]
        assert asked[-1] == messages.PreviewAnswer(answer="42")
        link.happen(messages.AnswerPreviewed(answer="4", score=SCORE))
        await pilot.pause()
        assert tree.preview is None, "it is about an answer that is no longer there"
        link.happen(messages.AnswerPreviewed(answer="42", score=WORTH))
        await pilot.pause()
        assert tree.preview == WORTH
        assert "would score 0.500" in str(bar.query_one(".verdict").render())
        await pilot.press("3")
        assert "would score" not in str(bar.query_one(".verdict").render())
        bar.clear()
        await pilot.pause()
        assert (tree.preview, tree.score) == (None, SCORE)


async def test_figures_of_the_sitting_stand_below_the_score() -> None:
    async with stepper() as (pilot, link):
        figures = {"answer_rate": 0.75, "precision": None, "n": 4}
        link.happen(messages.FiguresCounted(benchmark="demo", episodes=5, figures=figures))
        await pilot.pause()
        tree = screen(pilot).query_one(ScoreTree)
        rows = [tree.row_line(row, 60).strip(tree.rich_style).text.split() for row in range(tree.row_count)]
        told = [["this", "sitting,", "5", "episodes"], ["answer", "rate", "0.750"]]
        assert rows[-4:] == [*told, ["precision", "not", "defined"], ["n", "4"]]


async def test_what_is_remembered_stands_in_its_pane_and_more_can_be_added() -> None:
    async with stepper() as (pilot, link):
        memory = screen(pilot).query_one(Memory)
        kept = Step(index=2, at="2026-01-01T00:00:09.000+00:00", action=Remember(text="[b]9.40[/b]"))
        link.happen(messages.StepRecorded(step=kept))
        await pilot.press("6", "enter", *"x", "enter")
        await pilot.pause()
        assert memory.notes == ((2, "[b]9.40[/b]"),)
        sent = [intent.text for intent in link.sent if isinstance(intent, messages.SendAction)]
        assert [create().parse(text) for text in sent] == [Remember(text="x")]
