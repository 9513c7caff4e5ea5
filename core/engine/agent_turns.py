"""Letting an agent take its turns in an episode: propose, parse, act, until done, paused or at a limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable

import msgspec

from webbench.core.agents.contract import Agent, Proposal
from webbench.core.dialects.contract import ParseError
from webbench.core.dialects.wording import wording
from webbench.core.engine.messages import Progress, Proposed, Trouble
from webbench.core.episode import Episode
from webbench.core.errors import AgentFailed, WebbenchError
from webbench.core.spending import spent_for
from webbench.core.trajectory import MIXED

_LETTING_GO_SECONDS = 5.0
"""How long an agent that isn't waited for any more may take to end what it began."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal as text of the episode's dialect, and how long the agent took for it."""

    agent: str
    proposal: Proposal
    text: str
    seconds: float
    error: str = ""
    """Why the text is no action, or why the agent had none."""

    @property
    def empty(self) -> bool:
        """The agent gave nothing that could be carried out or counted."""
        return not self.text and self.proposal.action is None and not self.proposal.malformed


class Interruption:
    """How a person stops an agent: at once while it thinks, after the step in flight while it acts."""

    def __init__(self) -> None:
        self.requested = False
        self._thinking: asyncio.Future[Proposal] | None = None

    def request(self) -> None:
        """Stop as soon as no action is half done."""
        self.requested = True
        if self._thinking is not None:
            self._thinking.cancel()

    def clear(self) -> None:
        self.requested = False

    async def think(self, work: Awaitable[Proposal]) -> Proposal | None:
        """The proposal, or None where the person didn't wait for it."""
        self._thinking = asyncio.ensure_future(work)
        try:
            return await self._thinking
        except asyncio.CancelledError:
            if self.requested and self._thinking.cancelled():
                return None
            self._thinking.cancel()
            await asyncio.wait([self._thinking], timeout=_LETTING_GO_SECONDS)
            raise
        finally:
            self._thinking = None


async def propose(episode: Episode, agent: Agent, interruption: Interruption) -> Turn | None:
    """Ask the agent once; one that fails proposes nothing and says why.

    None where it was interrupted, and where a limit of time, tokens or cost ended the episode.
    """
    if limit := episode.limits.out_of_budget():
        await episode.finish(limit)
        return None
    episode.emit(Progress(text=f"{agent.name} is thinking", stage="agent"))
    started = time.monotonic()
    try:
        async with asyncio.timeout(episode.limits.seconds_left) as deadline:
            proposal = await interruption.think(agent.propose(episode.view()))
    except TimeoutError:
        if not deadline.expired():
            raise
        await episode.finish(episode.limits.out_of_budget())
        return None
    except WebbenchError as error:
        spent = time.monotonic() - started
        failed = Proposal(calls=error.calls if isinstance(error, AgentFailed) else ())
        turn = Turn(agent=agent.name, proposal=failed, text="", seconds=spent, error=str(error))
        if failed.calls:
            _pay(episode, agent, failed)
    else:
        if proposal is None:
            episode.emit(Progress(text="", stage="idle"))
            return None
        _pay(episode, agent, proposal)
        turn = _worded(episode, agent, proposal, time.monotonic() - started)
    episode.emit(Proposed(proposal=turn.proposal, text=turn.text, error=turn.error))
    episode.emit(Progress(text="", stage="idle"))
    return turn


def _pay(episode: Episode, agent: Agent, proposal: Proposal) -> None:
    unknown = episode.limits.pay(spent_for(proposal))
    if unknown:
        message = f"The agent {agent.name} doesn't tell its {unknown}, so their limit can't be kept"
        episode.emit(Trouble(message=message, hint="limit its steps or seconds", warning=True))


def _worded(episode: Episode, agent: Agent, proposal: Proposal, seconds: float) -> Turn:
    text = proposal.text or (wording(episode.dialect, proposal.action) if proposal.action else "")
    error = proposal.malformed
    if proposal.action is None and not error:
        parsed = episode.dialect.parse(text)
        error = parsed.reason if isinstance(parsed, ParseError) else ""
    return Turn(agent=agent.name, proposal=proposal, text=text, seconds=seconds, error=error)


async def take(episode: Episode, turn: Turn) -> None:
    """Carry out a proposal as the agent's own step."""
    episode.agent = turn.agent if episode.agent in ("", turn.agent) else MIXED
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
    episode: Episode,
    agent: Agent,
    *,
    steps: int | None = None,
    first: Turn | None = None,
    interruption: Interruption | None = None,
) -> Turn | None:
    """Propose and act until the episode ends, `steps` are taken, or a person interrupts.

    Args:
        first: a proposal that was made before and not carried out yet.

    Returns the proposal that was left over by an interruption. An agent that can't propose any more
    ends the episode as not scored, with its reason.
    """
    interruption = interruption or Interruption()
    turn, taken = first, 0
    while not episode.ended and (steps is None or taken < steps):
        turn = turn or await propose(episode, agent, interruption)
        if turn is None or interruption.requested:
            return turn
        if turn.empty:
            if turn.proposal.calls:
                await episode.record_failure(turn.error, turn.proposal, turn.seconds)
            await episode.fail(f"the agent {agent.name} gave no action: {turn.error}")
            return None
        await take(episode, turn)
        turn, taken = None, taken + 1
        if interruption.requested:
            return None
    return None
