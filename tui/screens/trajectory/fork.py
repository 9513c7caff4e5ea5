"""Going on from a recorded step: the task is reset, the record repeated, and then it is live."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from webbench.core.errors import WebbenchError
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import EpisodeHeader
from webbench.tui.destinations import Stepper, go_to
from webbench.tui.screens.dialogs.pick_prompt import PickPrompt
from webbench.tui.screens.dialogs.selectable_agents import WITH_OPTIONS, agent_choices
from webbench.tui.screens.trajectory.scrubbing import Scrubbing
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.tui.opening import Opening


class Forking:
    """Begins at the page that is shown, whichever side of the step that is."""

    def __init__(self, screen: Screen[None], scrubbing: Scrubbing, opening: Opening) -> None:
        self._screen = screen
        self._scrubbing = scrubbing
        self._opening = opening

    def ask(self) -> None:
        """Ask who goes on, then start."""
        at = self._scrubbing
        if at.episode is None or not at.steps:
            self._screen.notify("There is nothing to fork: the record has no steps.", markup=False)
            return
        header, step = at.episode.trajectory.header, at.steps[at.page_place].index
        run_worker(self._screen, partial(self._ask_and_fork, header, step), group="fork", exclusive=True)

    async def _ask_and_fork(self, header: EpisodeHeader, at: int) -> None:
        from webbench.core.benchmark.installed import find_benchmark
        from webbench.core.engine import catalogue

        try:
            data = str(self._data_of(header.task) or "")
            task = await asyncio.to_thread(catalogue.startable, header, data)
            find_benchmark(task.benchmark)
        except WebbenchError as error:
            told = plain_text(f"This episode can't be forked: {error}", limit=400)
            self._screen.notify(told, severity="warning", markup=False, timeout=10)
            return
        where = f"after step {at}, the page that is shown" if at else "from the start"
        question = f"Fork {where}: the task is reset and every step up to it repeated. Who goes on then?"
        prompt = PickPrompt(question, agent_choices(task.benchmark), nobody="I do", hint=WITH_OPTIONS)
        agent = await self._screen.app.push_screen_wait(prompt)
        if agent is not None:
            self._fork(task, at, agent)

    def _fork(self, task: Task, at: int, agent: str) -> None:
        opening = replace(
            self._opening,
            task=task,
            agent=agent,
            resume=str(self._scrubbing.folder),
            fork_step=at,
            data=self._data_of(task),
        )
        go_to(self._screen, Stepper(task, opening))

    def _data_of(self, task: Task) -> Path | None:
        """The data folder that was named on the command line, where it is this benchmark's."""
        return self._opening.data if self._opening.benchmark == task.benchmark else None
