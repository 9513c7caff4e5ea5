"""Bringing an episode to a recorded state: reset, then the recorded actions, matched by fingerprint."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from webbench.core.action.action import Action, Stop, Submit
from webbench.core.action.references import without_id
from webbench.core.action.words import action_words
from webbench.core.agent import Proposal
from webbench.core.agents.advice import Advice
from webbench.core.agents.resumed_state import unfit
from webbench.core.engine.session.page_likeness import page_likeness
from webbench.core.engine.wire import messages
from webbench.core.engine.wire.fork_report import PageLikeness, RepeatedStep
from webbench.core.episode.episode import Episode
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.observation import Observation
from webbench.core.store.secrets.redaction import MARKER
from webbench.core.trajectory import HUMAN, MIXED, Step, Trajectory

Look = Callable[[Step], Observation | None]


class Replay:
    """Repeats recorded actions in a started episode, to go on from there.

    Steps that had no effect when they were recorded are left out, and so is the action that ended the
    recorded episode. Notes are kept, and so is what an agent said for each step and its state, but not what
    that cost.

    Args:
        until: repeat no step after this one: a fork. Every page is compared with the recorded one then, and
            another page stops it.
        look: gives what was recorded of the page after a step; needed for a fork.

    Attributes:
        told: how far it came and what was left out, also after `run` has failed.

    Raises `UsageError` where there is no step `until`.
    """

    def __init__(
        self, episode: Episode, recorded: Trajectory, until: int | None = None, look: Look | None = None
    ) -> None:
        self._episode = episode
        self._recorded = recorded
        self._look = look if until is not None else None
        if until is not None:
            require_step(recorded, until)
        steps = [step for step in recorded.steps if until is None or step.index <= until]
        ending = _ending(recorded) if len(steps) == len(recorded.steps) else ""
        self._steps = steps[:-1] if ending else steps
        self.told = messages.Replayed(
            episode=recorded.header.episode,
            steps=0,
            failed=sum(not step.ok for step in self._steps),
            unreached=sum(map(_is_repeated, self._steps)),
            ending=ending,
            origin=recorded.origin_at(until) if until is not None else None,
        )

    async def run(self) -> None:
        """Repeat what can be repeated.

        Raises:
            WebbenchError: an action that had its effect then has none now, or a fork is on another page; says
                at which step and why.
        """
        self._episode.agent = self._agent()
        for step in self._steps:
            if self._episode.ended:
                break
            if step.index == 0:
                await self._compare(step, "the start", "")
            if step.note and step.action is None and not step.evidence:
                await self._episode.note(step.note)
            if step.action is not None and step.ok:
                await self._repeat(step, step.action)
        if self.told.origin is not None and not self._episode.ended:
            origin = self.told.origin
            told = f"fork of {origin.run}/{origin.episode} at step {origin.step}: {self.told.headline()}"
            await self._episode.note(told)
        if self.told.origin is None:
            self._episode.caught_up()

    def _agent(self) -> str:
        """Whose steps are repeated, "" for a person's; a fork by another is no attempt of that agent."""
        recorded, going_on = self._recorded.header.actor, self._episode.header.actor
        if recorded == HUMAN or self._recorded.header.mixed:
            return ""
        return MIXED if self.told.origin is not None and recorded != going_on else recorded

    async def _repeat(self, step: Step, action: Action) -> None:
        if MARKER in msgspec.json.encode(action).decode():
            raise WebbenchError(
                f"The replay stopped at step {step.index}: what was typed there was redacted in the record",
                "type it by hand and go on from here",
            )
        if why := unfit(step.agent_state):
            await self._episode.note(f"What the agent kept at step {step.index} is left out: {why}")
        thought = Proposal(
            reasoning=step.reasoning, prompt=step.prompt, reply=step.reply, state=step.agent_state
        )
        done = await self._episode.act_on(
            without_id(action),
            text=step.text,
            actor=step.actor,
            advice=Advice(
                proposal=thought, proposed=step.proposed, provenance=step.provenance, confirmed=True
            ),
        )
        if not done.ok:
            raise WebbenchError(
                f"The replay stopped at step {step.index} ({step.text}): {done.error}",
                "the page differs from the recording; go on from here by hand, or start again",
            )
        self.told = msgspec.structs.replace(
            self.told, steps=self.told.steps + 1, unreached=self.told.unreached - 1
        )
        await self._compare(step, action_words(action), done.matched_by)

    async def _compare(self, step: Step, words: str, matched_by: str) -> None:
        """Keep how the page compares with the recorded one, doubts in the record too; raises for another."""
        if self._look is None:
            return
        page = self._likeness(step)
        repeated = RepeatedStep(step=step.index, action=words, matched_by=matched_by, page=page)
        self.told = msgspec.structs.replace(self.told, walk=(*self.told.walk, repeated))
        if not repeated.sure and not self._episode.ended:
            await self._episode.note(f"fork, {repeated.headline()}")
        if page.state == "other":
            raise WebbenchError(
                f"The replay stopped at step {step.index} ({words}): {page.why}",
                "the task's site is not as it was; go on from here by hand, or start again",
            )

    def _likeness(self, step: Step) -> PageLikeness:
        assert self._look is not None
        return page_likeness(self._look(step), step.url, step.title, self._episode.observation)


def require_step(recorded: Trajectory, index: int) -> None:
    """Raises `UsageError` where the episode has no such step."""
    known = [step.index for step in recorded.steps]
    if index not in known:
        told = f"it has steps {known[0]} to {known[-1]}" if known else "its record has no steps"
        raise UsageError(f"There is no step {index} in {recorded.header.episode}", told)


def _is_repeated(step: Step) -> bool:
    return step.action is not None and step.ok


def _ending(recorded: Trajectory) -> str:
    """The text of the action that ended the recorded episode, "" where none did."""
    last = recorded.steps[-1] if recorded.steps else None
    ends = Stop | Submit if recorded.header.ended else Stop
    if last is None or not last.ok or not isinstance(last.action, ends):
        return ""
    return last.text or type(last.action).__name__.lower()
