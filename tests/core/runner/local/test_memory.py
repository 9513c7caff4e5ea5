"""What a run of many episodes gives back."""

from __future__ import annotations

import gc
import weakref

import pytest

from tests.core.runner.rooms import Rooms
from webbench.core.engine.engine import Engine
from webbench.core.runner.local import memory
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.local.memory import EPISODES, Tidying
from webbench.core.runner.plan.new_run import BatchRequest, new_run
from webbench.core.runner.player import PlayRequest
from webbench.core.store.store import Store


class Circle:
    def __init__(self) -> None:
        self.itself = self


def test_circles_of_objects_go_after_some_episodes(request: pytest.FixtureRequest) -> None:
    request.addfinalizer(gc.enable)
    gc.disable()
    tidying = Tidying()
    left = weakref.ref(Circle())
    for _ in range(EPISODES - 1):
        tidying.ended()
    assert left() is not None
    tidying.ended()
    assert left() is None


class Told:
    """Who hears of an attempt."""

    def opened(self, request: PlayRequest, episode: str, worker: str = "") -> None:
        self.episode = episode

    def trouble(self, text: str) -> None:
        raise AssertionError(text)


async def test_whoever_plays_episodes_tidies_for_nodes_of_a_cluster_have_no_runner(
    store: Store, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(memory, "EPISODES", 1)
    request.addfinalizer(gc.enable)
    rooms = Rooms("quick")
    run = new_run(store, BatchRequest(benchmark=rooms, tasks=rooms.tasks(), agent="oracle"))
    player = LocalPlayer(Engine(store), rooms)
    gc.disable()
    left = weakref.ref(Circle())
    played = await player.play(PlayRequest(run=run, order=0, task=rooms.tasks()[0], agent="oracle"), Told())
    assert played.score.value == 1
    assert left() is None
