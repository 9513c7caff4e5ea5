"""What travels between a screen (or a command) and the engine: intents in, events out.

Intents and events are msgspec structs, tagged by class name, length-prefixed over stdio. Events of the
episode are defined in `episode.events` and only carried here; messages on what there is to do, in
`catalogue_messages`.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from webbench.core.engine.wire import catalogue_messages
from webbench.core.engine.wire.catalogue_messages import IntentBase
from webbench.core.engine.wire.fork_report import RepeatedStep
from webbench.core.episode.events import (
    ActionRefused,
    EpisodeEnded,
    EpisodeEvent,
    EpisodeKept,
    EpisodeStarted,
    EventBase,
    Observed,
    Pictured,
    Progress,
    ProgressStage,
    Proposed,
    Scored,
    StepRecorded,
    Trouble,
)
from webbench.core.guards.approval import Approval
from webbench.core.json_types import Json
from webbench.core.judge import Question
from webbench.core.observation import ScreenshotOptions
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.text.plural import counted
from webbench.core.trajectory import Actor, Origin

__all__ = [
    "ActionRefused",
    "EpisodeEnded",
    "EpisodeEvent",
    "EpisodeKept",
    "EpisodeStarted",
    "EventBase",
    "Observed",
    "Pictured",
    "Progress",
    "ProgressStage",
    "Proposed",
    "Scored",
    "StepRecorded",
    "Trouble",
]
"""What is carried for the episode; everything defined below travels, too."""


class StartEpisode(IntentBase, frozen=True, kw_only=True):
    """Open a task; the running episode, if any, is left as by `KeepEpisode`."""

    benchmark: str
    task: Task
    data: str = ""
    rules: str = "published"
    dialect: str = ""
    actor: str = "human"
    agent: str = ""
    """Agent spec "name option ..." to have at hand from the start, or ""."""
    approval: Approval | None = None
    """Before which of its actions the person is asked; None for the setting."""
    resume: str = ""
    """Episode to replay first, or ""."""
    fork_step: int | None = None
    """Replay it only up to this step, compare every page with the record, and link the two: a fork."""
    takes_back: bool = False
    """The fork is the same actor's, who takes back what came after: the time of that counts on."""
    run: str = ""
    """Run of the store that it belongs to; "" for the one of this sitting."""
    annotator: str = ""
    """Pseudonym of the person, where it is known."""
    instructor: str = ""
    """Pseudonym of another person who may speak in it from elsewhere; "" lets nobody in."""
    step_limit: int = 0
    """Actions after which it ends; 0 for the limit of the settings or the benchmark."""
    live_score: bool = True
    asks_person: bool = False
    """At the end ask for verdicts that no rule can give: `VerdictWanted`, answered by `GiveVerdict`."""


class SendAction(IntentBase, frozen=True, kw_only=True):
    """Act, or accept a proposal.

    Attributes:
        actor: "agent" accepts the candidate whose text this is.
        proposed: text of the candidate that the person changed into this, "" where it is all their own.
        confirmed: the person has confirmed what the guard asks about.
    """

    text: str
    actor: Actor = "human"
    proposed: str = ""
    confirmed: bool = False


class ChooseAgent(IntentBase, frozen=True, kw_only=True):
    """Name an agent: "oracle", "random", "command ./agent.py" ...; "" takes it away."""

    spec: str


class AskAgent(IntentBase, frozen=True, kw_only=True):
    """Have the agent propose; nothing is sent to the page. An open proposal is shown again."""


class RunAgent(IntentBase, frozen=True, kw_only=True):
    """Let the agent go on by itself, or for so many steps, but for what the person is asked about."""

    steps: int | None = None


class SetApproval(IntentBase, frozen=True, kw_only=True):
    """Before which of the agent's actions the person is asked from now on."""

    approval: Approval


class PauseAgent(IntentBase, frozen=True, kw_only=True):
    """Stop an agent that runs, also while it thinks."""


class RejectProposal(IntentBase, frozen=True, kw_only=True):
    """Drop the proposal; the agent is told why."""

    reason: str = ""


class PreviewAnswer(IntentBase, frozen=True, kw_only=True):
    """Score an answer that is being written; answered by `AnswerPreviewed`, except where scores stay hidden.

    Nothing is recorded, and the page isn't looked at.
    """

    answer: str


class AddNote(IntentBase, frozen=True, kw_only=True):
    """Keep a remark with the episode."""

    text: str


class GiveVerdict(IntentBase, frozen=True, kw_only=True):
    """The person's answer to `VerdictWanted`; an empty verdict leaves the question open."""

    key: str
    """Of the question."""
    verdict: str = ""
    reason: str = ""


class Refresh(IntentBase, frozen=True, kw_only=True):
    """Observe again without acting. `whole`: this once, all nodes of a page that is too large."""

    viewport_only: bool = False
    whole: bool = False


class ScoreFully(IntentBase, frozen=True, kw_only=True):
    """Score what is there now, with the checks that otherwise wait for the end; nothing is recorded."""


class TakeScreenshot(IntentBase, frozen=True, kw_only=True):
    """A picture for display, answered by `Pictured`."""

    options: ScreenshotOptions = ScreenshotOptions()


