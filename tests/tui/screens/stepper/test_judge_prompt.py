"""The verdict prompt: decided on the keyboard alone, hostile texts harmless, never a verdict unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App

from tests.tui.recorded_page import TASK
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.core.engine.wire import messages
from webbench.core.judge import Question
from webbench.core.scoring.judges.human import HumanVerdict
from webbench.core.settings.settings import Settings
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.stepper.judge_prompt import JudgePrompt

QUESTION = Question(
    kind="webarena/fuzzy_match",
    fields={"intent": "How many?", "answer": "[/b] four \x1b[2J\nor so"},
    verdicts=("correct", "partially correct", "incorrect"),
)


class Asking(App[None]):
    given: HumanVerdict | str | None = "nothing yet"

    def on_mount(self) -> None:
        def decided(verdict: HumanVerdict | None) -> None:
            self.given = verdict

        self.push_screen(JudgePrompt(QUESTION), decided)


@pytest.mark.parametrize(
    ("keys", "given"),
    [
        (["3", "enter"], HumanVerdict("incorrect")),
        (["1", *"it says 4", "enter"], HumanVerdict("correct", "it says 4")),
        (["j", "enter", "enter"], HumanVerdict("partially correct")),
        (["2", "escape", "escape"], None),
        (["2", *"why", "escape", "escape", "escape"], None),
        (["escape"], None),
        (["5", "3", "enter"], HumanVerdict("incorrect")),
    ],
)
async def test_keys_decide(keys: list[str], given: HumanVerdict | None) -> None:
    app = Asking()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press(*(" " if key == "space" else key for key in keys))
        await pilot.pause()
        assert app.given == given


async def test_a_verdict_is_asked_in_the_stepper_and_sent() -> None:
    link = SilentLink()
    app = WorkbenchApp(Opening(store=Path("/nowhere"), task=TASK), Settings(), link=link)
    async with app.run_test(size=(120, 40)) as pilot:
        await first_screen(pilot)
        link.happen(messages.VerdictWanted(question=QUESTION))
        await until(pilot, lambda: isinstance(app.screen, JudgePrompt))
        await pilot.press("2", *"half", "enter")
        given = messages.GiveVerdict(key=QUESTION.key, verdict="partially correct", reason="half")
        await until(pilot, lambda: link.sent[-1] == given)
        link.happen(messages.VerdictWanted(question=QUESTION))
        await until(pilot, lambda: isinstance(app.screen, JudgePrompt))
        await pilot.press("escape")
        await until(pilot, lambda: link.sent[-1] == messages.GiveVerdict(key=QUESTION.key))
        assert next(one for one in link.sent if isinstance(one, messages.StartEpisode)).asks_person


async def test_the_question_is_shown_and_harmless() -> None:
    app = Asking()
    async with app.run_test(size=(80, 24)):
        text = "\n".join("".join(s.text for s in line) for line in app.screen._compositor.render_strips())
        for words in ("How many?", "[/b] four", "or so", "1  correct", "3  incorrect", "fuzzy_match"):
            assert words in text
        assert "\x1b" not in text
        assert app.given == "nothing yet"


async def test_one_escape_loses_no_reason() -> None:
    app = Asking()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("2", *"why", "escape", "escape")
        await pilot.pause()
        assert app.given == "nothing yet"
        await pilot.press("2", *" not", "enter")
        await pilot.pause()
        assert app.given == HumanVerdict("partially correct", "why not")
