"""Prompts are answered on the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual import events
from textual.app import App
from textual.screen import ModalScreen

from tests.tui.waiting import until
from tests.tui.widgets.host import Host, text
from webbench.core.judge import Question
from webbench.core.scoring.judges.human import HumanVerdict
from webbench.tui.screens.dialogs.pick_prompt import Pick, PickPrompt
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.stepper.judge_prompt import JudgePrompt
from webbench.tui.screens.stepper.result import ResultScreen
from webbench.tui.widgets.lists.text_rows import Entry

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


AGENTS = [
    Pick("command", "is any program", "The agent that is any program", "Which program?"),
    Pick("model", "asks a model"),
    Pick("webarena-direct", "WebArena, the action at once"),
]


def asked_for_an_agent(app: App[None], chosen: str = "") -> list[str | None]:
    answers: list[str | None] = []
    app.push_screen(PickPrompt("Which?", AGENTS, nobody="only me", chosen=chosen), answers.append)
    return answers


@pytest.mark.parametrize(
    ("keys", "spec"),
    [
        (("enter",), ""),
        (("down", "down", "enter"), "model"),
        ((*"model", "space", *"a=1", "enter"), "model a=1"),
        ((*"direct", "enter"), "webarena-direct"),
        ((*"nothing", "enter", "escape"), None),
        ((*"comm", "enter", *"./a.py", "enter"), "command ./a.py"),
    ],
)
async def test_an_agent_is_found_by_typing_and_given_its_options(
    keys: tuple[str, ...], spec: str | None
) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers = asked_for_an_agent(app)
        await pilot.pause()
        await pilot.press(*keys)
        assert answers == [spec]


async def test_the_agent_at_hand_is_in_focus_first() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers = asked_for_an_agent(app, "model")
        await pilot.pause()
        await pilot.press("enter")
        assert answers == ["model"]


async def test_what_an_agent_cannot_do_without_is_asked_for() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        asked_for_an_agent(app)
        await pilot.pause()
        await pilot.press(*"comm", "enter")
        await pilot.pause()
        assert "Which program?" in text(app)


async def test_typed_text_takes_two_escapes_in_a_row() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers: list[str | None] = []
        app.push_screen(TextPrompt("Why?", value="so"), answers.append)
        await pilot.press("end", *" it is", "escape", "!", "escape")
        await pilot.pause()
        assert answers == []
        assert "Escape once more" in " ".join(note.message for note in app._notifications)
        await pilot.press("enter")
        assert answers == ["so it is!"]
        app.push_screen(TextPrompt("Why?", value="so"), answers.append)
        await pilot.press("escape")
        assert answers[1:] == [None], "nothing was typed"
        app.push_screen(TextPrompt("Why?"), answers.append)
        await pilot.press("x", "escape", "escape")
        assert answers[2:] == [None]


async def test_where_it_matters_a_digit_only_points_at_an_answer() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers: list[str | None] = []
        app.push_screen(ChoicePrompt("Leave?", CHOICES, at="stop", careful=True), answers.append)
        await pilot.press("1", "3", "1")
        await pilot.pause()
        assert answers == []
        await pilot.press("enter")
        assert answers == ["submit"]


async def test_where_it_matters_what_is_typed_for_something_else_is_no_answer() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers: list[str | None] = []
        choices = [("stay", "Stay"), ("keep", "Keep"), ("give up", "Give up")]
        for typed in ("link ember", "size 3", "3k", "k", "quay", "jug"):
            app.push_screen(ChoicePrompt("Leave?", choices, at="stay", careful=True), answers.append)
            await pilot.press("slash", *typed.replace(" ", "_"), "enter")
        assert answers == ["stay"] * 6
        app.push_screen(ChoicePrompt("Leave?", choices, at="stay", careful=True), answers.append)
        await pilot.press("x", "down", "3", "enter")
        assert answers[6:] == ["give up"]


async def test_a_question_that_comes_by_itself_takes_no_enter_for_an_answer() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers: list[str | None] = []
        app.push_screen(ChoicePrompt("How hard?", CHOICES, preselect=False), answers.append)
        await pilot.press("enter", "enter")
        assert answers == []
        await pilot.press("down", "enter")
        assert answers == ["submit"]


YES_OR_NO = Question(kind="any", fields={}, verdicts=("yes", "no"))


@pytest.mark.parametrize(
    ("prompt", "typed", "answer"),
    [
        (lambda: TextPrompt("Name?"), "shop", "shop"),
        (lambda: PickPrompt("Which?", AGENTS), "model m=small", "model m=small"),
        (lambda: JudgePrompt(YES_OR_NO), "2why", HumanVerdict("no", "why")),
    ],
    ids=["text", "agent", "verdict"],
)
async def test_keys_that_come_with_enter_are_no_part_of_an_answer(
    prompt: Callable[[], ModalScreen[object]], typed: str, answer: object
) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        answers: list[object] = []
        app.push_screen(prompt(), answers.append)
        await pilot.press(*typed)
        for key, character in (("enter", "\r"), ("q", "q")):
            app.post_message(events.Key(key, character))
        await until(pilot, lambda: bool(answers))
        assert answers == [answer]


@pytest.mark.parametrize(
    "prompt",
    [
        lambda: ChoicePrompt("How?", CHOICES),
        lambda: PickPrompt("Which?", AGENTS),
        lambda: JudgePrompt(YES_OR_NO),
        lambda: ResultScreen("Result", [Entry("score", "1.000")], {"again": "again"}, {}),
    ],
    ids=["choice", "agent", "verdict", "result"],
)
async def test_a_prompt_that_is_closed_while_it_opens_ends_quietly(
    prompt: Callable[[], ModalScreen[object]],
) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        opening = prompt()
        app.push_screen(opening)
        app.pop_screen()
        await until(pilot, lambda: not opening.is_attached)