class ChangeDialect(IntentBase, frozen=True, kw_only=True):
    """Use another action language from now on."""

    name: str


class Witness(IntentBase, frozen=True, kw_only=True):
    """Record where the person got to in the browser's own window, if anywhere."""


class PauseEpisode(IntentBase, frozen=True, kw_only=True):
    """Nobody works on it until `GoOn`: what passes meanwhile counts for no step."""


class GoOn(IntentBase, frozen=True, kw_only=True):
    """After a break: the clock of the episode runs again."""


class EndEpisode(IntentBase, frozen=True, kw_only=True):
    """Give it up as not scored."""

    reason: str = "ended by the operator"


class KeepEpisode(IntentBase, frozen=True, kw_only=True):
    """Leave it unfinished, to be resumed later; one in which nothing was done is given up as not scored."""


class FinishEpisode(IntentBase, frozen=True, kw_only=True):
    """End it with the score of what is there, as a limit does."""

    reason: str


class WarmUp(IntentBase, frozen=True, kw_only=True):
    """Start the browser now, so that the first episode needn't wait for it."""


class Shutdown(IntentBase, frozen=True, kw_only=True):
    """End the engine, or leave an episode that was taken over."""


Intent = (
    StartEpisode
    | SendAction
    | ChooseAgent
    | AskAgent
    | RunAgent
    | SetApproval
    | PauseAgent
    | RejectProposal
    | PreviewAnswer
    | AddNote
    | GiveVerdict
    | Refresh
    | ScoreFully
    | TakeScreenshot
    | ChangeDialect
    | Witness
    | PauseEpisode
    | GoOn
    | EndEpisode
    | KeepEpisode
    | FinishEpisode
    | catalogue_messages.ListTasks
    | catalogue_messages.ListUnfinished
    | catalogue_messages.ListProblems
    | catalogue_messages.ReadTask
    | WarmUp
    | Shutdown
)


class AnswerPreviewed(EventBase, frozen=True, kw_only=True):
    """What the episode would get if it ended with this answer."""

    answer: str
    score: Score


class VerdictWanted(EventBase, frozen=True, kw_only=True):
    """The score waits for a person's verdict."""

    question: Question


class AgentChanged(EventBase, frozen=True, kw_only=True):
    """Who is at work.

    Attributes:
        running: it is thinking or acting.
        spec: what it was chosen by: "name option ...".
        approval: before which of its actions the person is asked.
        waiting: it goes on when the person has decided on its proposal.
    """

    name: str
    running: bool
    spec: str = ""
    approval: Approval = "never"
    waiting: bool = False


class Replayed(EventBase, frozen=True, kw_only=True):
    """A recorded episode has been repeated, as far as that went; from here on it is live.

    Attributes:
        episode: the recorded one.
        steps: actions that were repeated.
        failed: steps left out because they had had no effect.
        unreached: actions that were to be repeated when it stopped.
        ending: the action that had ended the recorded episode and was left out, or "".
        origin: of a fork: the recorded episode and the step that was wanted.
        walk: of a fork: every step that was done again, with how sure it is that the page is the same.
    """

    episode: str
    steps: int
    failed: int = 0
    unreached: int = 0
    ending: str = ""
    origin: Origin | None = None
    walk: tuple[RepeatedStep, ...] = ()

    @property
    def unsure(self) -> tuple[RepeatedStep, ...]:
        """Steps after which nobody can say for certain that the page is the recorded one."""
        return tuple(one for one in self.walk if not one.sure)

    def headline(self) -> str:
        """In words, such as "12 actions repeated; left out: 1 step that had had no effect"."""
        left_out = []
        if self.failed:
            left_out.append(f"{counted(self.failed, 'step')} that had had no effect")
        if self.ending:
            left_out.append(f"the last one, {self.ending}")
        parts = [f"{counted(self.steps, 'action')} repeated"]
        if left_out:
            parts.append(f"left out: {' and '.join(left_out)}")
        if self.unreached:
            parts.append(f"not reached: {self.unreached}")
        if self.unsure:
            parts.append(f"unsure after {counted(len(self.unsure), 'step')}")
        return "; ".join(parts)


class FiguresCounted(EventBase, frozen=True, kw_only=True):
    """The benchmark's own figures over the episodes of this sitting, after one more has ended."""

    benchmark: str
    episodes: int
    figures: dict[str, Json]


Event = (
    EpisodeEvent
    | AnswerPreviewed
    | VerdictWanted
    | AgentChanged
    | Replayed
    | FiguresCounted
    | catalogue_messages.TasksListed
    | catalogue_messages.UnfinishedListed
    | catalogue_messages.ProblemsListed
    | catalogue_messages.ResultsListed
    | catalogue_messages.TaskRead
)

Emit = Callable[[Event], None]
"""Sends an event to whoever steers the episode."""


INTENTS: msgspec.msgpack.Decoder[Intent] = msgspec.msgpack.Decoder(Intent)
EVENTS: msgspec.msgpack.Decoder[Event] = msgspec.msgpack.Decoder(Event)
"""Made on import, as `read_fields` says."""
