"""What an episode tells while it goes on: its events, in the order in which they become true."""

from __future__ import annotations

from typing import Literal

import msgspec

from webbench.core.agent import Proposal
from webbench.core.episode.candidates import WordedCandidate
from webbench.core.observation import Observation, Screenshot
from webbench.core.score.score import Score
from webbench.core.trajectory import EpisodeHeader, Step

ProgressStage = Literal["browser", "page", "action", "agent", "score", "idle"]


class EventBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True):
    """Something that happened; tagged by class name, so that it can travel."""


class Progress(EventBase, frozen=True, kw_only=True):
    """What it is busy with, for a status line; "" when it is idle."""

    text: str
    stage: ProgressStage = "idle"


class EpisodeStarted(EventBase, frozen=True, kw_only=True):
    """It begins, or goes on; the first event."""

    header: EpisodeHeader


class Observed(EventBase, frozen=True, kw_only=True):
    """What there is to see at a step."""

    step: int
    observation: Observation


class Pictured(EventBase, frozen=True, kw_only=True):
    """A picture for display, in any format of `Screenshot`."""

    step: int
    data: bytes
    width: int
    height: int
    scale: float = 1.0
    full_page: bool = False
    origin: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, step: int, picture: Screenshot) -> Pictured:
        """What was taken of the page at this step."""
        return cls(
            step=step,
            data=picture.data,
            width=picture.width,
            height=picture.height,
            scale=picture.scale,
            full_page=picture.full_page,
            origin=picture.origin,
        )


class ActionRefused(EventBase, frozen=True, kw_only=True):
    """The text was no action; nothing was done."""

    text: str
    position: int
    reason: str
    nearest: str


class StepRecorded(EventBase, frozen=True, kw_only=True):
    """The step is on disk (flushed and fsynced)."""

    step: Step


class Scored(EventBase, frozen=True, kw_only=True):
    """What the episode would score by now, as of a step."""

    step: int
    score: Score


class Proposed(EventBase, frozen=True, kw_only=True):
    """What an agent wants to do; nothing is done yet.

    Attributes:
        text: the candidate it wants most, "" where it failed.
        error: why that is no action.
        candidates: all of them, that one first.
        asked: why the person is asked before it is carried out; "" where the agent goes on by itself.
    """

    proposal: Proposal
    text: str
    error: str = ""
    candidates: tuple[WordedCandidate, ...] = ()
    asked: str = ""


class EpisodeEnded(EventBase, frozen=True, kw_only=True):
    """The last event; the header has end and score."""

    header: EpisodeHeader


class EpisodeKept(EventBase, frozen=True, kw_only=True):
    """It was left without an end; `StartEpisode.resume` goes on with it."""

    header: EpisodeHeader


class Trouble(EventBase, frozen=True, kw_only=True):
    """Something went wrong; `fatal` means the episode is over or the engine can't go on.

    A `warning` is something to know while all goes on.
    """

    message: str
    hint: str = ""
    fatal: bool = False
    warning: bool = False


EpisodeEvent = (
    Progress
    | EpisodeStarted
    | Observed
    | Pictured
    | ActionRefused
    | StepRecorded
    | Scored
    | Proposed
    | EpisodeEnded
    | EpisodeKept
    | Trouble
)
