"""A closed screen leaves nothing in memory: neither itself nor its painted rows."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from textual.screen import Screen
from textual.strip import Strip

from tests.effort import THOROUGH
from tests.performance.screens import Rounds, store_of_attempts
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.core.settings.settings import Settings
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening

KINDS = ("palette", "stepper", "compare", "choice")
"""Looked at by every run of the tests; `make thorough` looks at all."""
A_ROW = 2
"""Strips more or less that what stays open may have painted meanwhile, such as a footer."""


def strips() -> int:
    gc.collect()
    return sum(isinstance(one, Strip) for one in gc.get_objects())


def collected(screen: weakref.ref[Screen[Any]]) -> bool:
    gc.collect()
    return screen() is None


@pytest.fixture
def only_new_objects() -> Iterator[None]:
    """Collections look at what is made from here on: the worker's heap is large by then."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("only_new_objects")
async def test_closed_screens_are_let_go_of() -> None:
    with store_of_attempts() as attempts:
        opening = Opening(store=attempts[0].parent.parent, benchmark="demo")
        app = WorkbenchApp(opening, Settings(), link=SilentLink())
        async with app.run_test(size=(100, 30)) as pilot:
            await first_screen(pilot)
            rounds = Rounds(pilot, opening, attempts)
            left: dict[str, int] = {}
            for kind in rounds.kinds if THOROUGH else KINDS:
                counts: list[int] = []
                for _ in range(3):
                    closed = weakref.ref(await rounds.visit(kind))
                    await rounds.visit("text")
                    # A task of the screen that was cancelled ends when the loop comes to it.
                    await until(pilot, partial(collected, closed))
                    counts.append(strips())
                # What is kept is kept each time; what stays open may be painted once meanwhile.
                left[kind] = min(after - before for before, after in pairwise(counts))
    assert {kind: count for kind, count in left.items() if count > A_ROW} == {}
