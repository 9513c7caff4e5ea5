"""What a run of many episodes gives back."""

from __future__ import annotations

import gc
import weakref

import pytest

from webbench.core.runner.memory import EPISODES, Tidying


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
