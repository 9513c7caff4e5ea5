"""Leaving an episode: what becomes of one that is under way, and where one goes then."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from textual.screen import Screen

from webbench.core.action.action import Stop
from webbench.core.dialects.wording import wording
from webbench.core.engine.wire import messages
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.core.trajectory import ABANDONED, Step
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.live import LiveEpisode
from webbench.tui.widgets.fields.notes import NoteInput
from webbench.tui.workers import run_worker

Following = Callable[[], Coroutine[Any, Any, None]]
"""What is done when one has parted."""


class Parting:
    """Asks what becomes of the episode, and does it; one that is handed in gets its score first."""

    def __init__(self, screen: Screen[None], episode: LiveEpisode) -> None:
        self._screen = screen
        self._episode = episode
        self._after_the_end: Following | None = None
        """What the person wants when the episode has its score."""
        self.takes_back = False
        """The end that is waited for is that of an attempt whose last step is taken back."""
        self._gives_up = False

    async def leave(self, question: str, leaving: str, then: Following) -> None:
        """Do something that parts from the episode; the person says what becomes of one that is under way.

        Args:
            leaving: what `then` does, in a word or two.
        """
        state = self._episode.state
        if state.ended:
            await then()
            return
        typed = self.unsent()
        if not state.under_way and not typed:
            await self._give_up(then)
            return

        def chosen(value: str | None) -> None:
            if self._episode.state.ended and value not in (None, "stay"):
                run_worker(self._screen, then)  # it ended while the question was open
                return
            match value:
                case "hand in":
                    run_worker(self._screen, partial(self._hand_in, then))
                case "keep":
                    run_worker(self._screen, partial(self._keep, then))
                case "give up":
                    run_worker(self._screen, partial(self._give_up, then))

        waits = state.proposal is not None
        told = f"The episode has not ended{', and a proposal waits for you' if waits else ''}. {question}"
        lost = [f"“{typed}” is not sent"] if typed else []
        lost += ["the proposal isn't kept"] if waits else []
        under_way = [
            ("hand in", f"Hand in and {leaving}: scored as it stands, without an answer"),
            ("keep", f"Keep it and {leaving}: the library lists it, you go on later"),
            ("give up", f"Give it up and {leaving}: not scored, its steps stay"),
        ]
        choices = [("stay", "Stay here"), *(under_way if state.under_way else [("give up", "Leave")])]
        prompt = ChoicePrompt(told, choices, at="stay", note="; ".join(lost), careful=True)
        self._screen.app.push_screen(prompt, chosen)

    def take_back(self, step: Step, fork: Following) -> None:
        """Ask whether the last step is taken back: this attempt ends, and a fork goes on before that step."""
        header = self._episode.state.header
        earlier = sum(
            one.action is not None and one.ok and one.index < step.index for one in self._episode.state.steps
        )
        repeated = f"and {counted(earlier, 'step')} repeated" if earlier else "from the start"
        question = f"Take back step {step.index}, {plain_text(step.text, limit=60)}?"
        told = (
            "Both attempts stay in the record, this one as not scored. What other sites were told stays done."
        )
        choices = [("yes", f"Take it back: the task is reset, {repeated}"), ("no", "Leave it as it is")]

        def chosen(value: str | None) -> None:
            state = self._episode.state
            if value != "yes":
                return
            if state.ended:
                self._episode.tell_ended()
            elif state.header != header or state.last_effect != step:
                told = "Something else was done meanwhile, so nothing is taken back: ask again."
                self._screen.notify(told, markup=False)
            else:
                self._after_the_end, self.takes_back = fork, True
                reason = f"step {step.index} was taken back; a fork goes on before it"
                self._episode.send_soon(messages.EndEpisode(reason=reason))

        self._screen.app.push_screen(ChoicePrompt(question, choices, note=told), chosen)

    @property
    def under_way(self) -> bool:
        """The person knows already where they go from here."""
        return self._gives_up or self._after_the_end is not None

    def stay(self) -> None:
        """The person acts on, or the episode is in trouble: its end is not what one waits for any more."""
        self._after_the_end, self.takes_back, self._gives_up = None, False, False

    def episode_ended(self) -> None:
        """It has its score: do what waited for that."""
        if (then := self._after_the_end) is not None:
            self.stay()
            run_worker(self._screen, then)

    def unsent(self) -> str:
        """What is typed and not sent yet, shortened: an action, or something to note or to remember."""
        fields = [self._screen.query_one(ActionBar).input, *self._screen.query(NoteInput)]
        return plain_text(" ".join(filter(None, (field.value.strip() for field in fields))), limit=80)

    async def _hand_in(self, then: Following) -> None:
        """Stop without an answer; part from the episode when it has its score."""
        self._after_the_end = then
        await self._episode.send(messages.SendAction(text=wording(self._episode.dialect, Stop())))

    async def _keep(self, then: Following) -> None:
        await self._episode.send(messages.KeepEpisode())
        await then()

    async def _give_up(self, then: Following) -> None:
        """The episode is ended as abandoned; its steps stay."""
        if self._episode.state.header is not None:
            self._gives_up = True
            await self._episode.send(messages.EndEpisode(reason=ABANDONED))
        await then()
