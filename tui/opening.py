"""The opening of a sitting: what to show first, and what holds for every episode."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webbench.core.people.labelling.worksheet import LabellingOrder
    from webbench.core.people.studies.desk import Desk
    from webbench.core.task import Task


@dataclass(frozen=True, slots=True)
class Opening:
    """What to show first, and the arguments that hold for every episode of the sitting."""

    store: Path
    benchmark: str = ""
    task: Task | None = None
    data: Path | None = None
    agent: str = ""
    dialect: str = ""
    instructor: str = ""
    """Who may speak in the episode from another terminal; "" lets nobody in."""
    rules: str = "published"
    resume: str = ""
    fork_step: int | None = None
    """The episode to resume is forked: repeated up to this step."""
    recorded: Path | None = None
    """Folder of an episode to show on the Trajectory screen, at `recorded_step`."""
    recorded_step: int | None = None
    attached: Path | None = None
    """Folder of an episode that is being played elsewhere, to look on at and to take over."""
    compare: tuple[Path, ...] = ()
    """Folders of episodes to show side by side."""
    find: tuple[str, str, tuple[str, ...]] | None = None
    """A text to find in all episodes, the filter of those, and the kinds of texts, none for all."""
    labelling: LabellingOrder | None = None
    """What is to be labelled, and by whom."""
    memory: Path | None = None
    """Where the library remembers lists and its place between sittings; None: it remembers nothing."""
    desk: Desk | None = None
    """Where an annotator works on a study; nothing else is shown then."""

    @property
    def reads_only(self) -> bool:
        """Whether the first screen is one of records from which no episode begins."""
        return self.labelling is not None or bool(self.compare) or self.find is not None
