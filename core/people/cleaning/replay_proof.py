"""The replay proof: a cleaned copy is played on the task's own pages, to see whether it reaches its score.

WebCanvas' authors play recorded ways again for the same reason (their maintenance, appendix I). The replay is
recorded in a store of its own, so that it is no attempt of anybody.
"""

from __future__ import annotations

from collections.abc import Callable

from webbench.core.action.action import Stop, Submit
from webbench.core.action.references import without_id
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.engine.engine import Engine, EpisodeRequest
from webbench.core.engine.session.replaying import Replay
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import WebbenchError
from webbench.core.people.cleaning.cleaned_copy import Proof
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.trajectory import Trajectory

Find = Callable[[], Benchmark]
"""Gives the benchmark, or raises why it isn't here."""


async def prove(engine: Engine, find: Find, copy: Trajectory) -> Proof:
    """Play the edited steps and hold the score against the original's; every failure is a state, none raises.

    Args:
        engine: with a store that is thrown away.
    """
    original = copy.header.score
    if original is None or original.value is None:
        return Proof(state="not possible", why="the original has no score that could be reached")
    try:
        benchmark = find()
        task = _task(benchmark, copy.header.task)
        await engine.browser()
    except WebbenchError as error:
        return Proof(state="not possible", why=error.message)
    try:
        score = await _played(engine, benchmark, task, copy)
    except WebbenchError as error:
        return Proof(state="stopped", why=error.message)
    if score.value is None:
        return Proof(state="not possible", why=f"the replay has no score: {score.headline()}")
    same = score.value == original.value
    return Proof(state="same score" if same else "other score", reached=score.value, why=score.reason)


def _task(benchmark: Benchmark, recorded: Task) -> Task:
    """The task as it is now; the recorded one where it is not in the list."""
    known = benchmark.tasks(names=(recorded.name,), instances=(recorded.instance or 0) + 1)
    return next((task for task in known if task.id == recorded.id), recorded)


async def _played(engine: Engine, benchmark: Benchmark, task: Task, copy: Trajectory) -> Score:
    run = engine.store.start_run(benchmark.name, copy.header.actor, 1, (task.id,))
    options = EpisodeOptions(rules=copy.header.rules, live_score=False, pictures=False, html=False)
    request = EpisodeRequest(benchmark=benchmark, task=task, run=run, options=options, reset=True)
    async with engine.episode(request) as episode:
        await episode.start()
        replay = Replay(episode, copy)
        await replay.run()
        last = copy.steps[-1].action
        if replay.told.ending and isinstance(last, Stop | Submit) and not episode.ended:
            await episode.act_on(without_id(last))
        return await episode.finish("the replay came to its end")
