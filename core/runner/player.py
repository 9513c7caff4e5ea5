"""Where an episode is played: the seam between a run and the machine that plays its episodes."""

from __future__ import annotations

from typing import Protocol

import msgspec

from webbench.core.episode.options import EpisodeOptions
from webbench.core.models.spending import Spent
from webbench.core.score.score import Score
from webbench.core.task import Task

INTERRUPTED = "the run was interrupted"
BROWSER_LOST = "the browser ended while the episode was played"


class PlayRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to be made: plain data that may travel to another machine.

    Attributes:
        order, repeat, attempt: which of the run's plan, and how many attempts at it came before.
        agent: its spec, "name option ..."; dialect: "" for the benchmark's own.
        hang_seconds: without a sign of progress for so long it is ended as not scored.
    """

    run: str
    order: int
    task: Task
    agent: str
    repeat: int = 0
    attempt: int = 0
    seed: int = 0
    dialect: str = ""
    options: EpisodeOptions = EpisodeOptions()
    reset: bool = False
    hang_seconds: float = 600.0


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an attempt.

    Attributes:
        score: not scored, with its reason, where it could not be played to its end.
        episode: its record, "" where none was opened.
        end_reason: why it ended.
        steps: transitions, not counting the start.
        seconds: from the opening of its stage to its end.
        again: it says nothing about the agent and is to be played again, `alone` with nothing beside it.
        mixed: somebody else acted in it too.
        halt: why no further episode should be begun, "" where nothing is in the way: the disk is full, say.
    """

    score: Score
    episode: str = ""
    end_reason: str = ""
    steps: int = 0
    seconds: float = 0.0
    spent: Spent = Spent()
    again: bool = False
    alone: bool = False
    mixed: bool = False
    halt: str = ""


class Hearing(Protocol):
    """Who is told of an attempt while it is played. Neither call may take long, or raise."""

    def opened(self, request: PlayRequest, episode: str, worker: str = "") -> None:
        """The record of the attempt was opened; `worker` names the machine, "" for the runner's own."""
        ...

    def trouble(self, text: str) -> None:
        """Something to know went wrong, while all goes on."""
        ...


class Player(Protocol):
    """Plays episodes, many at a time. A failure of one is its own result, and harms no other."""

    async def ready(self) -> None:
        """Called before each episode. Raises `EnvironmentDown` where none could be played now."""
        ...

    async def play(self, request: PlayRequest, hearing: Hearing) -> Played:
        """Play one attempt to its end, and record it. Never raises but for its own cancellation."""
        ...

    async def interrupt(self, reason: str = INTERRUPTED) -> None:
        """End all attempts that are going on as not scored, to be played again; each `play` returns."""
        ...
