"""What every part of the stepper shares: the episode's state, its language, the line to the engine."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

import msgspec

from webbench.core import registry
from webbench.core.action import Action
from webbench.core.engine import messages
from webbench.core.task import Task, ends_by_submitting
from webbench.tui.episode_state import EpisodeState
from webbench.tui.screens.stepper_panes import PagePanes
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.title_line import TitleLine

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.recorder.choices import Choice
    from webbench.tui.app import Opening


class Line(Protocol):
    """The way to whoever plays the episode."""

    async def send(self, intent: messages.Intent) -> None: ...


class LiveEpisode(PagePanes):
    """One episode of one task, started and started again."""

    def __init__(self, task: Task, opening: Opening) -> None:
        super().__init__()
        self.task_data = task
        self.opening = opening
        self.state = EpisodeState()
        self.dialect = registry.dialect(opening.dialect or registry.benchmark(task.benchmark).dialect)
        self._proposed = ""
        self.key_nodes: dict[str, dict[int, Choice]] = {}
        """Steps that the recorder has marked, by episode."""

    @property
    def ends_by_submitting(self) -> bool:
        """Whether this task usually ends with a form that is sent; else the actor stops."""
        return ends_by_submitting(registry.benchmark(self.task_data.benchmark), self.task_data)

    @property
    def link(self) -> Line:
        return self.workbench.link

    async def start_episode(self, resume: str = "", fork_step: int | None = None) -> None:
        self.query_one(TitleLine).progress = "starting"
        await self.link.send(msgspec.structs.replace(self.how_to_start(resume), fork_step=fork_step))

    def how_to_start(self, resume: str) -> messages.StartEpisode:
        return messages.StartEpisode(
            benchmark=self.task_data.benchmark,
            task=self.task_data,
            data=str(self.opening.data or ""),
            rules=self.opening.rules,
            dialect=self.dialect.name,
            agent=self.opening.agent,
            resume=resume,
            asks_person=True,
        )

    def edit_action(self, text: str) -> None:
        """Put a draft into the action bar and go there; Escape comes back to where one was."""
        self.note_pane()
        self.query_one(ActionBar).edit(text)

    def draft_action(self, action: Action) -> None:
        """Put the draft of an action into the bar, its value ready to be written over."""
        self.note_pane()
        self.query_one(ActionBar).draft(action)

    def _send_soon(self, intent: messages.Intent) -> None:
        self.run_worker(partial(self.link.send, intent))
