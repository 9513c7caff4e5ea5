"""Task pictures: those that belong to what a task asks, beside each other, drawn as a page's picture is."""

from __future__ import annotations

import asyncio
import base64
import binascii
import io
from collections.abc import Sequence
from functools import partial
from typing import Any

from textual.content import Content

from webbench.core.task import Task, TaskPicture, task_pictures
from webbench.core.text.plural import counted
from webbench.tui.pictures.detect import Graphics
from webbench.tui.pictures.source import decode
from webbench.tui.widgets.picture.screenshot import ScreenshotView
from webbench.tui.workers import run_worker

GAP = 16
TALLEST = 1024
MOST_SHOWN = 8
"""Pixels between two of them and of each one's height, and how many are shown."""


class TaskPictures(ScreenshotView):
    """Takes no room while the task has none."""

    DEFAULT_CSS = """
    TaskPictures { display: none; width: 1fr; height: 1fr; }
    TaskPictures.-some { display: block; }
    """

    def __init__(self, graphics: Graphics, **names: Any) -> None:
        super().__init__(graphics, **names)
        self.set_reactive(ScreenshotView.page_text, False)
        self._follows = False
        self._pictures: tuple[TaskPicture, ...] = ()

    def show_task(self, task: Task | None) -> None:
        """Show the pictures of a task; none where it has none."""
        found = task_pictures(task)[:MOST_SHOWN] if task is not None else ()
        if found == self._pictures:
            return
        self._pictures = found
        self.set_class(bool(found), "-some")
        self.clear("Reading the pictures…")
        if found:
            run_worker(self, partial(self._show, found), group="task pictures", exclusive=True)

    async def _show(self, pictures: Sequence[TaskPicture]) -> None:
        try:
            data = await asyncio.to_thread(side_by_side, pictures)
        except ValueError as error:
            self.clear(f"The task's pictures can't be shown: {error}")
            return
        self.show(data)

    def _show_titles(self) -> None:
        super()._show_titles()
        self.border_title = Content(counted(len(self._pictures), "picture") + " of the task")


def side_by_side(pictures: Sequence[TaskPicture]) -> bytes:
    """One picture (PNG) of several, left to right, none enlarged. Raises `ValueError` for what is none."""
    from PIL import Image

    shown = []
    for one in pictures:
        try:
            image = decode(base64.b64decode(one.base64, validate=True))
        except binascii.Error as error:
            raise ValueError(f"no Base64: {error}") from error
        image.thumbnail((4 * TALLEST, TALLEST))
        shown.append(image)
    width = sum(one.width for one in shown) + GAP * (len(shown) - 1)
    whole = Image.new("RGB", (width, max(one.height for one in shown)), (255, 255, 255))
    left = 0
    for image in shown:
        whole.paste(image, (left, 0))
        left += image.width + GAP
    out = io.BytesIO()
    whole.save(out, "png")
    return out.getvalue()
