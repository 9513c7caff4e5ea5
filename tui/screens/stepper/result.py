"""The result at the end of an episode: what its score lacks, how it compares, where one goes from here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from webbench.core.analysis.recorded.episode_result import EpisodeResult, best_words, episode_result
from webbench.core.analysis.recorded.gold_trajectory import GoldTrajectories, GoldTrajectory, gold_words
from webbench.core.analysis.recorded.known_solution import known_solution, solution_words
from webbench.core.engine.wire import catalogue_messages
from webbench.core.errors import WebbenchError
from webbench.core.people.labelling.worksheet import LabellingOrder
from webbench.core.score.explanation import compared_words, outcome
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.text.durations import duration_words
from webbench.core.text.plain_text import plain_clip, plain_text
from webbench.core.text.plural import counted
from webbench.core.trajectory import EpisodeHeader, Trajectory
from webbench.tui.commands import bindings, shown_key
from webbench.tui.destinations import Compare, Labelling, Stepper, TaskList, go_to
from webbench.tui.destinations import Trajectory as TrajectoryPlace
from webbench.tui.finding_again import show_command
from webbench.tui.screens.stepper.live import LiveEpisode
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.workbench import workbench
from webbench.tui.workers import run_worker

Ways = Mapping[str, str]
"""What each key of the result does now, by the name of its action."""
BETWEEN = Content("  ·  ")


class ResultScreen(ModalScreen[str]):
    """Gives the name of the way that was chosen, "" to stay with the page."""

    CSS = """
    ResultScreen { align: center middle; }
    ResultScreen > Vertical {
        width: 100; max-width: 96%; height: auto; max-height: 90%;
        border: round $primary; background: $surface; border-title-style: bold; padding: 0 1;
    }
    ResultScreen TextRows { height: auto; max-height: 70vh; border: none; }
    ResultScreen .ways { margin-top: 1; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("result")]
    AUTO_FOCUS = "TextRows"

    def __init__(self, title: str, entries: Sequence[Entry], ways: Ways, missing: Ways) -> None:
        """`missing` says of the ways that there are not, why."""
        super().__init__()
        self._heading = title
        self._entries = entries
        self._ways = ways
        self._missing = missing

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(plain_text(self._heading, limit=90))
            yield TextRows(self._entries)
            yield WayKeys(tuple(self._keys()), classes="ways")

    def _keys(self) -> Iterator[Content]:
        for name, words in self._ways.items():
            key = shown_key(self.app, f"result.{name}")
            yield Content.assemble((key, "bold"), " ", plain_text(words, limit=60))

    def action_choose(self, name: str) -> None:
        if name in self._ways:
            self.dismiss(name)
        else:
            self.notify(self._missing.get(name, "That can't be done here."), markup=False)


class WayKeys(Static):
    """The keys and where they lead to; no line ends between a key and its words."""

    def __init__(self, ways: Sequence[Content], *, classes: str) -> None:
        super().__init__(BETWEEN.join(ways), classes=classes)
        self._told = ways

    def on_resize(self) -> None:
        lines: list[Content] = []
        for one in self._told:
            longer = BETWEEN.join((lines[-1], one)) if lines else one
            lines[-1:] = [longer] if longer.cell_length <= self.size.width else [*lines[-1:], one]
        self.update(Content("\n").join(lines))


