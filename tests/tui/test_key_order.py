"""Keys that come in one piece, as over a slow line, do what they do one at a time."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Button, Input

from tests.tui.waiting import until
from webbench.tui.key_order import OrderedKeys


class Question(ModalScreen[str]):
    AUTO_FOCUS = "Input"

    def compose(self) -> ComposeResult:
        yield Input(id="answer")


class Keys(OrderedKeys):
    """`i` goes to the field, `p` asks a question, `d` takes the button that has the focus away."""

    BINDINGS: ClassVar = [
        Binding("i", "field"),
        Binding("p", "ask"),
        Binding("d", "drop"),
        Binding("x", "count"),
    ]
    AUTO_FOCUS = "Button"

    def __init__(self) -> None:
        super().__init__()
        self.counted = 0

    def compose(self) -> ComposeResult:
        yield Button("first")
        yield Input(id="field")

    def action_field(self) -> None:
        self.query_one("#field").focus()

    def action_ask(self) -> None:
        self.push_screen(Question())

    async def action_drop(self) -> None:
        await self.query_one(Button).remove()

    def action_count(self) -> None:
        self.counted += 1


def press_at_once(app: Keys, keys: str) -> None:
    for key in keys:
        app.post_message(events.Key(key, key))


async def typed(pilot: Pilot[None], count: int) -> str:
    """What stands in the field of the screen on top, once it holds so many letters."""
    await until(pilot, lambda: len(pilot.app.screen.query_one(Input).value) >= count)
    return pilot.app.screen.query_one(Input).value


async def test_letters_go_to_the_field_that_a_key_before_them_focused() -> None:
    app = Keys()
    async with app.run_test() as pilot:
        press_at_once(app, "xixpd")
        assert await typed(pilot, 3) == "xpd"
        assert app.counted == 1


async def test_letters_go_to_the_screen_that_a_key_before_them_opened() -> None:
    app = Keys()
    async with app.run_test() as pilot:
        press_at_once(app, "pix")
        assert await typed(pilot, 2) == "ix"
        assert isinstance(app.screen, Question)


async def test_a_key_whose_widget_went_away_holds_nobody_up() -> None:
    app = Keys()
    async with app.run_test() as pilot:
        press_at_once(app, "d" + "x" * 300)
        assert await typed(pilot, 300) == "x" * 300
