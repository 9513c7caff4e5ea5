"""Letting an agent take its turns in an episode: propose, parse, act, until done, paused or at a limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import msgspec

from webbench.core.agent import Agent, Drives, Hands, Proposal, reach_of
from webbench.core.agents.advice import Advice
from webbench.core.agents.model.cancelled_calls import collecting
from webbench.core.agents.resumed_state import unfit
from webbench.core.engine.wire.messages import Progress, Proposed, Trouble
from webbench.core.episode.candidates import WordedCandidate, worded_candidates
from webbench.core.episode.episode import Episode
from webbench.core.errors import AgentFailed, WebbenchError
from webbench.core.model_call import ModelCall
from webbench.core.models.spending import Spent, spent_for
from webbench.core.provenance import Decision, Provenance
from webbench.core.time_limit import time_limit
from webbench.core.trajectory import MIXED

_LETTING_GO_SECONDS = 5.0
"""How long an agent that isn't waited for any more may take to end what it began."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal in words of the episode's dialect, and how long the agent took for it.

    Attributes:
        candidates: what it would do, the one it wants most first; empty where it failed.
        error: why the first is no action, or why the agent had none.
        asked: why a person is asked before it is carried out, "" where nobody is.
        made: when, by `time.monotonic`.
        hands: of an agent that does itself what it proposed; None = it is done for it.
    """

    agent: str
    proposal: Proposal
    candidates: tuple[WordedCandidate, ...] = ()
    seconds: float
    error: str = ""
    asked: str = ""
    made: float = 0.0
    hands: Hands | None = None

    @property
    def text(self) -> str:
        """Of the candidate that it wants most."""
        return self.candidates[0].text if self.candidates else ""

    @property
    def empty(self) -> bool:
        """The agent gave nothing that could be carried out or counted."""
        return not self.candidates

    @property
    def told(self) -> Proposed:
        """As an event; its state is the agent's own affair."""
        return Proposed(
            proposal=msgspec.structs.replace(self.proposal, state={}),
            text=self.text,
            error=self.error,
            candidates=self.candidates,
            asked=self.asked,
        )

    def provenance(self, decision: Decision, candidate: int = 0) -> Provenance:
        """Of a step that this proposal led to."""
        texts = tuple(one.text for one in self.candidates)
        return Provenance(
            proposed_by=self.agent,
            decision=decision,
            candidates=texts if len(texts) > 1 else (),
            candidate=candidate,
            asked=self.asked,
        )


Ask: TypeAlias = Callable[[Turn], Awaitable[Turn]]
"""Fills in `asked`, and what the guard says of the candidates."""


class Interruption:
    """How a person stops an agent: at once while it thinks, after the step in flight while it acts."""

    def __init__(self) -> None:
        self.requested = False
        self.cut_off = False
        """An agent was thinking when it was requested: its call was cancelled."""
        self._thinking: asyncio.Future[Proposal] | None = None

    def request(self) -> None:
        """Stop as soon as no action is half done."""
        self.requested = True
        if self._thinking is not None:
            self.cut_off = True
            self._thinking.cancel()

    def clear(self) -> None:
        self.requested = self.cut_off = False

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


async def propose(
    episode: Episode, agent: Agent, interruption: Interruption, ask: Ask | None = None
) -> Turn | None:
    """Ask the agent once; one that fails proposes nothing and says why.

    None where it was interrupted, and where a limit of time, tokens or cost ended the episode.
    """
    if limit := episode.limits.out_of_budget():
        await episode.finish(limit)
        return None
    episode.emit(Progress(text=f"{agent.name} is thinking", stage="agent"))
    episode.tell_reach(reach_of(agent))
    started, view = time.monotonic(), episode.view()
    cut_off: list[ModelCall] = []
    deadline = time_limit(episode.limits.seconds_left)
    try:
        with collecting(cut_off):
            async with deadline:
                proposal = await interruption.think(agent.propose(view))
    except TimeoutError:
        if not deadline.expired():
            raise
        await _keep_cut_off(episode, agent, cut_off, time.monotonic() - started)
        await episode.finish(episode.limits.out_of_budget())
        return None
    except WebbenchError as error:
        await _give_notice(episode, view.notices)
        turn = await _failed(episode, agent, error, time.monotonic() - started)
    else:
        why = unfit(proposal.state) if proposal is not None else ""
        unkept = [f"The state that {agent.name} gave can't be kept: {why}"] if why else []
        await _give_notice(episode, [*view.notices, *unkept])
        if proposal is None:
            await _keep_cut_off(episode, agent, cut_off, time.monotonic() - started)
            episode.emit(Progress(text="", stage="idle"))
            return None
        _pay(episode, agent, proposal)
        turn = _worded(episode, agent, proposal, time.monotonic() - started)
    if ask is not None:
        turn = await ask(turn)
    episode.emit(turn.told)
    episode.emit(Progress(text="", stage="idle"))
    return turn


