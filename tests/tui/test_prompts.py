"""Prompts are answered on the keyboard alone."""

from __future__ import annotations

import pytest
from textual.app import App

from tests.tui.widgets.host import Host, text
from webbench.tui.screens.prompt import ChoicePrompt

CHOICES = [("submit", "Submit the form"), ("stop", "Stop"), ("", "none: only me")]


def asked(app: App[None]) -> list[str | None]:
    """Ask, and keep what is answered."""
    answers: list[str | None] = []
    app.push_screen(ChoicePrompt("How?", CHOICES), answers.append)
    return answers


@pytest.mark.parametrize(("digit", "value"), [("1", "submit"), ("2", "stop"), ("3", "")])
async def test_a_digit_chooses_and_goes_on(digit: str, value: str) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers = asked(app)
        await pilot.pause()
        assert f"{digit}  {dict(CHOICES)[value]}" in text(app)
        await pilot.press(digit)
        assert answers == [value]


async def test_a_digit_without_an_answer_chooses_nothing() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers = asked(app)
        await pilot.press("7")
        assert not answers
        assert [note.message for note in app._notifications] == ["The answers are 1 to 3."]
        await pilot.press("down", "enter")
        assert answers == ["stop"]
