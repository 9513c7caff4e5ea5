"""What a screen knows of a live episode: engine events folded into one state. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.episode.utterances import spoken_in
from webbench.core.guards.approval import Approval
from webbench.core.observation import Observation, PageMessage
from webbench.core.score.score import Score
from webbench.core.trajectory import LEFT_UNFINISHED, EpisodeHeader, Step

KEPT_MESSAGES = 5_000


@dataclass(frozen=True, slots=True)
class EpisodeState:
    """One immutable picture of the episode.

    `changed` names the fields that the last event touched, so that a screen updates only these.
    """

    header: EpisodeHeader | None = None
    observation: Observation | None = None
    picture: messages.Pictured | None = None
    score: Score | None = None
    previous_score: Score | None = None
    steps: tuple[Step, ...] = ()
    page_messages: tuple[PageMessage, ...] = ()
    progress: str = ""
    stage: str = "idle"
    agent: str = ""
    agent_spec: str = ""
    """What it was chosen by: "name option ..."."""
    agent_running: bool = False
    agent_waiting: bool = False
    """It goes on when the person has decided on its proposal."""
    approval: Approval | None = None
    """None until the engine tells it, with what it says of an agent."""
    proposal: messages.Proposed | None = None
    refusal: messages.ActionRefused | None = None
    trouble: messages.Trouble | None = None
    ended: str = ""
    changed: frozenset[str] = field(default_factory=frozenset)

    @property
    def agent_going(self) -> bool:
        """It goes on by itself, at once or after the person's decision."""
        return self.agent_running or self.agent_waiting

    @property
    def agent_at_work(self) -> bool:
        """It goes on by itself, or is asked for a proposal: there is something to pause."""
        return self.agent_going or self.stage == "agent"

    @property
    def under_way(self) -> bool:
        """Something was done or written in it, or an agent was asked, which may have cost calls of models."""
        asked = self.agent_at_work or self.proposal is not None
        return asked or any(step.is_work for step in self.steps)

    @property
    def last_effect(self) -> Step | None:
        """The last step that had an effect, which `undo` takes back."""
        return next((step for step in reversed(self.steps) if step.action is not None and step.ok), None)

    @property
    def busy(self) -> bool:
        return self.stage != "idle"


def fold(state: EpisodeState, event: messages.Event) -> EpisodeState:
    """The state after an event."""
    match event:
        case messages.EpisodeStarted(header=header):
            fresh = EpisodeState(progress=state.progress, stage=state.stage)
            return _with(fresh, header=header, agent="", steps=(), score=None, observation=None, ended="")
        case messages.Observed(observation=observation):
            page_messages = (*state.page_messages, *observation.messages)[-KEPT_MESSAGES:]
            return _with(state, observation=observation, page_messages=page_messages)
        case messages.Pictured():
            return _with(state, picture=event)
        case messages.Scored(score=score):
            return _with(state, score=score, previous_score=state.score)
        case messages.StepRecorded(step=step):
            kept = slim(step, after=state.steps[-1] if state.steps else None)
            if spoken_in(step.note):  # somebody spoke meanwhile: what is open stays open
                return _with(state, steps=(*state.steps, kept))
            return _with(state, steps=(*state.steps, kept), proposal=None, refusal=None)
        case messages.Progress(text=text, stage=stage):
            return _with(state, progress=text, stage=stage)
        case messages.AgentChanged():
            return _with(state, **_at_work(state, event))
        case messages.Proposed():
            return _with(state, proposal=event)
        case messages.ActionRefused():
            return _with(state, refusal=event)
        case messages.EpisodeEnded(header=header):
            over = {"agent_running": False, "agent_waiting": False}
            return _with(state, header=header, ended=header.end_reason, **over)
        case messages.EpisodeKept(header=header):
            over = {"agent_running": False, "agent_waiting": False}
            return _with(state, header=header, ended=LEFT_UNFINISHED, **over)
        case messages.Trouble():
            return _with(state, trouble=event)
        case messages.Replayed() | catalogue_messages.TaskRead() | messages.VerdictWanted():
            return _with(state)
        case messages.AnswerPreviewed() | messages.FiguresCounted():
            return _with(state)
        case (
            catalogue_messages.TasksListed()
            | catalogue_messages.ProblemsListed()
            | catalogue_messages.ResultsListed()
        ):
            return _with(state)
        case catalogue_messages.UnfinishedListed():
            return _with(state)


def slim(step: Step, after: Step | None = None) -> Step:
    """A step without what no screen shows, so that long episodes stay small; the record has it all.

    Args:
        after: the step before it, whose score, address and title are kept once where they stay the same.
    """
    calls = tuple(msgspec.structs.replace(call, messages=()) for call in step.calls)
    kept = msgspec.structs.replace(step, evidence={}, messages=(), prompt="", calls=calls)
    if after is None:
        return kept
    return msgspec.structs.replace(
        kept,
        score=after.score if after.score == kept.score else kept.score,
        url=after.url if after.url == kept.url else kept.url,
        title=after.title if after.title == kept.title else kept.title,
    )


def _with(state: EpisodeState, **changes: Any) -> EpisodeState:
    """The state with other values in these fields, which it names as changed."""
    return replace(state, **changes, changed=frozenset(changes))


def _at_work(state: EpisodeState, event: messages.AgentChanged) -> dict[str, Any]:
    """Another agent has nothing to do with what the last one proposed."""
    return {
        "agent": event.name,
        "agent_spec": event.spec,
        "agent_running": event.running,
        "agent_waiting": event.waiting,
        "approval": event.approval,
        "proposal": state.proposal if event.name == state.agent else None,
    }
