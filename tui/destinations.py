"""Destinations: the screens that another screen can ask for, and the message that asks."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.screen import Screen

from webbench.core.errors import internal_fault
from webbench.core.text.plain_text import plain_text
from webbench.tui.workbench import workbench

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.upkeep.choices import Choice
    from webbench.core.people.labelling.worksheet import LabellingOrder, Worksheet
    from webbench.core.people.studies.desk import Desk
    from webbench.core.store.store import Store
    from webbench.core.task import Task
    from webbench.core.trajectory import EpisodeHeader
    from webbench.tui.opening import Opening


@dataclass(frozen=True, slots=True)
class Library:
    """Benchmarks and their tasks."""

    opening: Opening


@dataclass(frozen=True, slots=True)
class TaskList:
    """The tasks that a person goes through one after the other, each from its first instance to its last.

    Attributes:
        tasks: name of each, and how many instances it has; 0 where it has none.
        marked: they were marked; else they are those that the library shows from the opened one on.
        at: the place of the one that is open.
        instance: which of its instances is.
    """

    tasks: Sequence[tuple[str, int]]
    marked: bool
    at: int = 0
    instance: int = 0

    def following(self) -> TaskList | None:
        """The list at the task's next instance, else at the next task; None at the last."""
        if self.instance + 1 < self.tasks[self.at][1]:
            return replace(self, instance=self.instance + 1)
        return self.following_task()

    def following_task(self) -> TaskList | None:
        """The list at its next task, None at the last."""
        return replace(self, at=self.at + 1, instance=0) if self.at + 1 < len(self.tasks) else None

    @property
    def words(self) -> str:
        """ "2 of 5 marked", "last of 5 marked"."""
        which = "last" if self.at + 1 == len(self.tasks) else f"{self.at + 1:,}"
        return f"{which} of {len(self.tasks):,}{' marked' if self.marked else ''}"

    @property
    def instance_words(self) -> str:
        """ "instance 2 of 3"; "" where the task has one instance only."""
        instances = self.tasks[self.at][1]
        return f"instance {self.instance + 1:,} of {instances:,}" if instances > 1 else ""


@dataclass(frozen=True, slots=True)
class Stepper:
    """A live episode of a task."""

    task: Task
    opening: Opening
    among: TaskList | None = None
    """The tasks to go on with when it has ended."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A live episode that a batch is playing."""

    opening: Opening
    store: Store
    header: EpisodeHeader


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A recorded episode."""

    opening: Opening
    episode: Path
    """Its folder."""
    step: int | None = None
    """Index of the step to open at; None opens at the first action."""
    among: Sequence[Path] = ()
    """Folders of its neighbours, to turn over to."""
    after: bool = False
    """The page after the action is shown first, not the one before."""


@dataclass(frozen=True, slots=True)
class Compare:
    """Attempts at a task side by side."""

    store: Store
    folders: Sequence[Path]


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a store."""

    opening: Opening
    run: str = ""
    """The one that the cursor goes to first."""


@dataclass(frozen=True, slots=True)
class FoundTexts:
    """Where a text stands in the episodes of all runs."""

    store: Store
    text: str = ""
    """What is looked for; the screen asks where there is none."""
    filter: str = ""
    """Of episodes."""
    within: tuple[str, ...] = ()
    """Kinds of texts; none for all."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The figures of some runs of one benchmark."""

    store: Store
    runs: Sequence[str]


@dataclass(frozen=True, slots=True)
class Labelling:
    """Labels of episodes."""

    store: Path
    order: LabellingOrder


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What annotators of an episode differ on."""

    sheets: Worksheet


@dataclass(frozen=True, slots=True)
class Disputes:
    """The verdicts that people dispute."""

    store: Store
    annotator: str


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes of a codebook, or of any taxonomy."""

    store: Store
    codebook: str
    annotator: str


