"""Letting an agent take its turns in an episode: propose, parse, act, until done, paused or at a limit."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from webbench.core.agents.contract import Agent, Proposal
from webbench.core.dialects.contract import ParseError
from webbench.core.dialects.wording import wording
from webbench.core.engine.messages import Progress, Proposed
from webbench.core.episode import Episode
from webbench.core.errors import WebbenchError


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal as text of the episode's dialect, and how long the agent took for it."""

    proposal: Proposal
    text: str
    seconds: float
    error: str = ""
    """Why the text is no action, or why the agent had none."""


async def propose(episode: Episode, agent: Agent) -> Turn:
    """Ask the agent once. An agent that fails proposes nothing and says why."""
    episode.emit(Progress(text=f"{agent.name} is thinking", stage="agent"))
    started = time.monotonic()
    try:
        proposal = await agent.propose(episode.view())
    except WebbenchError as error:
        turn = Turn(proposal=Proposal(), text="", seconds=time.monotonic() - started, error=str(error))
    else:
        seconds = time.monotonic() - started
        text = proposal.text or (wording(episode.dialect, proposal.action) if proposal.action else "")
        parsed = episode.dialect.parse(text)
        error_text = parsed.reason if isinstance(parsed, ParseError) and proposal.action is None else ""
        turn = Turn(proposal=proposal, text=text, seconds=seconds, error=error_text)
    episode.emit(Proposed(proposal=turn.proposal, text=turn.text, error=turn.error))
    episode.emit(Progress(text="", stage="idle"))
    return turn


async def take(episode: Episode, turn: Turn) -> None:
    """Carry out a proposal as the agent's own step."""
    if turn.proposal.action is not None and not turn.proposal.text:
        await episode.act_on(
            turn.proposal.action,
            text=turn.text,
            actor="agent",
            proposal=turn.proposal,
            agent_seconds=turn.seconds,
        )
        return
    await episode.act(turn.text, actor="agent", proposal=turn.proposal, agent_seconds=turn.seconds)


async def run(
    episode: Episode, agent: Agent, *, steps: int | None = None, paused: Callable[[], bool] = lambda: False
) -> None:
    """Propose and act until the episode ends, `steps` are taken, or `paused()` says so.

    An agent that can't propose any more ends the episode as not scored, with its reason.
    """
    taken = 0
    while not episode.ended and not paused() and (steps is None or taken < steps):
        turn = await propose(episode, agent)
        if paused():
            return
        if turn.error and not turn.text and turn.proposal.action is None:
            await episode.fail(f"the agent {agent.name} gave no action: {turn.error}")
            return
        await take(episode, turn)
        taken += 1
