"""What a person did in the browser's own window, as steps of an episode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from webbench.core.action.action import Noop
from webbench.core.action.words import action_words
from webbench.core.environment import StepResult, Watched
from webbench.core.trajectory import IN_THE_WINDOW, Seconds, Step, now

if TYPE_CHECKING:
    from webbench.core.episode.episode import Episode


async def by_hand(episode: Episode) -> list[Step]:
    """Steps that aren't recorded yet, in words and no language of actions; empty where nothing happened.

    The stage is told of each.
    """
    environment, idle = episode.environment, episode.idle.seconds
    done = await environment.done_by_hand() if isinstance(environment, Watched) else ()
    at = len(episode.steps)
    steps = [
        Step(index=at + number, at=now(), text=action_words(action), action=action)
        for number, action in enumerate(done)
    ]
    if not steps and await episode.sight.has_changed():
        steps = [Step(index=at, at=now(), text=IN_THE_WINDOW)]
    for step in steps:
        await episode.stage.acted(environment, StepResult(action=step.action or Noop()))
    return [msgspec.structs.replace(steps[0], seconds=Seconds(idle=idle)), *steps[1:]] if steps else []