class EpisodeEnd:
    """Shows the result of the episode on a screen, and goes where the person wants to go from it.

    Args:
        among: the tasks that the person goes through, None where this one was opened alone.
        again: starts the task again, None where that isn't the person's to do.
        back: goes back to where one came from.
        record: makes a task of the episode, None where that isn't the person's to do.
    """

    def __init__(
        self,
        screen: Screen[None],
        episode: LiveEpisode,
        among: TaskList | None,
        *,
        again: Callable[[], Coroutine[Any, Any, None]] | None,
        back: Callable[[], Coroutine[Any, Any, None]],
        record: Callable[[], None] | None = None,
    ) -> None:
        self._screen = screen
        self._episode = episode
        self._among = among
        self._again = again
        self._back = back
        self._record = record
        self._gold: GoldTrajectory | None = None
        self._wanted: TaskList | None = None
        """The list at the task that is being read, to be opened."""

    def show(self) -> None:
        """Read what the store holds on the task, then show the result."""
        run_worker(self._screen, self._show, group="result", exclusive=True)

    async def _show(self) -> None:
        header = self._episode.state.header
        if header is None:
            return
        store = Store(self._episode.opening.store)
        try:
            result = await asyncio.to_thread(episode_result, store, header)
        except WebbenchError as error:
            self._screen.notify(plain_text(str(error), limit=300), severity="warning", markup=False)
            result = EpisodeResult()
        self._gold, problem = await asyncio.to_thread(
            GoldTrajectories(store).told_of, header.task.benchmark, header.task.id
        )
        if problem:
            self._screen.notify(plain_text(problem, limit=300), severity="warning", markup=False)
        here = self._screen.app.screen is self._screen
        if here and self._episode.state.ended and self._episode.state.header == header:
            entries = list(self._entries(header, result))
            title = f"Result: {header.task.id}{self._place()}"
            screen = ResultScreen(title, entries, *self._ways(result))
            self._screen.app.push_screen(screen, partial(self._chosen, header, result))

    # -- what it says --------------------------------------------------------------------------

    def _entries(self, header: EpisodeHeader, result: EpisodeResult) -> Iterator[Entry]:
        score, state = header.score, self._episode.state
        came_to = outcome(score.value, score.status) if score is not None else "skipped"
        part = {"passed": "good", "failed": "bad", "trouble": "bad"}.get(came_to, "strong")
        yield Entry("ended", header.end_reason)
        yield Entry("score", score.headline() if score is not None else "none", part)
        for check in result.unmet:
            told = "; ".join(filter(None, (check.combination, check.why)))
            yield Entry(check.target, f"{check.value}  {told}", "bad")
            if check.actual:
                yield Entry(" ", compared_words(check))
        solution = known_solution(header.task, state.steps)
        for label, told in solution_words(solution) if solution is not None else ():
            yield Entry(label, told)
        for label, told in gold_words(self._gold):
            yield Entry(label, told)
        yield Entry("", "")
        steps = counted(max(0, header.steps - 1), "step")
        seconds = Trajectory(header=header, steps=state.steps).seconds
        yield Entry("took", f"{steps}, {duration_words(seconds)}", "strong")
        yield Entry("best human", best_words(result.best_human, header))
        yield Entry("best agent", best_words(result.best_agent, header))
        usual = workbench(self._screen).settings.store_folder()
        command = show_command(header.episode, self._episode.opening.store, usual)
        yield Entry("command", command, "muted")

    def _place(self) -> str:
        if self._among is None:
            return ""
        return f" ({', '.join(filter(None, (self._among.instance_words, self._among.words)))})"

    def _ways(self, result: EpisodeResult) -> tuple[Ways, Ways]:
        """The ways there are, and why there are no others."""
        ways: dict[str, str] = {}
        missing: dict[str, str] = {}
        best = result.best_other
        if self._among is None:
            alone = "This task was opened alone: mark tasks in the library to go through them."
            missing |= {"next": alone, "next_task": alone}
        else:
            following, task = self._among.following(), self._among.following_task()
            last = f"This was the {self._among.words}."
            missing |= {"next": last, "next_task": last}
            if following is not None and following != task:
                ways["next"] = f"next, {following.instance_words}"
            if task is not None:
                way = "next_task" if "next" in ways else "next"
                ways[way] = f"next task, {plain_clip(task.tasks[task.at][0], 24)}, {task.words}"
                missing["next_task"] = f"{shown_key(self._screen.app, 'result.next')} goes to the next task."
        if self._again is not None:
            ways["again"] = "again"
        ways["trajectory"] = "trajectory"
        if best is None:
            missing["compare"] = "The store has no other scored attempt at this task."
        else:
            ways["compare"] = f"compare with the best, {best.as_corrected:.3f} by {best.actor}"
        if self._record is None or self._episode.task.gold:
            missing["record"] = "This is a task already: the stepper can make another one of it."
        else:
            ways["record"] = "make a task of it"
        ways |= {"label": "label", "back": "library", "close": "the page"}
        return ways, missing

    # -- where one goes ------------------------------------------------------------------------

    def _chosen(self, header: EpisodeHeader, result: EpisodeResult, way: str | None) -> None:
        store = Store(self._episode.opening.store)
        folder, best = store.root / header.run / header.episode, result.best_other
        match way:
            case "next" | "next_task":
                self._read_next(whole_task=way == "next_task")
            case "again" if self._again is not None:
                run_worker(self._screen, self._again)
            case "back":
                run_worker(self._screen, self._back)
            case "trajectory":
                self._look_at(TrajectoryPlace(self._episode.opening, folder))
            case "compare" if best is not None:
                self._look_at(Compare(store, (folder, store.root / best.run / best.episode)))
            case "record" if self._record is not None:
                self._record()
            case "label":
                order = LabellingOrder(places=((header.run, header.episode),))
                self._look_at(Labelling(store.root, order))

    def _look_at(self, place: TrajectoryPlace | Compare | Labelling) -> None:
        """Over the stepper; who comes back is asked again."""
        go_to(self._screen, place, then=lambda _: self.show())

    def _read_next(self, *, whole_task: bool) -> None:
        if self._among is None:
            return
        following = self._among.following_task() if whole_task else self._among.following()
        if following is not None:
            self._wanted = following
            task, opening = self._episode.task, self._episode.opening
            self._episode.send_soon(
                catalogue_messages.ReadTask(
                    benchmark=task.benchmark,
                    name=following.tasks[following.at][0],
                    instance=following.instance,
                    data=str(opening.data or ""),
                )
            )

    def task_read(self, task: Task) -> None:
        """The next task has come: step it in the place of this one."""
        if self._wanted is not None:
            following, self._wanted = self._wanted, None
            opening = replace(self._episode.opening, resume="", fork_step=None)
            go_to(self._screen, Stepper(task, opening, following), instead=True)