async def _give_notice(episode: Episode, notices: Sequence[str]) -> None:
    """Tell and record what is to be known of an agent's state, each once in an episode."""
    for notice in notices:
        if not episode.ended and notice not in episode.noticed:
            episode.noticed.add(notice)
            await episode.note(notice)
            episode.emit(Trouble(message=notice, hint="", warning=True))


async def _failed(episode: Episode, agent: Agent, error: WebbenchError, seconds: float) -> Turn:
    """A turn without a proposal; calls of models that were made in vain are recorded at once."""
    calls = error.calls if isinstance(error, AgentFailed) else ()
    if calls:
        await episode.record_failure(str(error), _in_vain(episode, agent, calls, seconds))
    return Turn(agent=agent.name, proposal=Proposal(), seconds=seconds, error=str(error))


async def _keep_cut_off(episode: Episode, agent: Agent, calls: Sequence[ModelCall], seconds: float) -> None:
    """Note that nobody waited for a turn, with the calls of models in it."""
    if calls and not episode.ended:
        why = f"{agent.name} was cut off while it was thinking"
        await episode.note(why, _in_vain(episode, agent, tuple(calls), seconds))


def _in_vain(episode: Episode, agent: Agent, calls: tuple[ModelCall, ...], seconds: float) -> Advice:
    """Calls that led to no proposal, paid for as far as it is known what they took."""
    vain = Proposal(calls=calls)
    if spent_for(vain) != Spent():
        _pay(episode, agent, vain)
    return Advice(proposal=vain, seconds=seconds)


def _pay(episode: Episode, agent: Agent, proposal: Proposal) -> None:
    unknown = episode.limits.pay(spent_for(proposal))
    if unknown:
        message = f"The agent {agent.name} doesn't tell its {unknown}, so their limit can't be kept"
        episode.emit(Trouble(message=message, hint="limit its steps or seconds", warning=True))


def _worded(episode: Episode, agent: Agent, proposal: Proposal, seconds: float) -> Turn:
    candidates = worded_candidates(episode.dialect, proposal)
    return Turn(
        agent=agent.name,
        proposal=proposal,
        candidates=candidates if candidates[0].text or proposal.malformed else (),
        seconds=seconds,
        error=candidates[0].error,
        made=time.monotonic(),
        hands=agent.carry_out if isinstance(agent, Drives) else None,
    )


async def take(
    episode: Episode,
    turn: Turn,
    *,
    candidate: int = 0,
    provenance: Provenance | None = None,
    confirmed: bool = False,
) -> None:
    """Carry out a proposal as the agent's own step; by itself, where no provenance says who decided."""
    episode.agent = turn.agent if episode.agent in ("", turn.agent) else MIXED
    chosen = turn.candidates[candidate]
    proposal = turn.proposal
    if candidate:
        proposal = msgspec.structs.replace(
            proposal,
            text=chosen.text,
            action=chosen.action,
            reasoning=chosen.reasoning,
            malformed="",
        )
    advice = Advice(
        proposal=proposal,
        seconds=turn.seconds,
        provenance=provenance or turn.provenance("alone"),
        confirmed=confirmed,
        hands=turn.hands,
    )
    if chosen.action is None:
        await episode.act(chosen.text, actor="agent", advice=advice)
    else:
        await episode.act_on(chosen.action, text=chosen.text, actor="agent", advice=advice)


async def run(
    episode: Episode,
    agent: Agent,
    *,
    steps: int | None = None,
    first: Turn | None = None,
    interruption: Interruption | None = None,
    ask: Ask | None = None,
    stepped: Callable[[], None] = lambda: None,
) -> Turn | None:
    """Propose and act until the episode ends, `steps` are taken, a person interrupts or is to be asked.

    Args:
        first: a proposal that was made before and not carried out yet.
        ask: says of a proposal why a person is asked first; None = nobody is.
        stepped: called after every step.

    Returns the proposal that was left over: by an interruption, or because a person is to be asked. An agent
    that can't propose any more ends the episode as not scored, with its reason; beside a person its failure
    is left over, and the person decides what becomes of the episode.
    """
    interruption = interruption or Interruption()
    turn, taken = first, 0
    while not episode.ended and (steps is None or taken < steps):
        turn = turn or await propose(episode, agent, interruption, ask)
        if turn is None or interruption.requested or turn.asked:
            return turn
        if turn.empty:
            if ask is not None:
                return turn
            await episode.fail(f"the agent {agent.name} gave no action: {turn.error}")
            return None
        await take(episode, turn)
        turn, taken = None, taken + 1
        stepped()
        if interruption.requested:
            return None
    return None
