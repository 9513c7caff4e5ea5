"""The oracle of MiniWoB++: follows the plan of its environment, by actions that any actor has."""

from __future__ import annotations

from webbench.benchmarks.miniwob.plans.sight import Plan, Sight
from webbench.benchmarks.miniwob.plans.table import PLANS, WITHOUT
from webbench.core.action.action import Action, AnswerDialog, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.errors import ActionFailed, UsageError
from webbench.core.task import Task

PATIENCE = 3
"""How often an action that failed is proposed."""


class MiniWobOracle:
    """Proposes a plan's actions in order; what was rejected, or replaced by a person's own, once more.

    One that is made anew in mid-episode begins its plan again, on the page as it is then.
    """

    name = "oracle"

    def __init__(self, task: Task) -> None:
        if task.name not in PLANS:
            reason = WITHOUT.get(task.name, "nobody wrote its plan")
            raise UsageError(f"{task.name} of MiniWoB++ has no oracle: {reason}", "choose another agent")
        self._planner = PLANS[task.name]
        self._sight: Sight | None = None
        self._plan: Plan | None = None
        self._proposed: Proposal | None = None
        self._tries = 0

    async def propose(self, view: AgentView) -> Proposal:
        if view.observation.dialog is not None:
            return Proposal(action=AnswerDialog(accept=True), reasoning="the page waits for an answer")
        if self._sight is None:
            self._sight = Sight(view)
            self._plan = self._planner(self._sight)
        self._sight.view = view
        if self._proposed is None:
            self._proposed = self._next()
        elif view.carried.proposal is self._proposed:
            self._tries += 1
            again = bool(view.carried.error) and self._tries < PATIENCE
            self._proposed = self._again() if again else self._next(view.carried.error)
        return self._proposed

    async def close(self) -> None:
        """Nothing to give back."""

    def _next(self, error: str = "") -> Proposal:
        """What follows an action, which may have failed as often as it was tried, with this error."""
        self._tries = 0
        assert self._plan is not None
        try:
            action: Action = next(self._plan)
        except StopIteration:
            failed = f": its last action failed {PATIENCE} times ({error})" if error else ""
            return Proposal(action=Stop(), reasoning=f"the plan ends here{failed}")
        except (ActionFailed, LookupError, ValueError) as fault:
            told = fault.message if isinstance(fault, ActionFailed) else f"{type(fault).__name__}: {fault}"
            return Proposal(action=Stop(), reasoning=f"the page is not as the plan expects: {told}")
        return Proposal(action=action, reasoning="the plan's next action")

    def _again(self) -> Proposal:
        """A proposal of its own, so that it is known whether it was carried out."""
        assert self._proposed is not None
        return Proposal(action=self._proposed.action, reasoning="it had no effect the first time")
