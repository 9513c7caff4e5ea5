"""A live episode: its state, its action language, and the line to whoever plays it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from textual.screen import Screen

from webbench.core.benchmark.benchmark import ends_by_submitting, shows_reference, traits_of
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.dialects.dialect import Dialect, find_dialect
from webbench.core.engine.wire import messages
from webbench.core.plugins import entry_points
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import shown_key
from webbench.tui.screens.stepper.episode_state import EpisodeState, fold
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.tui.opening import Opening


class Line(Protocol):
    """The way to whoever plays the episode."""

    async def send(self, intent: messages.Intent) -> None: ...


class LiveEpisode:
    """One episode of one task, started and started again; the parts of its screen share it.

    Args:
        screen: what shows it.
        line: the way to whoever plays it, looked up whenever something is sent.
    """

    def __init__(self, screen: Screen[None], task: Task, opening: Opening, line: Callable[[], Line]) -> None:
        self.task = task
        self.opening = opening
        self.state = EpisodeState()
        self.dialect: Dialect = find_dialect(opening.dialect or find_benchmark(task.benchmark).dialect)
        self.hides_what_is_asked = False
        """Benchmarks tell by how a task is scored whether it asks for an answer: a blind study doesn't."""
        self._screen = screen
        self._line = line

    @property
    def ends_by_submitting(self) -> bool:
        """Whether this task usually ends with a form that is sent; else the actor stops."""
        return ends_by_submitting(find_benchmark(self.task.benchmark), self.task)

    @property
    def may_take_back(self) -> bool:
        """Not where what comes after a step tells its right answer."""
        return not shows_reference(find_benchmark(self.task.benchmark))

    @property
    def wants_answer(self) -> bool:
        """Whether the task asks for an answer, as far as its benchmark tells."""
        traits = traits_of(find_benchmark(self.task.benchmark), self.task)
        return self.hides_what_is_asked or traits.seeks_information is not False

    def how_to_start(self, resume: str) -> messages.StartEpisode:
        return messages.StartEpisode(
            benchmark=self.task.benchmark,
            task=self.task,
            data=str(self.opening.data or ""),
            rules=self.opening.rules,
            dialect=self.dialect.name,
            agent=self.opening.agent,
            resume=resume,
            instructor=self.opening.instructor,
            asks_person=True,
        )

    def take_in(self, event: messages.Event) -> None:
        """The state after what the engine tells."""
        self.state = fold(self.state, event)

    def turn_dialect(self) -> None:
        """Another action language, for what is typed here and for agents alike."""
        names = sorted(entry_points.load("webbench.dialects"))
        position = names.index(self.dialect.name) if self.dialect.name in names else -1
        self.dialect = find_dialect(names[(position + 1) % len(names)])
        self.send_soon(messages.ChangeDialect(name=self.dialect.name))

    async def send(self, intent: messages.Intent) -> None:
        await self._line().send(intent)

    def send_soon(self, intent: messages.Intent) -> None:
        run_worker(self._screen, partial(self._line().send, intent))

    def tell_ended(self) -> None:
        """Why nothing can be done in it any more, and how it is started again."""
        again = shown_key(self._screen.app, "stepper.restart")
        told = f"The episode has ended: {plain_text(self.state.ended)}. {again} starts again."
        self._screen.notify(told, markup=False)
