"""A person's sitting at an episode that a runner began and will end: the agent in it is only borrowed."""

from __future__ import annotations

import time

from webbench.core.agent import Agent
from webbench.core.engine.engine import Engine
from webbench.core.engine.session.agent_turns import Turn
from webbench.core.engine.session.copilot import CoPilot
from webbench.core.engine.session.session import Session
from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.engine.wire.messages import Emit
from webbench.core.episode.episode import Episode
from webbench.core.errors import UsageError
from webbench.core.settings.load_settings import load_settings

ELSEWHERE = (
    messages.StartEpisode
    | messages.KeepEpisode
    | messages.ChooseAgent
    | messages.WarmUp
    | catalogue_messages.ListTasks
    | catalogue_messages.ListUnfinished
    | catalogue_messages.ListProblems
    | catalogue_messages.ReadTask
)
"""Intents that would put another task or agent in the place of the runner's."""


class TakenOver(Session):
    """Handles a person's intents in a runner's episode, until `release`.

    Args:
        emit: what tells the person; events of the episode itself come to it by the runner.
        turn: what the agent had proposed when it was stopped, None where nothing is open.
    """

    def __init__(self, engine: Engine, emit: Emit, episode: Episode, agent: Agent, turn: Turn | None) -> None:
        super().__init__(engine, emit)
        self.episode = episode
        self._copilot = copilot = CoPilot(episode, load_settings().approval)
        copilot.choose(agent)
        copilot.turn, self._spec = turn, agent.name
        self._dialect = episode.dialect
        self.heard = time.monotonic()
        """When the person last sent something."""

    def announce(self, intent: messages.Intent) -> None:
        self.heard = time.monotonic()
        super().announce(intent)

    def begin(self) -> None:
        """Tell who is at work, and what the agent was about to do."""
        self._announce()
        turn = self._at_work().turn
        if turn is not None:
            self.emit(turn.told)

    async def close(self) -> None:
        """Stop the agent; it and the episode stay the runner's."""
        await self._stop_agent()

    async def release(self) -> Turn | None:
        """Leave the episode as an agent expects it; what it had proposed, if that still holds."""
        await self.close()
        if self.episode is not None:
            self.episode.dialect = self._dialect
        copilot = self._at_work()
        copilot.stop()
        return copilot.turn

    async def _dispatch(self, intent: messages.Intent) -> None:
        if isinstance(intent, ELSEWHERE):
            raise UsageError(
                "This is an episode of a running batch: its task and its agent stay",
                "hand it back first; the library starts other tasks",
            )
        await super()._dispatch(intent)
