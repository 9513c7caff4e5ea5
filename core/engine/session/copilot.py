"""A person and an agent at one episode: who proposes, who decides, and what the record says of it."""

from __future__ import annotations

import time

import msgspec

from webbench.core.agent import Agent
from webbench.core.agents.advice import Advice
from webbench.core.dialects.dialect import ParseError
from webbench.core.engine.session import agent_turns
from webbench.core.engine.session.agent_turns import Interruption, Turn
from webbench.core.engine.session.edit_distance import edit_between
from webbench.core.episode.candidates import WordedCandidate
from webbench.core.episode.episode import Episode
from webbench.core.errors import UsageError
from webbench.core.guards.approval import Approval, why_ask
from webbench.core.provenance import Decision, Provenance
from webbench.core.trajectory import Actor, Step


class CoPilot:
    """Asks the agent, and carries out what the person decides.

    Attributes:
        agent: None while none is chosen. It isn't closed here.
        turn: its proposal that waits for the person.
        approval: before which of its actions the person is asked while it goes on by itself.
        going: it goes on by itself, perhaps after the person has decided on its proposal.
        interruption: stops it.
    """

    def __init__(self, episode: Episode, approval: Approval = "never") -> None:
        self.episode = episode
        self.agent: Agent | None = None
        self.turn: Turn | None = None
        self.approval: Approval = approval
        self.going = False
        self.interruption = Interruption()
        self._left: int | None = None

    @property
    def waiting(self) -> bool:
        """It would go on, but for the person's decision."""
        return self.going and self.turn is not None and bool(self.turn.asked)

    def choose(self, agent: Agent | None) -> None:
        """Another agent, or none; what the last one proposed is dropped."""
        self.agent, self.turn, self.going = agent, None, False

    async def ask_before(self, approval: Approval) -> None:
        """Of a proposal that waits, too; where nothing asks any more, the agent goes on by `run`."""
        self.approval = approval
        if self.turn is not None and self.waiting:
            self.turn = await self._ask(self.turn)

    async def propose(self) -> Turn | None:
        """Ask once; an open proposal stays: an agent's plan must not lose a step. None where interrupted.

        An agent that failed is asked again.
        """
        self.interruption.clear()
        if self.turn is None or self.turn.empty:
            self.turn = await agent_turns.propose(
                self.episode, self._chosen(), self.interruption, self._looked_at
            )
        else:
            self.episode.emit(self.turn.told)
        return self.turn

    def go(self, steps: int | None = None) -> None:
        """Let it go on by itself, for so many steps; `run` does."""
        self._chosen()
        self.interruption.clear()
        self.going, self._left = True, steps

    async def run(self) -> None:
        """Until the person is to be asked or interrupts, the steps are taken, or the episode ends."""
        agent = self._chosen()
        first = self.turn if self.turn is not None and not self.turn.empty else None
        if first is not None:
            first = await self._ask(first)
            self.episode.emit(first.told)
        self.turn = None
        self.turn = await agent_turns.run(
            self.episode,
            agent,
            steps=self._left,
            first=first,
            interruption=self.interruption,
            ask=self._ask,
            stepped=self._stepped,
        )
        self.going = self.waiting

    def stop(self) -> None:
        """It doesn't go on by itself any more; a proposal stays open."""
        self.going = False
        if self.turn is not None:
            self.turn = msgspec.structs.replace(self.turn, asked="")

    async def paused(self) -> None:
        """Note that a person stopped it, and whether a call was cut off."""
        when = " while it was thinking" if self.interruption.cut_off else ""
        name = self._chosen().name
        self.interruption.clear()
        provenance = Provenance(proposed_by=name, decision="paused")
        await self.episode.note(f"paused {name}{when}", Advice(provenance=provenance))

    async def accept(self, candidate: int = 0, *, confirmed: bool = False) -> None:
        """Carry a candidate out as the agent's own step. Raises `UsageError` where there is none."""
        turn = self._open()
        if turn.empty:
            raise UsageError(f"The agent {turn.agent} gave no action to accept: {turn.error}", "ask it again")
        _require(candidate, turn)
        if turn.candidates[candidate].guard and not confirmed:
            guard = turn.candidates[candidate].guard
            raise UsageError(f"The guard asks you to confirm it: {guard}", "confirm it, or reject it")
        self.turn = None
        decided = self._decided(turn, "picked" if candidate else "accepted", candidate)
        await agent_turns.take(
            self.episode, turn, candidate=candidate, provenance=decided, confirmed=confirmed
        )
        self._stepped()

    def candidate_of(self, text: str) -> int | None:
        """Which candidate of the open proposal has this text, None where none has."""
        texts = [one.text for one in self.turn.candidates] if self.turn is not None else []
        return texts.index(text) if text and text in texts else None

    async def act(
        self, text: str, *, actor: Actor = "human", edited: int | None = None, took_over: bool = False
    ) -> Step | ParseError:
        """Carry out the person's own action, in place of a proposal where one is open.

        Args:
            edited: the candidate that the person changed into this.
            took_over: the agent was going on by itself.

        A text that is no action leaves everything as it was. The agent goes on after an edit only.
        """
        turn = self.turn
        advice = Advice()
        if turn is not None:
            if edited is not None:
                _require(edited, turn)
            decision: Decision = "replaced" if edited is None else "edited"
            advice = self._advice(turn, decision, text, edited or 0)
        elif took_over and self.agent is not None:
            taken = Provenance(proposed_by=self.agent.name, decision="took over")
            advice = Advice(provenance=taken)
        by = actor if advice.provenance is None else "operator"
        done = await self.episode.act(text, actor=by, advice=advice)
        if isinstance(done, ParseError):
            return done
        self.turn = None
        if edited is None:
            self.going = False
        else:
            self._stepped()
        return done

    async def reject(self, reason: str) -> None:
        """Drop the proposal; the agent learns of it with its next view.

        Raises `UsageError` where there is none.
        """
        turn = self._open()
        self.turn = None
        texts = " | ".join(one.text for one in turn.candidates) or turn.error
        why = f"{texts}: {reason or 'no reason given'}"
        advice = Advice(
            proposal=turn.proposal,
            proposed=turn.text,
            seconds=turn.seconds,
            provenance=msgspec.structs.replace(self._decided(turn, "rejected"), reason=reason),
        )
        await self.episode.note(f"rejected the proposal {why}", advice)
        before = f"{self.episode.rejected}\n" if self.episode.rejected else ""
        self.episode.rejected = before + why

    async def _ask(self, turn: Turn) -> Turn:
        """With what the guard says of the candidates, and why the person is asked."""
        if turn.empty:
            return turn
        watched = tuple([await self._watched(one) for one in turn.candidates])
        asked = why_ask(self.approval, watched[0].action, self.episode.observation)
        if watched[0].guard:
            asked = f"guard: {watched[0].guard}"
        return msgspec.structs.replace(turn, candidates=watched, asked=asked)

    async def _looked_at(self, turn: Turn) -> Turn:
        """Of a proposal that the person asked for: what the guard says, and no question."""
        return msgspec.structs.replace(await self._ask(turn), asked="")

    async def _watched(self, one: WordedCandidate) -> WordedCandidate:
        episode = self.episode
        if one.action is None:
            return one
        risk = await episode.guard.risk(one.action, episode.environment, episode.observation)
        return msgspec.structs.replace(one, guard=risk.words if risk is not None else "")

    def _stepped(self) -> None:
        if self._left is not None:
            self._left -= 1
            self.going = self.going and self._left > 0

    def _advice(self, turn: Turn, decision: Decision, text: str, candidate: int) -> Advice:
        """What is kept of a proposal that a person changed or replaced."""
        decided = self._decided(turn, decision, candidate)
        if turn.empty:
            return Advice(seconds=turn.seconds, provenance=decided)
        chosen = turn.candidates[candidate]
        parsed = self.episode.dialect.parse(text)
        edit = edit_between(
            chosen.action or chosen.text,
            text if isinstance(parsed, ParseError) else parsed,
            self.episode.observation,
        )
        return Advice(
            proposal=msgspec.structs.replace(turn.proposal, malformed=""),
            proposed=chosen.text,
            seconds=turn.seconds,
            provenance=msgspec.structs.replace(
                decided, edit_distance=edit.distance, edit_share=round(edit.share, 3)
            ),
        )

    def _decided(self, turn: Turn, decision: Decision, candidate: int = 0) -> Provenance:
        """Decided just now."""
        deciding = round(time.monotonic() - turn.made, 3) if turn.made else 0.0
        return msgspec.structs.replace(turn.provenance(decision, candidate), deciding=deciding)

    def _open(self) -> Turn:
        if self.turn is None:
            raise UsageError("There is no proposal", "ask for one first")
        return self.turn

    def _chosen(self) -> Agent:
        if self.agent is None:
            raise UsageError("No agent is chosen", "choose one first")
        return self.agent


def _require(candidate: int, turn: Turn) -> None:
    if not 0 <= candidate < len(turn.candidates):
        raise UsageError(f"There is no candidate {candidate + 1}", f"there are {len(turn.candidates)}")
