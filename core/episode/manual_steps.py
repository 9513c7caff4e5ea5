"""What a person did in the browser's own window, as steps of an episode."""

from __future__ import annotations

import msgspec

from webbench.core.action.action import Noop
from webbench.core.action.words import action_words
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment, StepResult, Watched
from webbench.core.episode.perception import Sight
from webbench.core.trajectory import IN_THE_WINDOW, Seconds, Step, now


async def by_hand(environment: Environment, stage: Stage, sight: Sight, at: int, idle: float) -> list[Step]:
    """Steps that aren't recorded yet, in words and no language of actions; empty where nothing happened.

    The stage is told of each.

    Args:
        at: index of the first of them.
        idle: seconds in which nobody worked on the episode before.
    """
    done = await environment.done_by_hand() if isinstance(environment, Watched) else ()
    steps = [
        Step(index=at + number, at=now(), text=action_words(action), action=action)
        for number, action in enumerate(done)
    ]
    if not steps and await sight.has_changed():
        steps = [Step(index=at, at=now(), text=IN_THE_WINDOW)]
    for step in steps:
        await stage.acted(environment, StepResult(action=step.action or Noop()))
    return [msgspec.structs.replace(steps[0], seconds=Seconds(idle=idle)), *steps[1:]] if steps else []
