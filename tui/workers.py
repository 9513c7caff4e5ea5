"""Workers: work that goes on beside what a screen or widget shows.

A screen that is closed loses its parts one by one, and only then are its workers cancelled. What comes to its
end in between finds nothing to show its result in: it counts as cancelled, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.widget import Widget
from textual.worker import Worker, WorkType

from webbench.core.errors import WebbenchError
from webbench.core.text.plain_text import plain_text

Result = TypeVar("Result")


def run_worker(
    node: DOMNode,
    work: Callable[[], Coroutine[Any, Any, Result]],
    *,
    name: str = "",
    group: str = "default",
    exclusive: bool = False,
    exit_on_error: bool = True,
) -> Worker[Result]:
    """Run a coroutine function as a worker of this screen, widget or application.

    Textual's own `run_worker` takes coroutine functions, functions and awaitables in one union, in which
    type checkers can't tell what a coroutine function gives; here it is said.

    Args:
        exclusive: end the other workers of its group.
        exit_on_error: an error in it ends the program.
    """
    typed: WorkType[Result] = partial(_while_shown, node, work)
    return node.run_worker(typed, name, group, exclusive=exclusive, exit_on_error=exit_on_error)


async def _while_shown(node: DOMNode, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    try:
        return await work()
    except NoMatches:
        if node.is_running:
            raise
        raise asyncio.CancelledError from None


def call_after_refresh(node: DOMNode, callback: Callable[[], object]) -> None:
    """Call it once the screen is painted, unless the node was taken away meanwhile.

    Textual's own calls it all the same: the screen that is in front by then does it.
    """

    def call() -> object:
        return callback() if node.is_running else None

    node.call_after_refresh(call)


async def read_or_tell(widget: Widget, read: Callable[[], Result]) -> Result | None:
    """What a thread reads off the disk; None where it can't, which the person is told."""
    try:
        return await asyncio.to_thread(read)
    except WebbenchError as error:
        widget.notify(plain_text(str(error), limit=400), severity="error", markup=False)
        return None
