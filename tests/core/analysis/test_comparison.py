"""Recorded episodes side by side."""

from pathlib import Path

import pytest

from webbench.core.action import Action, Click, ElementRef, Stop
from webbench.core.analysis.comparison import compare
from webbench.core.errors import UsageError
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory


def click(name: str) -> Action:
    return Click(target=ElementRef(role="link", name=name))


def recorded(store: Store, actor: str, *actions: Action, task: str = "t") -> Trajectory:
    run = store.start_run("b", actor, 1)
    header = EpisodeHeader(
        run="", episode="", task=Task(benchmark="b", name=task), actor=actor, dialect="webarena"
    )
    recorder = store.recorder(run, header)
    recorder.write(Step(index=0, at="", url="http://s/start"))
    for index, action in enumerate(actions, 1):
        recorder.write(Step(index=index, at="", action=action, url=f"http://s/{index}"))
    recorder.finish(None, "the actor stopped")
    return store.load(recorder.folder.name)


def test_a_human_comes_first_and_the_rows_name_recorded_steps(tmp_path: Path) -> None:
    store = Store(tmp_path)
    agent = recorded(store, "agent", click("a"), click("b"), Stop(answer="1"))
    human = recorded(store, "human", click("a"), Stop(answer="2"))

    found = compare(store, [agent, human])

    assert [attempt.actor for attempt in found.attempts] == ["human", "agent"]
    assert [attempt.steps for attempt in found.attempts] == [(1, 2), (1, 2, 3)]
    assert found.alignment.rows[0].same
    assert found.divergence.first == 1
    store.close()


def test_only_attempts_at_one_task_can_be_compared(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one = recorded(store, "human", click("a"))
    other = recorded(store, "agent", click("a"), task="u")

    with pytest.raises(UsageError, match="different tasks: b t and b u"):
        compare(store, [one, other])
    with pytest.raises(UsageError, match="nothing to compare"):
        compare(store, [one])
    store.close()
