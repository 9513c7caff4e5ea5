"""Solves every demo task through the page, as a careful person would."""

from __future__ import annotations

from webbench.benchmarks.demo.agents.moves import Move, button
from webbench.benchmarks.demo.agents.plans import plan
from webbench.core.action import ElementRef, Noop, Stop
from webbench.core.agents.contract import AgentView, Proposal
from webbench.core.observation import Observation
from webbench.core.task import Task

PATIENCE = 4
"""How often it looks again for an element that isn't there yet, and repeats a move that failed."""

COOKIES = button("Only necessary")


class DemoOracle:
    name = "oracle"

    def __init__(self, task: Task) -> None:
        self._moves = list(plan(task))
        self._next = 0
        self._waited = 0
        self._repeated = 0
        self._move: Proposal | None = None

    async def propose(self, view: AgentView) -> Proposal:
        """The next move. One that was rejected, or replaced by a person's own, is proposed again."""
        if view.last_proposal is self._move:
            self._note_moved(failed=bool(view.last_error))
        self._move = None
        banner = None if view.observation.dialog else self._proposal(COOKIES, view.observation)
        if banner is not None:
            return banner
        if self._next >= len(self._moves):
            return Proposal(action=Stop(), reasoning="everything is done")
        return self._next_move(view.observation)

    def _note_moved(self, *, failed: bool) -> None:
        """Go on, or stay at a move that failed as long as there is patience for it."""
        if failed and self._repeated < PATIENCE:
            self._repeated += 1
            return
        if not failed:
            self._repeated = 0
        self._next += 1

    def _next_move(self, observation: Observation) -> Proposal:
        move = self._moves[self._next]
        self._move = self._proposal(move, observation)
        if self._move is None:
            self._waited += 1
            missing = f"no {move.role} {move.name!r} on the page"
            if self._waited > PATIENCE:
                return Proposal(action=Stop(), reasoning=missing)
            return Proposal(action=Noop(seconds=0.3), reasoning=f"{missing} yet")
        self._waited = 0
        return self._move

    def _proposal(self, move: Move, observation: Observation) -> Proposal | None:
        """The move on its element, None while the page doesn't show that."""
        if not move.role:
            return Proposal(action=move.build(ElementRef()))
        node = move.find(observation)
        if node is None:
            return None
        return Proposal(action=move.build(ElementRef(id=node.id)))

    async def close(self) -> None:
        """Nothing to give back."""