@dataclass(frozen=True, slots=True)
class Recorder:
    """A new task out of an episode's steps."""

    store: Path
    header: EpisodeHeader
    marks: dict[int, Choice]
    """Steps that are marked; the screen changes them."""


@dataclass(frozen=True, slots=True)
class StudyDesk:
    """An annotator's work on a study."""

    opening: Opening
    desk: Desk


@dataclass(frozen=True, slots=True)
class StudyTask:
    """A live episode of a study's task."""

    task: Task
    opening: Opening
    desk: Desk


@dataclass(frozen=True, slots=True)
class Studies:
    """Studies of people, and queues of labels."""

    store: Store


@dataclass(frozen=True, slots=True)
class EveryCommand:
    """The commands of the program, each to be filled in; `here` go with the screen that asks."""

    store: Path
    at_hand: Mapping[str, str]
    here: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class CommandForm:
    """One command to be filled in and run.

    Attributes:
        at_hand: what the screen that asks has under its cursor, by what that is: "run", "episode".
        filled: what stands in the fields besides, by their names.
        begin: run it at once.
    """

    path: tuple[str, ...]
    store: Path
    at_hand: Mapping[str, str]
    filled: Mapping[str, str] = field(default_factory=dict)
    begin: bool = False


WEBCANVAS = "webcanvas"
"""The form of a task whose checks are picked on a screen of their own."""


def record_form(store: Path, header: EpisodeHeader, shape: str, checks: str = "") -> CommandForm:
    """`record`, filled in for an episode and the form that its task is to have; it begins with the list."""
    filled = {"what": header.episode, "shape": shape, "checks": checks}
    return CommandForm(("record",), store, {}, filled, begin=True)


Destination = (
    Library
    | Stepper
    | Attached
    | Trajectory
    | Compare
    | Runs
    | FoundTexts
    | Analysis
    | Labelling
    | Adjudication
    | Disputes
    | Codes
    | Recorder
    | StudyDesk
    | StudyTask
    | Studies
    | EveryCommand
    | CommandForm
)


class GoTo(Message):
    """Asks the application for a screen: over the one that asks, or in its place."""

    def __init__(
        self,
        destination: Destination,
        *,
        instead_of: Screen[Any] | None = None,
        then: Callable[[None], None] | None = None,
    ) -> None:
        super().__init__()
        self.destination = destination
        self.instead_of = instead_of
        self.then = then


def go_to(
    screen: Screen[Any],
    destination: Destination,
    *,
    instead: bool = False,
    then: Callable[[None], None] | None = None,
) -> None:
    """Ask for a screen over this one.

    Args:
        instead: the new screen takes the place of this one.
        then: is called, as work of this screen, when one comes back from the new one, unless this one is gone
            by then; nobody comes back to one that was replaced. A fault in it is told and ends nothing.
    """
    back = partial(_come_back, screen, then) if then is not None else None
    screen.app.post_message(GoTo(destination, instead_of=screen if instead else None, then=back))


def _come_back(screen: Screen[Any], then: Callable[[None], None], result: None) -> None:
    """The application is told that a screen was left, but what follows is work of the screen that asked."""
    screen.call_next(_told_of_return, screen, then, result)


def _told_of_return(screen: Screen[Any], then: Callable[[None], None], result: None) -> None:
    if screen not in screen.app.screen_stack:
        return
    try:
        then(result)
    except Exception as error:  # the person has left a screen, and must not lose the others for it
        screen.log.error(traceback.format_exc())
        screen.notify(plain_text(internal_fault(error), limit=400), severity="error", markup=False)


def open_trajectory(
    screen: Screen[Any],
    episode: Path,
    step: int | None = None,
    among: Sequence[Path] = (),
    *,
    after: bool = False,
) -> None:
    """Ask for a recorded episode by its folder, at the step with this index; `among` are its neighbours.

    Args:
        after: the page after the action is shown first.
    """
    opening = replace(workbench(screen).opening, store=episode.parent.parent)
    go_to(screen, Trajectory(opening, episode, step, among, after))
